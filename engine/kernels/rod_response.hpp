// Response of a rod's points to impulses: diagonal blocks of the inverse of its system (rod_system.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/kernels/rod_elimination.hpp"

namespace limber { namespace detail {

template <class L>
using Six = L[6][6];

/// out += A^T X B.
template <class L>
LIMBER_INLINE void add_product(const Six<L>& a, const Six<L>& x, const Six<L>& b, Six<L>& out) {
  Six<L> half;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      half[i][j] = L(0.0);
      for (int m = 0; m < 6; ++m) half[i][j] = half[i][j] + x[i][m] * b[m][j];
    }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int m = 0; m < 6; ++m) out[i][j] = out[i][j] + a[m][i] * half[m][j];
}

/// x <- U^-T x, U with ones on its diagonal and `in` below it.
template <class L>
LIMBER_INLINE void solve_transposed(const RodFactors<L>& in, Six<L>& x) {
  for (int i = 5; i >= 0; --i)
    for (int m = i + 1; m < 6; ++m) {
      const L u = L::load(in.lower(m, i));
      for (int j = 0; j < 6; ++j) x[i][j] = x[i][j] - u * x[m][j];
    }
}

/// Calls act(k, S_kk) with the diagonal blocks of the inverse, from the last to the first. With B and R the
/// factors of block k in the rows of the next and of the last block,
///
///   S_kk = U^-T (D^-1 + D^-1 [B R]^T S' [B R] D^-1) U^-1,   S_kn = -U^-T D^-1 [B R]^T S'_n
///
/// where S' consists of the blocks of the inverse for the next and the last block (Takahashi 1973).
template <class L, class T, class Act>
LIMBER_INLINE void invert_diagonal(const RodGroupView<T>& group, const RodSweep<T>& sweep, const Act& act) {
  const std::int32_t last = group.blocks - 1;
  Six<L> next{}, to_last{}, at_last{};
  for (std::int32_t k = last; k >= 0; --k) {
    const RodFactors<L> in = factors_of<L>(sweep, k);
    const bool rings = group.ring && k + 1 < last;
    Six<L> own, across, below, ring;
    clear_rows(own), clear_rows(across);
    L inverse[6];
    for (int i = 0; i < 6; ++i) inverse[i] = L::load(in.inverse(i));
    for (int i = 0; i < 6 && k < last; ++i)
      for (int j = 0; j < 6; ++j) {
        below[i][j] = L::load(in.below(i, j)) * inverse[j];
        if (rings) ring[i][j] = L::load(in.ring(i, j)) * inverse[j];
      }
    if (k < last) {
      add_product(below, next, below, own);
      if (rings) {
        Six<L> mixed;
        clear_rows(mixed);
        add_product(below, to_last, ring, mixed);
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) own[i][j] = own[i][j] + mixed[i][j] + mixed[j][i];
        add_product(ring, at_last, ring, own);
      }
      if (group.ring)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j)
            for (int m = 0; m < 6; ++m) {
              across[i][j] = across[i][j] - below[m][i] * to_last[m][j];
              if (rings) across[i][j] = across[i][j] - ring[m][i] * at_last[m][j];
            }
    }
    for (int i = 0; i < 6; ++i) own[i][i] = own[i][i] + inverse[i];
    solve_transposed(in, own);  // from the left, then, by transposing the symmetric result, from the right
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j) std::swap(own[i][j], own[j][i]);
    solve_transposed(in, own);
    solve_transposed(in, across);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        next[i][j] = own[i][j];
        to_last[i][j] = k == last ? own[i][j] : across[i][j];
        if (k == last) at_last[i][j] = own[i][j];
      }
    act(k, own);
  }
}

/// least_push: a point counts as pushed if its impulse is more than this share of the largest on its rod.
/// push_room: factor on the inverse mass that was measured. The inverse mass of points that were not pushed
/// doubles.
inline constexpr double least_push = 0.02, push_room = 1.25;

/// Square of the largest impulse on a point of the rod, (kg m)^2.
template <class L, class T>
LIMBER_INLINE L largest_push(const RodGroupView<T>& group, int lane) {
  L largest(0.0);
  for (std::int32_t k = 0; k < group.blocks; ++k) {
    L square(0.0);
    for (int i = 0; i < 3; ++i) {
      const L push = L::load(group.pushed + (3 * std::int64_t(k) + i) * rod_group + lane);
      square = square + push * push;
    }
    largest = max(largest, square);
  }
  return largest;
}

