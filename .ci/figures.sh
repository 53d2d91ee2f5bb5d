#!/usr/bin/env bash
# Makes the pictures of assets/figures/README.md: what the figures of Mueller et al. 2006 show, from the shipped scenes.
#   .ci/figures.sh [LIMBER [FIGURE...]]     LIMBER: the program, default build/release/limber; FIGURE: 3, 6, 10_ball, ...
# Needs ffmpeg, which makes small JPEG files of them.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
limber=${1:-$root/build/release/limber}
wanted=("${@:2}")
folder=$root/assets/figures
largest=60000  # bytes of one picture
[[ -x $limber ]] || { echo "There is no program $limber: build it, or name another." >&2; exit 2; }
command -v ffmpeg >/dev/null || { echo "no ffmpeg: install it" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# figure NUMBER SCENE SECONDS [OPTION...]: what the scene looks like after so many simulated seconds.
figure() {
  local number=$1 scene=$2 seconds=$3 file=$folder/figure_$1.jpg
  shift 3
  [[ ${#wanted[@]} == 0 || " ${wanted[*]} " == *" $number "* ]] || return 0
  "$limber" run "$scene" --seconds "$seconds" --size 960x600 --screenshot "$scratch/figure.png" "$@" >/dev/null
  ffmpeg -loglevel error -y -i "$scratch/figure.png" -vf scale=640:-1:flags=lanczos -q:v 4 "$file"
  rm "$scratch/figure.png"
  local bytes
  bytes=$(wc -c <"$file")
  echo "$file: $bytes bytes"
  ((bytes < largest)) || { echo "larger than $largest bytes" >&2; return 1; }
}

mkdir -p "$folder"
figure 1 deformation_benchmark 0.25
figure 3 stretch_bend_grid 6
figure 6 folded_cloth 4
figure 7 inflated_character 3
figure 8 strips 4
figure 9 barrel 6
figure 10_cube tear_cube 2
figure 10_ball tear_ball 1
figure 11 three_characters 0.9 --set camera.position=0.8,1.2,2.4 --set camera.target=0.05,0.3,0  # the scene's own sees them fall
figure 12_character cloth_on_character 2
figure 12_level cloth_in_level 4
figure 12_leaves leaves 3
