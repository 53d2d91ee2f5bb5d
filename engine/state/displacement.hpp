// Keeps the two tellings of where particles are in step: exactly as origin + moved, rounded as position.
#pragma once

#include "engine/state/particles.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

// Constraints, shape matching and velocities work with `moved`; contacts look at `position` and change it.
// Each function does its work for the particles [begin, end), the caller's own. A particle that neither side
// has changed keeps its bits, so nothing here depends on other objects of the World.

/// A frame begins: particles that were put elsewhere since the last one are there without having moved.
void begin_frame_moves(Particles& particles, std::int64_t begin, std::int64_t end);

/// Line (7), x <- x + h v: origins are where particles come to; `previous` and `position` follow if they are
/// looked at.
void predict_moves(Particles& particles, std::int64_t begin, std::int64_t end, real h, bool watched);

/// A frame ends: origins are where particles are now; `moved` keeps the rounding of the origin.
void end_frame_moves(Particles& particles, std::int64_t begin, std::int64_t end);

/// position <- origin + moved. A particle of inverse mass zero stays where it was put, to the last bit.
void show_moved(Particles& particles, std::int64_t begin, std::int64_t end);

/// Applies to `moved` the changes made to `position` since it was shown, and takes over inverse masses.
void take_moves(Particles& particles, std::int64_t begin, std::int64_t end);
/// Applies to `moved_before` and to the prediction the changes made to `previous` since it was `started`:
/// they are no motion.
void take_moves_before(Particles& particles, const AlignedVector<vec4>& started, std::int64_t begin,
                       std::int64_t end);

}}  // namespace limber::LIMBER_PRECISION
