// Position based fluids (Macklin and Mueller 2013) in XPBD form: C and grad C of the density constraint, and
// the changes of velocities by viscosity, vorticity confinement and cohesion.
//
// Every particle fills the same volume V, whatever its mass (number density: Solenthaler and Pajarola 2008),
// so that two fluids meet at a sharp surface. With W of poly6 and grad W of spiky, u = p_i - p_j,
//
//   C_i = V sum_j W(|u|) + wall_i - 1 <= 0,   grad_i C_i = V sum_j grad W,   grad_j C_i = -V grad W
//   dl_i = omega (C_i - a~ l_i) / (w_i |grad_i C_i|^2 + sum_j w_j V^2 |grad W|^2 + w_i eps + a~),  l_i >= 0
//   dp_i = -w_i V sum_j (dl_i + dl_j + spread (W(|u|) / W(dq))^n) grad W - w_i dl_i grad wall_i
//
// j runs over all particles within the support, including i. l (kg m^2) is the accumulated multiplier with
// the sign of a pressure: it never pulls, unless the law is two-sided (C_i = 0). wall_i is the share of the
// support that walls fill, made steeper (share_before_wall) so that its gradient carries the whole pressure
// of still water. The gradient of the plain share carries only half of it; then neighbours press the lowest
// layer onto the wall with the other half, and that layer sticks to bodies and drags them along. (Twice the
// gradient of the plain share is no alternative: it is not the gradient of C_i, and such a projection adds
// energy, so that water at rest boils.)
//
// Particles are copied, in the order of the neighbour search, to rows of four numbers. Neighbour lists are
// stored in slices of lane_group particles: the k-th neighbours of the particles of a slice are adjacent in
// memory. A list that is shorter than the longest of its slice is padded with the index of a far particle.
// Each lane adds up its own particle's neighbours in their order, so the bits do not depend on the number of
// lanes.
#pragma once

#include "engine/constraints/fluid_kernel.hpp"
#include "engine/constraints/stencil_traits.hpp"

namespace limber {

/// a and b of pull_together().
inline constexpr double cohesion_share = 1.0, curvature_share = 0.03;

/// Neighbour lists of the sorted particles, stored in slices (see above).
struct NeighbourSlices {
  const std::int32_t* neighbours;  ///< column k of slice s: from s * stride + lane_group * k on
  const std::int32_t* columns;     ///< per slice: length of its longest list
  std::int64_t stride;

  const std::int32_t* column(std::int64_t slice, std::int32_t k) const {
    return neighbours + slice * stride + std::int64_t(lane_group) * k;
  }
};

/// Arrays that a pass over sorted particles reads and writes. Their length is a whole number of slices;
/// arrays of rows have one row more, for the far particle.
template <class T>
struct FluidView {
  NeighbourSlices near;
  FluidKernel<T> kernel;
  const T* points;   ///< rows: p in m, inverse mass in 1/kg
  const T* wall;     ///< share of the support that walls fill
  const T* push;     ///< rows: -grad wall in 1/m, and the mobility of the walls, a term of the denominator,
                     ///< 1/(kg m^2)
  const T* fluid;    ///< 1; 0: the particle is no fluid and only displaces it
  T* density;        ///< last measured V sum W + wall: density as a share of the rest density
  T* lambda;         ///< kg m^2, l
  T* pressed;        ///< rows: p, dl
  T* moved;          ///< rows: dp in m, 0
  T relaxation;      ///< omega
  T eps;             ///< 1/m^2
  T softness;        ///< a~, 1/(kg m^2)
  T most;            ///< upper bound of C
  T least_C;         ///< lower bound of C
  T least;           ///< lower bound of l: 0, or minus infinity if pressure may pull
  int spread_power;  ///< n of s_corr, 1 to 8
  T spread;          ///< kg m^2, of all pairs; used if `spreads` is null
  const T* spreads;  ///< kg m^2, per particle, 0 for one that is no fluid; null: all have `spread`
  T inverse_spread;  ///< m^3, 1 / W(dq)

