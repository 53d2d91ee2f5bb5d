// Values of the fields of materials by the sources that a scene gives them.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "engine/core/material_field.hpp"

namespace limber {

/// Share s of a source at a place of the object at rest, m, with vertex colour `color`.
double share_at(const FieldSource& source, const glm::dvec3& place, const glm::dvec3& color);
/// Product of the factors of all sources of `field`, within least_factor and most_factor.
double factor_at(std::span<const FieldSource> sources, MaterialField field, const glm::dvec3& place,
                 const glm::dvec3& color);

}  // namespace limber
