// Instruction sets by name, and those of this processor.
#pragma once

#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

enum class Simd { automatic, scalar, w4, w8, w16 };

/// Parses "auto", "scalar", "4", "8", "16"; fails with the valid names.
Expected<Simd> parse_simd(std::string_view text);
std::string_view to_string(Simd simd);

/// Whether this processor and this build can run that instance.
bool supported(Simd simd);

/// `automatic` resolved: the widest supported. Other values come back unchanged.
Simd resolve(Simd simd);

}  // namespace limber