/// Computes the effective inverse mass w that contacts use for a point of a rod: r.J/J.J, with J the impulse
/// on the point and r its part of the response H^-1 J/h^2 to the impulses on all points; at least
/// |H^-1_ii|/h^2, the response to an impulse on this point alone in any direction; at most the inverse mass
/// of the free point. A stiff wire that is pushed at one point moves its neighbourhood too; pushed everywhere
/// it is as light as its points. Contacts with this w converge in a few iterations, which they do not with
/// the mass of the point alone. Ties use H^-1_ii/h^2 itself, times the ratio of r.J to the response to the
/// point's own impulse. `anew`: at the beginning of a frame, for rods with ties, without impulses; as if all
/// ties pulled alike. Each rod is treated as if it were alone, whatever the rods in other lanes do.
template <class L, class T>
LIMBER_INLINE void weigh_points(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane, bool anew) {
  const L largest = anew ? L(0.0) : largest_push<L>(group, lane);
  const auto push_at = [&](std::int32_t k, int i) {
    return L::load(group.pushed + (3 * std::int64_t(k) + i) * rod_group + lane);
  };
  const auto square_at = [&](std::int32_t k) {
    return push_at(k, 0) * push_at(k, 0) + push_at(k, 1) * push_at(k, 1) + push_at(k, 2) * push_at(k, 2);
  };
  if (!anew && bits(L(0.0) < largest) == 0) return;
  if (!anew) {
    eliminate_pushes<L>(group, sweep, lane);
    substitute_back<L>(group, sweep, &RodFactors<L>::answer, [&](std::int32_t k, const L(&x)[6]) {
      L along(0.0);
      for (int i = 0; i < 3; ++i) along = along + push_at(k, i) * x[i];
      const auto pushed = L(least_push * least_push) * largest < square_at(k);
      select(pushed, max(along, L(0.0)), L(0.0)).store(factors_of<L>(sweep, k).answer(0));
    });
  }
  const L per_h2(sweep.inverse_h * sweep.inverse_h);
  invert_diagonal<L>(group, sweep, [&](std::int32_t k, const Six<L>& inverse) {
    L square(0.0), alone(0.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        square = square + inverse[i][j] * inverse[i][j];
        if (!anew) alone = alone + push_at(k, i) * inverse[i][j] * push_at(k, j);
      }
    alignas(64) double least[L::width], met[L::width]{}, own[L::width]{}, single[L::width]{};
    alignas(64) double most[L::width];  // of each rod: a rod that nothing pushed keeps its weights
    largest.store(most);
    (per_h2 * sqrt(square)).store(least);
    if (!anew) {
      L::load(factors_of<L>(sweep, k).answer(0)).store(met);
      square_at(k).store(own), (per_h2 * alone).store(single);
    }
    alignas(64) double answer[6][L::width];
    for (int i = 0, n = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j, ++n) (per_h2 * inverse[i][j]).store(answer[n]);
    for (int l = 0; l < L::width; ++l) {
      const std::int32_t row = group.point[rod_group * k + lane + l];
      if (row < 0 || !(sweep.moved[4 * std::int64_t(row) + 3] > T(0))) continue;
      if (anew ? group.ties[lane + l] == 0 : !(most[l] > 0.0)) continue;
      const double free = double(sweep.inverse_mass[row]);
      T& weight = group.weight[rod_group * k + lane + l];
      const double before = weight > T(0) ? double(weight) : free;
      const bool pushed = met[l] > 0.0;
      const double now = std::max(pushed ? push_room * met[l] / own[l] : 2.0 * before, least[l]);
      weight = T(now < free ? now : free);
      sweep.moved[4 * std::int64_t(row) + 3] = sweep.position[4 * std::int64_t(row) + 3] = weight;
      const double together = anew     ? double(group.ties[lane + l])
                              : pushed ? std::max(push_room * met[l] / single[l], 1.0)
                                       : 1.0;
      for (int n = 0; n < 6; ++n)
        group.answer[(6 * std::int64_t(k) + n) * rod_group + lane + l] = together * answer[n][l];
    }
  });
}

}}  // namespace limber::detail
