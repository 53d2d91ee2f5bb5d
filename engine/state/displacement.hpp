// Keeps the two representations of a particle's position consistent: origin + moved, which is exact, and
// `position`, the rounded sum.
#pragma once

#include "engine/state/particles.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

// Constraints, shape matching and velocities work with `moved`; contacts read and change `position`. Each
// function treats the particles [begin, end), which belong to the caller. A particle that neither side has
// changed keeps its bits, so nothing here depends on other objects of the World.

/// Begins a frame. Particles whose position was set since the last frame get it as origin, without
/// displacement.
void begin_frame_moves(Particles& particles, std::int64_t begin, std::int64_t end);

/// Line (7), x <- x + h v: origins become the predicted positions. `previous` and `position` follow if
/// `watched`.
void predict_moves(Particles& particles, std::int64_t begin, std::int64_t end, real h, bool watched);

/// Ends a frame. Origins become the present positions, and `moved` keeps only their rounding error.
void end_frame_moves(Particles& particles, std::int64_t begin, std::int64_t end);

/// position <- origin + moved. The position of a particle of inverse mass zero keeps its bits.
void show_moved(Particles& particles, std::int64_t begin, std::int64_t end);

/// Applies to `moved` the changes made to `position` since it was shown, and takes over inverse masses.
void take_moves(Particles& particles, std::int64_t begin, std::int64_t end);
/// Applies the changes of `previous` since `started` to `moved_before` and to the prediction, so that these
/// changes give no velocity.
void take_moves_before(Particles& particles, const AlignedVector<vec4>& started, std::int64_t begin,
                       std::int64_t end);

}}  // namespace limber::LIMBER_PRECISION
