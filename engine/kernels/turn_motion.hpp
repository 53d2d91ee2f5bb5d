// Predicts the orientations of rod segments, over lanes of consecutive rows (state/turns.hpp).
#pragma once

#include "engine/kernels/body_motion.hpp"
#include "engine/kernels/rod_system.hpp"

namespace limber {

/// Rows of four numbers per turn.
template <class T>
struct TurnRows {
  T *origin, *moved, *predicted, *moved_before, *velocity;
};

/// Lines (6) and (7) for the rows [begin, end), multiples of lane_group: w <- keep w, q <- exp(h w) q, with a
/// rotation of at most `most` rad, because turn_quaternion() is exact up to most_turn only. Fixed turns stay.
/// In double: the rounding errors of a float's length would move rods that rest.
template <class L>
void predict_turns(const TurnRows<typename L::Real>& rows, std::int64_t begin, std::int64_t end,
                   typename L::Real h, typename L::Real keep, typename L::Real most) {
  using Doubles = typename DoublesOf<L>::Lanes;
  const Doubles zero(0.0), one(1.0), longest{double(most)}, step{double(h)}, share{double(keep)};
  for (std::int64_t i = begin; i < end; i += Doubles::width) {
    std::int32_t at[Doubles::width];
    for (int l = 0; l < Doubles::width; ++l) at[l] = std::int32_t(i) + l;
    const auto row = [&](const typename L::Real* from) { return in_doubles(from, at, Doubles()); };
    const Point<Doubles> from = row(rows.origin), moved = row(rows.moved), spin = row(rows.velocity);
    Vec3<Doubles> speed = select(zero < moved.w, share, zero) * spin.p, turn = step * speed;
    const Doubles length = sqrt(dot(turn, turn));
    const auto longer = longest < length;
    const Doubles part = select(longer, longest / select(longer, length, one), one);
    turn = part * turn, speed = part * speed;
    const Quaternion<Doubles> here = loosely_turned(Quaternion<Doubles>{from.p, from.w}, moved.p);
    const Doubles size = sqrt(square_of(here)), unit = one / select(zero < size, size, one);
    const Quaternion<Doubles> q =
        detail::rotated(detail::turn_quaternion(turn), Quaternion<Doubles>{unit * here.v, unit * here.w});
    as_numbers(Point<Doubles>{q.v, q.w}, rows.origin + 4 * i);
    as_numbers(Point<Doubles>{{zero, zero, zero}, moved.w}, rows.moved + 4 * i);
    as_numbers(Point<Doubles>{{zero, zero, zero}, zero}, rows.predicted + 4 * i);
    as_numbers(Point<Doubles>{-turn, zero}, rows.moved_before + 4 * i);
    as_numbers(Point<Doubles>{speed, zero}, rows.velocity + 4 * i);
  }
}

}  // namespace limber
