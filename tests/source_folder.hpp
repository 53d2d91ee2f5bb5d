// Paths of files of the source tree, for tests. A single object file contains the path of the tree, so that a
// compiler cache can share all other object files between two copies of the tree.
#pragma once

#include <string>
#include <string_view>

namespace limber::test {

/// `path`, given from the root of the source tree; the root for an empty one.
std::string source(std::string_view path);

}  // namespace limber::test
