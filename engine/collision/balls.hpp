// Thrown balls: small rigid bodies that particles see as moving colliders.
//
// Over a frame a ball goes where its velocity takes it, whatever it hits, so that to cloth it is one more
// collider of known motion and nothing crosses anything. What the contacts pushed against is its impulse
// back, which changes the velocity it has in the next frame. Rigid bodies push it as they push each other:
// BodySolver adds to that motion what they did.
#pragma once

#include <span>

#include "engine/core/real.hpp"
#include "engine/state/ball.hpp"

namespace limber::inline LIMBER_PRECISION {

inline constexpr double fastest_ball = 40.0;    // m/s
inline constexpr double ground_friction = 0.5;  // of what is drawn at y = 0

/// Moves a ball by h s, without contacts. Speed stays within fastest_ball.
void fly(Ball& ball, const glm::dvec3& gravity, double h);

/// A surface that a ball meets.
struct BallTouch {
  double distance;     ///< m, from its centre
  glm::dvec3 n;        ///< unit, towards it
  glm::dvec3 surface;  ///< m/s
  double friction;     ///< Coulomb mu
};

/// What a ball does there in h s: it comes out, bounces with loss, spins by friction and rolls on with
/// little.
void bounce(Ball& ball, const BallTouch& touch, double h);

/// They collide; those that overlap part.
void bounce_off_each_other(std::span<Ball> balls, double h);

/// `impulse` kg m/s from what it hit in a frame. At most it turns the ball back.
void kick(Ball& ball, const glm::dvec3& impulse);

}  // namespace limber::inline LIMBER_PRECISION
