// Names of instruction sets, and the test whether this processor supports one.
#pragma once

#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

enum class Simd { automatic, scalar, w4, w8, w16 };

/// Parses "auto", "scalar", "4", "8", "16"; fails with the valid names.
Expected<Simd> parse_simd(std::string_view text);
std::string_view to_string(Simd simd);

/// Whether this build has kernels for `simd` and this processor can run them.
bool supported(Simd simd);

/// `automatic` resolved: the widest supported. Other values come back unchanged.
Simd resolve(Simd simd);

}  // namespace limber
