#!/usr/bin/env bash
# Installs what is missing, builds limber and opens it. Arguments are passed on: ./run.sh cloth_hang, ./run.sh list,
# ./run.sh my_mesh.obj. Without a display it renders the shipped scenes to pictures in out/ instead.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/.ci/packages.sh"
build=$root/build/release
limber=$build/limber

build_limber() {
  install_packages "${packages_to_build[@]}" "${packages_to_run[@]}"
  # Tests stay as a former ./test.sh set them; a first build goes without. A build folder that was copied along with
  # the tree still builds the tree it came from, so it is configured anew.
  [[ -f $build/build.ninja ]] && grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" ||
    (cd "$root" && cmake --fresh --preset release -DLIMBER_TESTS=OFF)
  cmake --build "$build" --target limber
}

# render SCENE...: one picture each, when and from where the scene wants it taken.
render() {
  local scene
  mkdir -p "$root/out"
  for scene in "$@"; do
    "$limber" run "$scene" --pictured --samples 16 --screenshot "$root/out/$(basename "${scene%.*}").png"
  done
  echo "No display: the pictures are in $root/out"
}

build_limber >&2
case ${1:-} in
  run | sweep | list | methods | check | validate | bench | schema | -*) exec "$limber" "$@" ;;
esac
if [[ -n ${DISPLAY:-} ]]; then
  exec "$limber" "$@"
elif (($#)); then
  render "$@"
else
  render "$root"/scenes/*.json
fi
