#!/usr/bin/env bash
# Makes the pictures of the README from the shipped scenes, into assets/pictures.
#   .ci/pictures.sh [LIMBER]     LIMBER: the program; default build/release/limber
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
limber=${1:-$root/build/release/limber}
folder=$root/assets/pictures
[[ -x $limber ]] || { echo "There is no program $limber: build it, or name another." >&2; exit 2; }

# picture SCENE SECONDS [OPTION...]: what the scene looks like after so many simulated seconds.
picture() {
  local scene=$1 seconds=$2
  shift 2
  "$limber" run "$scene" --seconds "$seconds" --size 720x450 --screenshot "$folder/$scene.png" "$@" >/dev/null
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
picture cloth_drape_mesh 4
picture folded_cloth 3
picture flag 3
picture stretch_bend_grid 6
picture cloth_large 5
picture pile_mixed 4