  // for the passes over velocities; arrays of rows
  const T* velocity;   ///< m/s, and c of XSPH
  const T* matter;     ///< density now in kg/m^3, viscosity in Pa s, surface tension in N/m, mass in kg
  T* curl;             ///< 1/s, and its length
  T* slope;            ///< n of measure_slope(), dimensionless, and its length
  T* gained;           ///< m/s, change of velocity
  T h;                 ///< s, of a substep
  const T* vorticity;  ///< m, epsilon H
};

/// Writes numbers[l] for each bit l set in `hits`, in ascending order. Returns the end of the written range.
template <class L>
LIMBER_INLINE std::int32_t* put_set_lanes(unsigned hits, const std::int32_t* numbers, std::int32_t* out, L) {
  for (int l = 0; l < L::width; ++l) {  // without a branch
    *out = numbers[l];
    out += hits >> l & 1u;
  }
  return out;
}
#if defined(__AVX512F__) && defined(__AVX512DQ__)
LIMBER_INLINE std::int32_t* put_set_lanes(unsigned hits, const std::int32_t* numbers, std::int32_t* out,
                                          Lanes<float, 16>) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(__mmask16(hits), _mm512_loadu_si512(numbers)));
  return out + __builtin_popcount(hits);
}
#endif

/// Calls act(indices) for each column of neighbours of the particles [i, i + width): one index per lane.
template <class L, class T, class Act>
LIMBER_INLINE void for_neighbours(const FluidView<T>& view, std::int64_t i, const Act& act) {
  const std::int64_t slice = i / lane_group;
  const std::int32_t columns = view.near.columns[slice];
  const std::int32_t* index = view.near.column(slice, 0) + i % lane_group;
  for (std::int32_t k = 0; k < columns; ++k, index += lane_group) act(index);
}

/// Loads, or stores, the rows of the consecutive particles [i, i + width).
template <class L>
LIMBER_INLINE Point<L> load_run(const typename L::Real* rows, std::int64_t i) {
  alignas(64) std::int32_t index[L::width];
  for (int l = 0; l < L::width; ++l) index[l] = std::int32_t(i) + l;
  return load_points(rows, index, L());
}
template <class L>
LIMBER_INLINE void store_run(typename L::Real* rows, std::int64_t i, const Point<L>& p) {
  alignas(64) std::int32_t index[L::width];
  for (int l = 0; l < L::width; ++l) index[l] = std::int32_t(i) + l;
  store_points(rows, index, p);
}

/// Measures C of the particles [begin, end), whole slices, updates l and writes dl into `pressed`.
template <class L>
void press_fluid(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0)), volume(view.kernel.volume);
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i);
    L sum = zero, squares = zero;
    Vec3<L> gradient{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Point<L> other = load_points(view.points, index, L());
      const Vec3<L> u = own.p - other.p;
      const L r2 = dot(u, u);
      const Length<L> length(r2);
      const L along = spiky_slope(view.kernel, length.r) * length.inverse;
      sum = sum + poly6(view.kernel, r2);
      gradient = gradient + along * u;
      const L steep = along * length.r;  // 0 at the particle itself
      squares = squares + (other.w * steep) * steep;
    });
    const L density = volume * sum + L::load(view.wall + i);
    const Point<L> wall = load_run<L>(view.push, i);
    gradient = volume * gradient + wall.p;
    const L all = own.w * (dot(gradient, gradient) + L(view.eps)) + (volume * volume) * squares + wall.w;
    const L before = L::load(view.lambda + i), soft(view.softness);
    const L C = max(min(density - L(T(1)), L(view.most)), L(view.least_C));
    const L weight = all + soft;
    const L step = (L(view.relaxation) * (C - soft * before)) / select(zero < weight, weight, L(T(1)));
    const L now = select(zero < weight, max(before + step, L(view.least)), zero) * L::load(view.fluid + i);
    density.store(view.density + i);
    now.store(view.lambda + i);
    store_run<L>(view.pressed, i, {own.p, now - before});
  }
}

