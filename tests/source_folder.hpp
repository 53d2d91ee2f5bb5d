// Paths of files of the source tree, for tests. One object file knows where the tree lies, so that a compiler
// cache shares all others between two copies of it.
#pragma once

#include <string>
#include <string_view>

namespace limber::test {

/// `path`, given from the root of the source tree; the root for an empty one.
std::string source(std::string_view path);

}  // namespace limber::test
