#include "engine/core/simd_choice.hpp"

#include <array>
#include <utility>

namespace limber {
namespace {

constexpr std::array<std::pair<std::string_view, Simd>, 5> names{{{"auto", Simd::automatic},
                                                                  {"scalar", Simd::scalar},
                                                                  {"4", Simd::w4},
                                                                  {"8", Simd::w8},
                                                                  {"16", Simd::w16}}};

}  // namespace

Expected<Simd> parse_simd(std::string_view text) {
  for (const auto& [name, simd] : names)
    if (name == text) return simd;
  return Error{
      "unknown instruction set '" + std::string(text) + "'", {}, 0, "valid names: auto, scalar, 4, 8, 16"};
}

std::string_view to_string(Simd simd) {
  for (const auto& [name, value] : names)
    if (value == simd) return name;
  return "";
}

bool supported(Simd simd) {
#if defined(__x86_64__)
  switch (simd) {
    case Simd::automatic:
    case Simd::scalar:
      return true;
    case Simd::w4:
      return !LIMBER_WITHOUT_SSE2;
    case Simd::w8:
      return __builtin_cpu_supports("avx2");
    case Simd::w16:
      return !LIMBER_WITHOUT_AVX512 && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
  return false;
#else
  return simd == Simd::automatic || simd == Simd::scalar;
#endif
}

Simd resolve(Simd simd) {
  if (simd != Simd::automatic) return simd;
  for (Simd candidate : {Simd::w16, Simd::w8, Simd::w4})
    if (supported(candidate)) return candidate;
  return Simd::scalar;
}

}  // namespace limber
