#include "tests/source_folder.hpp"

namespace limber::test {

std::string source(std::string_view path) {
  std::string full = LIMBER_SOURCE_DIR;
  if (!path.empty()) full.append("/").append(path);
  return full;
}

}  // namespace limber::test
