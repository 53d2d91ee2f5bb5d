// Memory of a World.
#pragma once

#include <cstddef>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Bytes that `world` and its arrays reserve, without the topology and the shapes of bodies, which copies
/// share.
std::size_t byte_count(const World& world);

/// Bytes of the arrays that a tear copies, without those that all topologies of a scene share.
std::size_t byte_count(const Topology& topology);

std::size_t byte_count(const BodyParts& parts);

}}  // namespace limber::LIMBER_PRECISION
