// How much memory a World holds.
#pragma once

#include <cstddef>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Bytes of all arrays of `world` as they are reserved, without the topology and the parts of bodies, which
/// copies share.
std::size_t byte_count(const World& world);

/// Bytes of the arrays that a tear copies, without what all topologies of a scene share.
std::size_t byte_count(const Topology& topology);

std::size_t byte_count(const BodyParts& parts);

}}  // namespace limber::LIMBER_PRECISION