/// x^n, n from 1 to 8.
template <class L>
LIMBER_INLINE L small_power(L x, int n) {
  const L x2 = x * x;
  if (n == 4) return x2 * x2;
  L out = n % 2 == 1 ? x : L(typename L::Real(1));
  for (int k = 2; k <= n; k += 2) out = out * x2;
  return out;
}

/// Computes dp of the particles [begin, end) from the results of press_fluid() for all particles.
/// spread_of(i) returns a function that gives, for the particles [i, i + width), the spreads of their pairs
/// with the neighbours at an index.
template <class L, class SpreadOf>
LIMBER_INLINE void move_fluid_by(const FluidView<typename L::Real>& view, std::int64_t begin,
                                 std::int64_t end, const SpreadOf& spread_of) {
  using T = typename L::Real;
  const L zero(T(0)), per_spread(view.inverse_spread);
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.pressed, i);
    const auto spread = spread_of(i);
    Vec3<L> sum{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Point<L> other = load_points(view.pressed, index, L());
      const Vec3<L> u = own.p - other.p;
      const L r2 = dot(u, u);
      const L near = small_power(poly6(view.kernel, r2) * per_spread, view.spread_power);
      const L push = (own.w + other.w) + spread(index) * near;
      sum = sum + (push * slope_along(view.kernel, r2)) * u;
    });
    sum = L(view.kernel.volume) * sum + own.w * load_run<L>(view.push, i).p;
    store_run<L>(view.moved, i, {load_run<L>(view.points, i).w * sum, zero});
  }
}

/// Computes dp. The spread of a pair of two fluids is the smaller of the two; with the larger one the lighter
/// fluid would make large steps.
template <class L>
void move_fluid(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0)), all(view.spread);
  if (!view.spreads)
    return move_fluid_by<L>(view, begin, end,
                            [&](std::int64_t) { return [&](const std::int32_t*) { return all; }; });
  move_fluid_by<L>(view, begin, end, [&](std::int64_t i) {
    const L own = L::load(view.spreads + i);
    return [&view, zero, own](const std::int32_t* index) {
      alignas(64) T numbers[L::width];
      for (int l = 0; l < L::width; ++l) numbers[l] = view.spreads[index[l]];
      const L other = L::load(numbers), least = min(own, other);
      return select(zero < least, least, max(own, other));
    };
  });
}

/// Viscosity and XSPH. With mu the mean viscosity of two particles, c the mean of their shares, r = |u| their
/// distance, and slope = -dW/dr,
///
///   m_i dv_i = sum_j k_ij (v_j - v_i),
///   k_ij = h V^2 mu 2 r slope / (r^2 + H^2 / 100) + c 2 m_i m_j W / (rho_i + rho_j)
///
/// k_ij is symmetric, which conserves momentum. The explicit step is stable while s_i = sum_j k_ij / m_i <=
/// 1: k_ij is scaled by 1 / max(1, 2 s_i, 2 s_j), which is symmetric too.
///
/// Without viscosity s_i is about 2 c: particles with less than this c need no limit.
inline constexpr double limited_xsph = 0.25;

/// The part of XSPH in k_ij. `both`: the sum of the two shares c.
template <class L>
LIMBER_INLINE L xsph_of_pair(const FluidView<typename L::Real>& view, const Point<L>& matter,
                             const Point<L>& other, L both, L r2) {
  return ((both * matter.w) * other.w) * poly6(view.kernel, r2) / (matter.p.x + other.p.x);
}

template <class L>
LIMBER_INLINE L pull_of_pair(const FluidView<typename L::Real>& view, const Point<L>& matter,
                             const Point<L>& other, L both, L r2) {
  using T = typename L::Real;
  const L r = Length<L>(r2).r, volume(view.kernel.volume);
  const L viscosity = L(T(0.5)) * (matter.p.y + other.p.y);
  const L slope = (r * spiky_slope(view.kernel, r)) / (r2 + L(T(0.01) * view.kernel.support2));
  return ((volume * volume) * (L(T(2) * view.h) * viscosity)) * slope +
         xsph_of_pair(view, matter, other, both, r2);
}

