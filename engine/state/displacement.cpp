#include "engine/state/displacement.hpp"

#include "engine/simd/row.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

using Place = Row<real>;

Place load(const AlignedVector<vec4>& rows, std::int64_t i) { return Place::load(&rows[std::size_t(i)].x); }
void store(const Place& row, AlignedVector<vec4>& rows, std::int64_t i) {
  row.store(&rows[std::size_t(i)].x);
}

}  // namespace

void begin_frame_moves(Particles& particles, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Place now = load(particles.position, i), from = load(particles.origin, i);
    const bool stayed = join(from, now) == now;
    store(now, particles.origin, i);
    const Place moved = join(stayed ? load(particles.moved, i) : Place(real(0)), now);
    store(moved, particles.moved, i);
    store(moved, particles.predicted, i);
    store(moved, particles.moved_before, i);
  }
}

void end_frame_moves(Particles& particles, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Place from = load(particles.origin, i), moved = load(particles.moved, i),
                old = load(particles.position, i);
    const bool held = old.last() == real(0);
    const Place shown = join(from + moved, old), now = held ? old : shown;
    store(now, particles.position, i);
    store(now, particles.origin, i);
    // A held particle keeps its remainder too: without it, it would return to its exact place in the first
    // substep of a frame, and friction would carry along what lies on it.
    store(join(held && !(shown == old) ? Place(real(0)) : moved + (from - now), now), particles.moved, i);
  }
}

void predict_moves(Particles& particles, std::int64_t begin, std::int64_t end, real h, bool watched) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Place from = load(particles.origin, i), old = load(particles.moved, i);
    const Place next = old + Place(h) * load(particles.velocity, i), to = from + next, back = from - to;
    const Place moved = join(back + next, old);
    store(join(to, old), particles.origin, i);
    store(moved, particles.moved, i);
    store(moved, particles.predicted, i);
    store(join(back + old, old), particles.moved_before, i);
    if (!watched) continue;
    const Place shown = load(particles.position, i);
    store(shown, particles.previous, i);
    if (shown.last() != real(0)) store(join(to + moved, shown), particles.position, i);
  }
}

void show_moved(Particles& particles, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Place old = load(particles.position, i);
    if (old.last() != real(0))
      store(join(load(particles.origin, i) + load(particles.moved, i), old), particles.position, i);
  }
}

void take_moves(Particles& particles, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Place from = load(particles.origin, i), old = load(particles.moved, i),
                now = load(particles.position, i);
    if (join(from + old, old) == now) continue;
    // adds the change of `position` to `moved`, which is exact for a short step; now - from would have the
    // rounding of the sum
    Place next = now.last() == real(0) ? now - from : old + (now - (from + old));
    // the sum rounds differently: take the shown position
    if (!(join(from + next, now) == now)) next = now - from;
    store(join(next, now), particles.moved, i);
  }
}

void take_moves_before(Particles& particles, const AlignedVector<vec4>& started, std::int64_t begin,
                       std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const Place before = load(started, i), step = load(particles.previous, i) - before;
    if (join(step, Place(real(0))) == Place(real(0))) continue;
    for (auto* rows : {&particles.moved_before, &particles.predicted}) {
      const Place old = load(*rows, i);
      store(join(old + step, old), *rows, i);
    }
  }
}

}}  // namespace limber::LIMBER_PRECISION
