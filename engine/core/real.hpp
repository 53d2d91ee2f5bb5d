// Code inside `namespace limber { inline namespace LIMBER_PRECISION { ... }}` is compiled twice: `real` is
// float in namespace f32 and double in f64. Put everything that depends on `real` into that namespace.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#if !defined(LIMBER_PRECISION)
#error \
    "this header belongs to code that is compiled once per precision; include engine/simulation/simulation.hpp instead"
#endif

namespace limber { inline namespace LIMBER_PRECISION {
#if LIMBER_DOUBLE
using real = double;
#else
using real = float;
#endif
using vec2 = glm::vec<2, real>;
using vec3 = glm::vec<3, real>;
using vec4 = glm::vec<4, real>;
using mat3 = glm::mat<3, 3, real>;
}}  // namespace limber::LIMBER_PRECISION