/// Computes max(1, 2 s) of the particles [begin, end) into the fourth numbers of `moved`.
template <class L>
void weigh_viscosity(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), limited{T(limited_xsph)};
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i), matter = load_run<L>(view.matter, i);
    const L c = load_run<L>(view.velocity, i).w;
    L sum = zero;
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Vec3<L> u = own.p - load_points(view.points, index, L()).p;
      const L both = c + load_points(view.velocity, index, L()).w;
      sum = sum + pull_of_pair(view, matter, load_points(view.matter, index, L()), both, dot(u, u));
    });
    const L s = select(zero < matter.p.y, own.w * sum, select(limited < c, own.w * sum, zero));
    store_run<L>(view.moved, i, {{zero, zero, zero}, max(one, s + s)});
  }
}

/// Computes dv by viscosity and XSPH of the particles [begin, end) into `gained`.
template <class L>
void calm_fluid(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i), v = load_run<L>(view.velocity, i),
                   matter = load_run<L>(view.matter, i), limit = load_run<L>(view.moved, i);
    Vec3<L> sum{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Vec3<L> u = own.p - load_points(view.points, index, L()).p;
      const L most = max(limit.w, load_points(view.moved, index, L()).w);
      const Point<L> at = load_points(view.velocity, index, L());
      const L pull =
          pull_of_pair(view, matter, load_points(view.matter, index, L()), v.w + at.w, dot(u, u)) / most;
      sum = sum + pull * (at.p - v.p);
    });
    store_run<L>(view.gained, i, {own.w * sum, zero});
  }
}

/// Like calm_fluid(), with the same bits, for fluids without viscosity and with a small c, which need no
/// limit.
template <class L>
void smooth_fluid(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i), v = load_run<L>(view.velocity, i),
                   matter = load_run<L>(view.matter, i);
    Vec3<L> sum{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Vec3<L> u = own.p - load_points(view.points, index, L()).p;
      const Point<L> at = load_points(view.velocity, index, L());
      const L pull = xsph_of_pair(view, matter, load_points(view.matter, index, L()), v.w + at.w, dot(u, u));
      sum = sum + pull * (at.p - v.p);
    });
    store_run<L>(view.gained, i, {own.w * sum, zero});
  }
}

/// Computes omega_i = sum_j m_j / rho_i (v_j - v_i) x grad_j W and its length for the particles [begin, end).
template <class L>
void measure_curl(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i), v = load_run<L>(view.velocity, i);
    Vec3<L> sum{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Vec3<L> u = own.p - load_points(view.points, index, L()).p;
      const L weight = load_points(view.matter, index, L()).w * slope_along(view.kernel, dot(u, u));
      sum = sum + weight * cross(load_points(view.velocity, index, L()).p - v.p, u);
    });
    const L density = load_run<L>(view.matter, i).p.x;
    const Vec3<L> curl = (L(T(1)) / max(density, L(T(1e-12)))) * sum;
    store_run<L>(view.curl, i, {curl, sqrt(dot(curl, curl))});
  }
}

/// Vorticity confinement: dv += h epsilon H (N x omega), N the direction in which |omega| grows.
template <class L>
void confine_vorticity(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0)), h(view.h);
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i), curl = load_run<L>(view.curl, i);
    Vec3<L> sum{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Vec3<L> u = own.p - load_points(view.points, index, L()).p;
      const L more = curl.w - load_points(view.curl, index, L()).w;
      sum = sum + (more * slope_along(view.kernel, dot(u, u))) * u;
    });
    const L length = sqrt(dot(sum, sum));
    const Vec3<L> toward = (L(T(1)) / max(length, L(T(1e-12)))) * sum;
    Point<L> gained = load_run<L>(view.gained, i);
    gained.p = gained.p + (h * L::load(view.vorticity + i)) * cross(toward, curl.p);
    store_run<L>(view.gained, i, gained);
  }
}

