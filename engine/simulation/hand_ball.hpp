// The ball in the user's hand as a collider.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Puts World::User::ball behind the colliders of the scene. What is counted by colliders has to be told
/// (Solver::prepare).
void add_hand_ball(World& world);

/// Takes the ball and its collider away, and what contacts remember of it. Wakes all bodies. The solver has
/// to be told.
void remove_hand_ball(World& world);

/// Before a frame of `dt` s: the ball goes towards its target, no farther than its speed lets it, and along
/// the other colliders instead of into them. Its collider moves through the frame at a steady velocity, like
/// any that moves.
void move_hand_ball(World& world, double dt);

}}  // namespace limber::LIMBER_PRECISION
