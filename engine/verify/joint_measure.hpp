// Measures of joints.
#pragma once

#include <vector>

#include "engine/core/measures.hpp"
#include "engine/geometry/joint_mark.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The present place of joint j.
JointMark joint_mark(const World& world, std::size_t j);

/// The largest error of a joint without compliance, and how many are broken. Shares nothing with the solver.
void add_joints(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