/// Computes n_i = H V sum_j grad W of the particles [begin, end). At a surface it points inwards and has a
/// length of about 1.
template <class L>
void measure_slope(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0)), scale(-view.kernel.support * view.kernel.volume);
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i);
    Vec3<L> sum{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Vec3<L> u = own.p - load_points(view.points, index, L()).p;
      sum = sum + slope_along(view.kernel, dot(u, u)) * u;
    });
    const Vec3<L> n = scale * sum;
    store_run<L>(view.slope, i, {n, sqrt(dot(n, n))});
  }
}

/// Cohesion and surface tension after Akinci et al. 2013. sigma (N/m) is the smaller surface tension of the
/// two particles, a and b are cohesion_share and curvature_share:
///
///   F_ij = -sigma H K (a V C(r) u / r + b V / H^3 (n_i - n_j)),   K = 2 (rho_0i + rho_0j) / (rho_i + rho_j)
template <class L>
void pull_together(const FluidView<typename L::Real>& view, std::int64_t begin, std::int64_t end) {
  using T = typename L::Real;
  const L zero(T(0)), two(T(2));
  const FluidKernel<T>& kernel = view.kernel;
  const L attract(view.h * kernel.support * kernel.volume * T(cohesion_share));
  const L flatten(view.h * kernel.volume / kernel.support2 * T(curvature_share));
  for (std::int64_t i = begin; i < end; i += L::width) {
    const Point<L> own = load_run<L>(view.points, i), matter = load_run<L>(view.matter, i),
                   slope = load_run<L>(view.slope, i);
    Vec3<L> sum{zero, zero, zero};
    for_neighbours<L>(view, i, [&](const std::int32_t* index) {
      const Vec3<L> u = own.p - load_points(view.points, index, L()).p;
      const Point<L> other = load_points(view.matter, index, L());
      const Length<L> length(dot(u, u));
      const L sigma = min(matter.p.z, other.p.z);
      // K; the rest density of a particle is its mass over V
      const L thin =
          (two * (matter.w + other.w)) / max(L(kernel.volume) * (matter.p.x + other.p.x), L(T(1e-20)));
      const L strength = sigma * min(thin, two + two);
      const Vec3<L> turn = slope.p - load_points(view.slope, index, L()).p;
      sum = sum - (strength * (attract * (cohesion(kernel, length.r) * length.inverse))) * u -
            (strength * flatten) * turn;
    });
    Point<L> gained = load_run<L>(view.gained, i);
    gained.p = gained.p + own.w * sum;
    store_run<L>(view.gained, i, gained);
  }
}

/// Points as three arrays, padded so that whole vectors can be loaded.
template <class T>
struct Candidates {
  const T *x, *y, *z;           ///< m
  const std::int32_t* numbers;  ///< index of each candidate
  std::int32_t count;
};

/// Finds the candidates nearer to `place` than the root of `reach2` (m^2) and writes their numbers, in their
/// order, to `out`, which must have space for one vector more than `count`. Returns how many were found.
template <class L>
std::int32_t find_close(const Candidates<typename L::Real>& of, const typename L::Real (&place)[3],
                        typename L::Real reach2, std::int32_t* out) {
  const L x(place[0]), y(place[1]), z(place[2]), most(reach2);
  std::int32_t* next = out;
  for (std::int32_t from = 0; from < of.count; from += L::width) {
    const L dx = L::load(of.x + from) - x, dy = L::load(of.y + from) - y, dz = L::load(of.z + from) - z;
    unsigned hits = bits(dx * dx + dy * dy + dz * dz < most);
    if (of.count - from < L::width) hits &= (1u << (of.count - from)) - 1u;
    next = put_set_lanes(hits, of.numbers + from, next, L());
  }
  return std::int32_t(next - out);
}

/// Pointers to these kernels for one instruction set.
template <class T>
struct FluidKernels {
  using Pass = void (*)(const FluidView<T>&, std::int64_t begin, std::int64_t end);
  Pass press, move, weigh, calm, smooth, curl, confine, slope, pull;
  std::int32_t (*find)(const Candidates<T>&, const T (&place)[3], T reach2, std::int32_t* out);
};

}  // namespace limber
