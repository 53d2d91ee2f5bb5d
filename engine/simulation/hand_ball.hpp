// The ball in the user's hand, as a collider.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Appends World::User::ball to the colliders of the scene.
void add_hand_ball(World& world);

/// Removes the ball, its collider and its stored contacts. Wakes all bodies.
void remove_hand_ball(World& world);

/// Moves the ball towards its target at no more than its greatest speed, along other colliders and not into
/// them. During the frame its collider moves at a constant velocity, like any moving collider. Must be called
/// before a frame of `dt` s.
void move_hand_ball(World& world, double dt);

}}  // namespace limber::LIMBER_PRECISION
