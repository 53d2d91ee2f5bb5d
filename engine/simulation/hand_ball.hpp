// The ball in the user's hand as a collider.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Puts World::User::ball behind the colliders of the scene. Arrays by collider must be resized afterwards
/// (Stepper::prepare).
void add_hand_ball(World& world);

/// Removes the ball, its collider and its kept contacts. Wakes all bodies. Call Stepper::prepare()
/// afterwards.
void remove_hand_ball(World& world);

/// Moves the ball towards its target, no farther than its speed permits, and along the other colliders
/// instead of into them. Its collider moves through the frame at a steady velocity, like any moving collider.
/// Must be called before a frame of `dt` s.
void move_hand_ball(World& world, double dt);

}}  // namespace limber::LIMBER_PRECISION
