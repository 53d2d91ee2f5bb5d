// The matrix J M^-1 J^T of trees over lanes, its factors by blocks, and the solution with them. Elimination
// from leaves to root fills in no block (core/block_cholesky.hpp), so that the work grows with the joints.
#pragma once

#include "engine/core/block_cholesky.hpp"
#include "engine/kernels/joint_system.hpp"

namespace limber { namespace detail {

/// The diagonal block of link k: its rows against each other. A limit that does not take part is a row of
/// the unit matrix.
template <class Instance, class L, class T>
LIMBER_INLINE void TreeSystem<Instance, L, T>::add_link(int k) {
  const TreeLink& link = group.link[k];
  TreeLinkLanes<L>& lanes = links[k];
  L* const block = blocks + link.diagonal;
  const int n = link.rows;
  const L zero(0.0);
  L w = zero;
  const auto add = [&](std::int32_t i, const Vec3<L>& r, Vec3<L>* turn) {
    if (i < 0) return;
    const TreeBodyLanes<L>& body = bodies[i];
    w = w + body.w;
    turn[0] = body.inverse({zero, r.z, -r.y});
    turn[1] = body.inverse({-r.z, zero, r.x});
    turn[2] = body.inverse({r.y, -r.x, zero});
    const Vec3<L> v = cross(turn[0], r), u = cross(turn[1], r);
    block[0] = block[0] + v.x;
    block[n] = block[n] + v.y, block[n + 1] = block[n + 1] + u.y;
    block[2 * n] = block[2 * n] + v.z, block[2 * n + 1] = block[2 * n + 1] + u.z;
    block[2 * n + 2] = block[2 * n + 2] + cross(turn[2], r).z;
    for (int s = 3; s < n; ++s) {
      turn[s] = body.inverse(lanes.axis[s - 3]);
      for (int t = 0; t < 3; ++t) block[s * n + t] = block[s * n + t] + dot(lanes.axis[s - 3], turn[t]);
      for (int t = 3; t <= s; ++t) block[s * n + t] = block[s * n + t] + dot(lanes.axis[t - 3], turn[s]);
    }
  };
  add(link.a, lanes.r_a, turn_a + link.first), add(link.b, lanes.r_b, turn_b + link.first);
  for (int s = 0; s < 3; ++s) block[s * n + s] = block[s * n + s] + w;
  if (link.limited) {
    const L active = active_of(lanes);
    const int s = n - 1;
    for (int t = 0; t < s; ++t) block[s * n + t] = active * block[s * n + t];
    block[s * n + s] = chosen(active, block[s * n + s], L(1.0));
  }
}

/// The block of two links that share a body.
template <class Instance, class L, class T>
LIMBER_INLINE void TreeSystem<Instance, L, T>::add_coupling(const TreeCoupling& coupling) {
  const TreeLink &i = group.link[coupling.row], &j = group.link[coupling.column];
  const TreeLinkLanes<L>&x = links[coupling.row], &y = links[coupling.column];
  const Vec3<L>& r = coupling.a_of_row ? x.r_a : x.r_b;
  const Vec3<L>* const turn = (coupling.a_of_column ? turn_a : turn_b) + j.first;
  const L w = bodies[coupling.body].w;
  const L sign(coupling.a_of_row == coupling.a_of_column ? 1.0 : -1.0);
  L* const block = blocks + coupling.block;
  const int n = j.rows;
  const L one(1.0);
  const L active_row = i.limited ? active_of(x) : one, active_column = j.limited ? active_of(y) : one;
  for (int s = 0; s < n; ++s) {
    const L factor = j.limited && s + 1 == n ? sign * active_column : sign;
    const Vec3<L> v = cross(turn[s], r);
    L entry[3] = {v.x, v.y, v.z};
    if (s < 3) entry[s] = entry[s] + w;
    for (int t = 0; t < 3; ++t) block[t * n + s] = block[t * n + s] + factor * entry[t];
    for (int t = 3; t < i.rows; ++t) {
      const L own = i.limited && t + 1 == i.rows ? factor * active_row : factor;
      block[t * n + s] = block[t * n + s] + own * dot(x.axis[t - 3], turn[s]);
    }
  }
}

/// Eliminates a link: factors of its block, the blocks below it, and what they take from the rest.
/// `rows`: of the link; 0: any number.
template <class Instance, class L, class T>
template <int rows>
inline void TreeSystem<Instance, L, T>::eliminate(const TreeColumn& column, const TreeLink& link) {
  const L zero(0.0), one(1.0);
  const int n = rows > 0 ? rows : link.rows;
  L* const a = blocks + link.diagonal;
  for (int j = 0; j < n; ++j) {
    const L whole = a[j * n + j];
    L d = whole;
    for (int k = 0; k < j; ++k) d = d - a[j * n + k] * a[j * n + k];
    const auto counts = L(BlockCholesky::redundant) * whole < d;
    const L root = select(counts, one / sqrt(select(counts, d, one)), zero);
    a[j * n + j] = root;
    for (int i = j + 1; i < n; ++i) {
      L x = a[i * n + j];
      for (int k = 0; k < j; ++k) x = x - a[i * n + k] * a[j * n + k];
      a[i * n + j] = x * root;
    }
  }
  for (int e = column.first; e < column.end; ++e) {
    L* x = blocks + group.block[e].block;
    for (int i = 0, m = group.link[group.block[e].link].rows; i < m; ++i, x += n)
      for (int j = 0; j < n; ++j) {
        L sum = x[j];
        for (int k = 0; k < j; ++k) sum = sum - x[k] * a[j * n + k];
        x[j] = sum * a[j * n + j];
      }
  }
  for (int u = column.first_update; u < column.end_update; ++u) {
    const TreeUpdate& update = group.update[u];
    L* const out = blocks + update.block;
    const L *const left = blocks + update.left, *const right = blocks + update.right;
    const int m = update.columns;
    for (int i = 0; i < update.rows; ++i)
      for (int j = 0, end = update.own ? i + 1 : m; j < end; ++j) {
        L sum = left[i * n] * right[j * n];
        for (int k = 1; k < n; ++k) sum = sum + left[i * n + k] * right[j * n + k];
        out[i * m + j] = out[i * m + j] - sum;
      }
  }
}

/// J M^-1 J^T and its factors, L L^T by blocks. The diagonal of a factor is kept as its inverse.
template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::factor() {
  const L zero(0.0);
  for (int n = 0; n < group.block_numbers; ++n) blocks[n] = zero;
  for (int k = 0; k < group.links; ++k) add_link(k);
  for (int c = 0; c < group.couplings; ++c) add_coupling(group.coupling[c]);
  for (int c = 0; c < group.columns; ++c) {
    const TreeColumn& column = group.column[c];
    const TreeLink& link = group.link[column.link];
    link.rows == 3 ? eliminate<3>(column, link) : eliminate<0>(column, link);
  }
  factored = true;
}

/// x <- A^-1 x of all links.
template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::substitute() {
  for (int c = 0; c < group.columns; ++c) {
    const TreeColumn& column = group.column[c];
    const int n = group.link[column.link].rows;
    const L* const l = blocks + group.link[column.link].diagonal;
    L* const y = solution + group.link[column.link].first;
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < j; ++k) y[j] = y[j] - l[j * n + k] * y[k];
      y[j] = y[j] * l[j * n + j];
    }
    for (int e = column.first; e < column.end; ++e) {
      const L* a = blocks + group.block[e].block;
      L* const rest = solution + group.link[group.block[e].link].first;
      for (int i = 0, m = group.link[group.block[e].link].rows; i < m; ++i, a += n)
        for (int k = 0; k < n; ++k) rest[i] = rest[i] - a[k] * y[k];
    }
  }
  for (int c = group.columns - 1; c >= 0; --c) {
    const TreeColumn& column = group.column[c];
    const int n = group.link[column.link].rows;
    const L* const l = blocks + group.link[column.link].diagonal;
    L* const x = solution + group.link[column.link].first;
    for (int e = column.first; e < column.end; ++e) {
      const L* a = blocks + group.block[e].block;
      const L* const above = solution + group.link[group.block[e].link].first;
      for (int i = 0, m = group.link[group.block[e].link].rows; i < m; ++i, a += n)
        for (int k = 0; k < n; ++k) x[k] = x[k] - a[k] * above[i];
    }
    for (int j = n - 1; j >= 0; --j) {
      for (int k = j + 1; k < n; ++k) x[j] = x[j] - l[k * n + j] * x[k];
      x[j] = x[j] * l[j * n + j];
    }
  }
}

}}  // namespace limber::detail
