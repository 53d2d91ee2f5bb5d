#!/usr/bin/env bash
# Makes the pictures of the README from the shipped scenes, into assets/pictures.
#   .ci/pictures.sh [LIMBER [PICTURE...]]   LIMBER: the program; default build/release/limber; PICTURE: window, tear_ball, ...
# With ffmpeg the files become a fifth smaller, without loss.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
limber=${1:-$root/build/release/limber}
wanted=("${@:2}")
folder=$root/assets/pictures
largest=450000  # bytes of one picture
[[ -x $limber ]] || { echo "There is no program $limber: build it, or name another." >&2; exit 2; }

is_wanted() { [[ ${#wanted[@]} == 0 || " ${wanted[*]} " == *" $1 "* ]]; }

# finish NAME: packs the new picture closely and refuses a large file.
finish() {
  local file=$folder/$1.png bytes
  if command -v ffmpeg >/dev/null; then
    ffmpeg -loglevel error -y -i "$scratch/picture.png" -compression_level 9 -pred mixed "$file"
  else
    cp "$scratch/picture.png" "$file"
  fi
  bytes=$(wc -c <"$file")
  echo "$file: $bytes bytes"
  ((bytes < largest)) || { echo "larger than $largest bytes" >&2; return 1; }
}

# picture SCENE [OPTION...]: the picture that stands for the scene.
picture() {
  local scene=$1
  shift
  is_wanted "$scene" || return 0
  "$limber" run "$scene" --pictured --size 640x400 --screenshot "$scratch/picture.png" "$@" >/dev/null
  finish "$scene"
}

# window SCENE SECONDS: the whole window, panels included; on a display of its own where there is none.
window() {
  local on_display=()
  is_wanted window || return 0
  if [[ -z ${DISPLAY:-} ]]; then
    command -v xvfb-run >/dev/null || { echo "no display and no xvfb-run: window.png stays as it was" >&2; return 0; }
    on_display=(xvfb-run -a -s "-screen 0 1280x800x24")
  fi
  XDG_CONFIG_HOME=$scratch "${on_display[@]}" "$limber" "$1" --seconds "$2" --size 1280x800 \
    --screenshot "$scratch/picture.png" >/dev/null
  finish window
}

mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
window cloth_drape_sphere 4
for scene in tear_ball soft_pile pile_mixed melting cup_pour honey soft_teapot cloth_in_level lava_lamp; do
  picture "$scene"
done
