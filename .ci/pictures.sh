#!/usr/bin/env bash
# Makes the pictures of the README from the shipped scenes, into assets/pictures.
#   .ci/pictures.sh [LIMBER]     LIMBER: the program; default build/release/limber
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
limber=${1:-$root/build/release/limber}
folder=$root/assets/pictures
[[ -x $limber ]] || { echo "There is no program $limber: build it, or name another." >&2; exit 2; }

# picture SCENE [OPTION...]: the picture that stands for the scene.
picture() {
  local scene=$1
  shift
  "$limber" run "$scene" --pictured --size 720x450 --screenshot "$folder/$scene.png" "$@" >/dev/null
  echo "$folder/$scene.png"
}

# window SCENE SECONDS: the whole window, panels included; on a display of its own where there is none.
window() {
  local on_display=()
  if [[ -z ${DISPLAY:-} ]]; then
    command -v xvfb-run >/dev/null || { echo "no display and no xvfb-run: window.png stays as it was" >&2; return 0; }
    on_display=(xvfb-run -a -s "-screen 0 1280x800x24")
  fi
  XDG_CONFIG_HOME=$(mktemp -d) "${on_display[@]}" "$limber" "$1" --seconds "$2" --size 1280x800 \
    --screenshot "$folder/window.png" >/dev/null
  echo "$folder/window.png"
}

mkdir -p "$folder"
window cloth_drape_sphere 4
picture soft_pile
picture melting
picture tear_ball
picture pile_mixed
