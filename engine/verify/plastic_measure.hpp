// The flow of constraints so far, for reports and heat maps.
#pragma once

#include <functional>
#include <span>

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Every tetrahedron, spring and triangle of a sheet that has flowed: its particles, and how far its rest
/// shape is from its first one, as a strain.
using FlowVisitor = std::function<void(std::span<const std::int32_t> particles, double strain)>;
void for_each_flow(const World& world, const FlowVisitor& visit);

/// The largest of those.
void add_plastic(const World& world, Measures& m);

/// Writes the largest value around each vertex, by external id; entries of other vertices stay as they are.
void write_plastic_strain(const World& world, std::span<float> out);
/// Von Mises' stress of tetrahedra over that at which they yield now.
void write_yield_ratio(const World& world, std::span<float> out);

}}  // namespace limber::LIMBER_PRECISION
