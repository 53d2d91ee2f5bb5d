// Measures of joints.
#pragma once

#include <vector>

#include "engine/core/measures.hpp"
#include "engine/geometry/joint_mark.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The present position of joint j.
JointMark joint_mark(const World& world, std::size_t j);

/// Adds the largest error of a joint without compliance and the number of broken joints. Shares no code with
/// the solver.
void add_joints(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
