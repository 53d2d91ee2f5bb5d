# Debian and Ubuntu packages; sourced by run.sh and test.sh.

packages_to_build=(cmake ninja-build g++ pkg-config libglm-dev nlohmann-json3-dev libtinyobjloader-dev libeigen3-dev libcli11-dev
  libglfw3-dev libimgui-dev libstb-dev zlib1g-dev python3-glad libgl-dev libegl-dev)
packages_to_run=(libgl1 libegl1 libgl1-mesa-dri fonts-dejavu-core ffmpeg)
packages_to_test=(libgtest-dev python3 xvfb xauth xdotool clang)

# install_packages PACKAGE...: installs the ones that are missing. Asks no network when there are none.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian or Ubuntu. Needed, by their Debian names: $*" >&2
    return 0
  fi
  local installed missing=() package
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' 2>/dev/null || true)"
  for package in "$@"; do
    [[ $installed == *" installed:$package "* ]] || missing+=("$package")
  done
  ((${#missing[@]} == 0)) && return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "Please install as root: apt-get install ${missing[*]}" >&2
      return 1
    }
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  "${as_root[@]}" apt-get -q update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}"
}
