// Leads rods: if nodes of a rod are driven far in one substep, the rod is moved there in parts, because a
// single Newton step (rod_system.hpp) would diverge.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/kernels/rod_elimination.hpp"

namespace limber { namespace detail {

/// rad. A Newton step leaves an error of second order in the rotation of the rod in the substep, and such
/// errors grow if the rotation is large: a free metre of rubber at two revolutions per second flew apart
/// within 20 substeps of 1/60 s. A rod gets another Newton step for each far_turn of its rotation, up to
/// most_more_steps.
inline constexpr double far_turn = 0.05;
inline constexpr int most_more_steps = 3;

inline constexpr double strain_a_part = 0.1;  ///< strain per part
/// Limit of the number of parts; beyond it the result is inaccurate, but finite
inline constexpr int most_parts = 64;
/// Largest number of further steps when all driven nodes have arrived
inline constexpr int steps_at_end = 8;
inline constexpr double most_step = 0.5;    ///< rad, largest rotation of a turn in such a step
inline constexpr double least_step = 1e-4;  ///< rad: a rod has converged if no turn rotates farther than this

/// Quaternion of a rotation vector of up to a revolution, by the Taylor series of sine and cosine.
LIMBER_INLINE OneTurn turn_by(const OneVector& r) {
  using L = Lanes<double, 1>;
  const double z = 0.25 * dot(r, r).v;
  double sine = 1.0, cosine = 1.0;
  for (int k = 24; k >= 2; k -= 2) {
    sine = 1.0 - z * sine / double(k * (k + 1));
    cosine = 1.0 - z * cosine / double(k * (k - 1));
  }
  return {L(0.5 * sine) * r, L(cosine)};
}

template <class T>
LIMBER_INLINE OneVector three_of(const T* row) {
  return {double(row[0]), double(row[1]), double(row[2])};
}
template <class T>
LIMBER_INLINE void put_three(T* row, const OneVector& x) {
  row[0] = T(x.x.v), row[1] = T(x.y.v), row[2] = T(x.z.v);
}

/// The rows of one turn of a rod that is led.
template <class T>
struct LedTurn {
  T *origin, *moved, *before, *predicted;

  LIMBER_INLINE LedTurn(const RodSweep<T>& sweep, std::int64_t row)
      : origin(sweep.origin + 4 * row),
        moved(sweep.moved + 4 * row),
        before(sweep.moved_before + 4 * row),
        predicted(sweep.predicted + 4 * row) {}
  LIMBER_INLINE bool driven() const { return !(moved[3] > T(0)); }
  LIMBER_INLINE OneTurn here() const {
    return turned(OneTurn{three_of(origin), double(origin[3])}, three_of(moved));
  }
  LIMBER_INLINE OneTurn start() const {
    return turn_by(three_of(before)) * OneTurn{three_of(origin), double(origin[3])};
  }
  /// Predicted rotation in the substep, rad.
  LIMBER_INLINE OneVector spin() const { return three_of(predicted) - three_of(before); }
  /// Sets the orientation to q and makes q the origin, so that further corrections are small. Returns the
  /// rotation vector from `from` to q. `by_itself`: predicted rotation.
  LIMBER_INLINE OneVector put(const OneTurn& q, const OneTurn& from, const OneVector& by_itself) const {
    Lanes<double, 1> k;
    const double unit = 1.0 / std::sqrt((dot(q.v, q.v) + q.w * q.w).v);
    const OneVector way = rotation_vector(q * conjugate(from), k);
    put_three(origin, Lanes<double, 1>(unit) * q.v), origin[3] = T(unit * q.w.v);
    put_three(moved, OneVector{0.0, 0.0, 0.0});
    put_three(before, -way);
    if (!driven()) put_three(predicted, by_itself - way);
    return way;
  }
};

/// Leads the rods of the lanes from `lane` on (see far_strain).
template <class L, class T>
class RodLead : public LedLanes<L> {
  using LedLanes<L>::step;
  using LedLanes<L>::last;
  using LedLanes<L>::held_from;
  using LedLanes<L>::is_led;

 public:
  LIMBER_INLINE RodLead(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane)
      : group_(group), sweep_(sweep), lane_(lane) {
    for (int& parts : parts_) parts = 0;
  }

