// The plastic flow of constraints so far, for reports and heat maps.
#pragma once

#include <functional>
#include <span>

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Receives the particles of every constraint that has flowed, and the strain between its original and its
/// present rest shape.
using FlowVisitor = std::function<void(std::span<const std::int32_t> particles, double strain)>;
void for_each_flow(const World& world, const FlowVisitor& visit);

/// Adds the largest of these strains to `m`.
void add_plastic(const World& world, Measures& m);

/// Writes the largest of these strains around each vertex, by external id; entries of other vertices stay
/// unchanged.
void write_plastic_strain(const World& world, std::span<float> out);
/// Writes the von Mises stress of tetrahedra divided by the stress at which they yield now.
void write_yield_ratio(const World& world, std::span<float> out);

}}  // namespace limber::LIMBER_PRECISION