  /// Starts to lead the lanes with far = 1, whose segments are strained by up to sqrt(worst). `back`: they go
  /// back to the start of the substep.
  LIMBER_INLINE void begin(const L& far, const L& worst, bool back) {
    alignas(64) double lanes[L::width], strains[L::width];
    far.store(lanes), worst.store(strains);
    for (int l = 0; l < L::width; ++l) {
      if (!(lanes[l] > 0.0)) continue;
      const double wanted = std::sqrt(strains[l]) / strain_a_part + 1.0;
      parts_[l] = !back ? 0 : wanted < double(most_parts) ? int(wanted) : most_parts;
      step[l] = 1, last[l] = parts_[l] + steps_at_end;
      note_starts(l);
    }
  }

  /// Moves the driven nodes, and the predicted positions of all others, one part farther.
  LIMBER_INLINE void go() {
    for (int l = 0; l < L::width; ++l) {
      if (!is_led(l)) continue;
      const bool moves = step[l] <= parts_[l];
      share_[l] = moves ? double(step[l]) / parts_[l] : 1.0;
      for (std::int32_t k = 0; k < group_.blocks; ++k) {
        if (moves) go_with_point(k, l);
        const std::int32_t row = group_.turn[rod_group * k + lane_ + l];
        if (row < 0) continue;
        const LedTurn<T> turn(sweep_, row);
        const OneTurn from = start_of(k, l);
        if (turn.driven() && moves)
          turn.put(turn_by(share(l) * spin_of(k, l)) * from, from, spin_of(k, l));
        else
          note_turn(k, l, way_to(turn.here(), from));
      }
      for (int end = 0; end < 2 && moves; ++end)
        if (const std::int32_t row = held(end, l); row >= 0)
          LedTurn<T>(sweep_, row)
              .put(turn_by(share(l) * held_way_[end][l]) * held_from[end][l], held_from[end][l],
                   held_way_[end][l]);
    }
  }

  /// Takes the step of the factored system, shortened so that no turn rotates by more than most_step.
  LIMBER_INLINE void take() {
    L widest(0.0);
    substitute_back<L>(group_, sweep_, &RodFactors<L>::rhs, [&](std::int32_t k, const L(&x)[6]) {
      widest = max(widest, x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
      for (int i = 0; i < 6; ++i) x[i].store(factors_of<L>(sweep_, k).rhs(i));
    });
    widest.store(widest_);
    for (int l = 0; l < L::width; ++l) {
      if (!is_led(l)) continue;
      const double taken = most_step * most_step < widest_[l] ? most_step / std::sqrt(widest_[l]) : 1.0;
      for (std::int32_t k = 0; k < group_.blocks; ++k) take(k, l, taken);
    }
  }

  /// Ends the step. `changes`: 1 in lanes in which other segments of a rope pull than in the step, which are
  /// led on.
  LIMBER_INLINE void end_step(const L& changes) {
    alignas(64) double changed[L::width];
    changes.store(changed);
    for (int l = 0; l < L::width; ++l) {
      if (!is_led(l)) continue;
      const int at_end = step[l] - parts_[l];
      if (changed[l] > 0.0)
        last[l] = std::max(last[l], at_end < most_slack_steps ? step[l] + 1 : 0);
      else if (at_end > 0 && widest_[l] < least_step * least_step)
        last[l] = step[l];
      ++step[l];
    }
  }

 private:
  using One = Lanes<double, 1>;

  LIMBER_INLINE One share(int l) const { return One(share_[l]); }
  LIMBER_INLINE std::int32_t held(int end, int l) const {
    return group_.held_turn[end * rod_group + lane_ + l];
  }
  LIMBER_INLINE double& number(std::int32_t k, double* (RodFactors<L>::*which)(int) const, int i,
                               int l) const {
    return (factors_of<L>(sweep_, k).*which)(i)[l];
  }
  LIMBER_INLINE OneTurn start_of(std::int32_t k, int l) const {
    double n[4];
    for (int i = 0; i < 4; ++i) n[i] = number(k, &RodFactors<L>::start, i, l);
    return OneTurn{{n[0], n[1], n[2]}, n[3]};
  }
  LIMBER_INLINE OneVector spin_of(std::int32_t k, int l) const {
    return OneVector{number(k, &RodFactors<L>::spin, 0, l), number(k, &RodFactors<L>::spin, 1, l),
                     number(k, &RodFactors<L>::spin, 2, l)};
  }
  static LIMBER_INLINE OneVector way_to(const OneTurn& q, const OneTurn& from) {
    One unused;
    return rotation_vector(q * conjugate(from), unused);
  }
  /// Sets d of a turn: its rotation so far minus the predicted one.
  LIMBER_INLINE void note_turn(std::int32_t k, int l, const OneVector& way) const {
    const OneVector d = way - share(l) * spin_of(k, l);
    double* const done = done_of(group_, lane_ + l, k);
    done[3 * rod_group] = d.x.v, done[4 * rod_group] = d.y.v, done[5 * rod_group] = d.z.v;
  }

  LIMBER_INLINE void note_starts(int l) {
    const bool back = parts_[l] > 0;
    for (std::int32_t k = 0; k < group_.blocks; ++k) {
      const std::int32_t point = group_.point[rod_group * k + lane_ + l],
                         row = group_.turn[rod_group * k + lane_ + l];
      for (int i = 0; i < 3 && point >= 0 && back; ++i) {
        T& moved = sweep_.moved[4 * std::int64_t(point) + i];
        const T before = sweep_.moved_before[4 * std::int64_t(point) + i];
        number(k, &RodFactors<L>::way, i, l) = double(moved) - double(before);
        moved = before;
      }
      if (row < 0) continue;
      const LedTurn<T> turn(sweep_, row);
      const OneTurn from = turn.start();
      const OneVector spin = turn.spin();
      const double numbers[7] = {spin.x.v, spin.y.v, spin.z.v, from.v.x.v, from.v.y.v, from.v.z.v, from.w.v};
      for (int i = 0; i < 3; ++i) number(k, &RodFactors<L>::spin, i, l) = numbers[i];
      for (int i = 0; i < 4; ++i) number(k, &RodFactors<L>::start, i, l) = numbers[3 + i];
      if (back) turn.put(from, from, spin);
    }
    for (int end = 0; end < 2; ++end)
      if (const std::int32_t row = held(end, l); row >= 0) {
        const LedTurn<T> turn(sweep_, row);
        held_from[end][l] = turn.start(), held_way_[end][l] = way_to(turn.here(), turn.start());
      }
  }

  LIMBER_INLINE void go_with_point(std::int32_t k, int l) const {
    const std::int32_t point = group_.point[rod_group * k + lane_ + l];
    if (point < 0) return;
    T* const row = sweep_.moved + 4 * std::int64_t(point);
    for (int i = 0; i < 3; ++i) {
      const double way = number(k, &RodFactors<L>::way, i, l);
      if (row[3] > T(0))
        done_of(group_, lane_ + l, k)[i * rod_group] -= way / parts_[l];
      else
        row[i] = T(double(sweep_.moved_before[4 * std::int64_t(point) + i]) + share_[l] * way);
    }
  }

  LIMBER_INLINE void take(std::int32_t k, int l, double taken) const {
    double dx[6];
    for (int i = 0; i < 6; ++i) dx[i] = taken * number(k, &RodFactors<L>::rhs, i, l);
    double* const done = done_of(group_, lane_ + l, k);
    const std::int32_t point = group_.point[rod_group * k + lane_ + l],
                       row = group_.turn[rod_group * k + lane_ + l];
    if (point >= 0 && sweep_.moved[4 * std::int64_t(point) + 3] > T(0))
      for (int i = 0; i < 3; ++i) {
        T& moved = sweep_.moved[4 * std::int64_t(point) + i];
        moved = T(double(moved) + dx[i]);
        done[i * rod_group] += dx[i];
      }
    if (row < 0) return;
    const LedTurn<T> turn(sweep_, row);
    if (turn.driven()) return;
    const OneTurn now = turned(turn.here(), OneVector{dx[3], dx[4], dx[5]});
    note_turn(k, l, turn.put(now, start_of(k, l), spin_of(k, l)));
  }

  const RodGroupView<T>& group_;
  const RodSweep<T>& sweep_;
  int lane_;
  int parts_[L::width];
  alignas(64) double widest_[L::width];  ///< rad^2, square of the largest rotation in the last step
  double share_[L::width];  ///< share of the substep's path that has been covered
  OneVector held_way_[2][L::width];
};

}}  // namespace limber::detail
