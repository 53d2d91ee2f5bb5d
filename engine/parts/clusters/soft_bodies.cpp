#include "engine/parts/clusters/soft_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include "engine/constraints/shape_matching.hpp"
#include "engine/geometry/nearest_rotation.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/simd/row.hpp"
#include "engine/state/soft_material.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// The last step, which is exact for smooth displacements, may leave this share of the roughest ones.
constexpr double roughest_left = 0.5;

/// Smallest eigenvalue over the largest of the range in which most_steps steps reduce errors, if they are too
/// few for all eigenvalues: T_40((1 + q) / (1 - q)) = 4, so that they leave at most a quarter. An iteration
/// that starts from the prediction and leaves the share r of a stiff mode's error makes of two positions
/// x' = r (2 x - x_before), which grows from substep to substep unless -1/3 < r < 1.
constexpr double widest_range = 6.65e-4;

struct LameParameters {
  double mu, lambda;  ///< Pa
};
LameParameters soft_lame_of(const SoftLaw& law) {
  const double e = double(law.young), nu = double(law.poisson);
  return {e / (2.0 * (1.0 + nu)), e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))};
}

Row<real> row_of(const vec3& v) { return {v.x, v.y, v.z, real(0)}; }
Row<real> row_at(const vec4& v) { return Row<real>::load(&v.x); }
vec3 vector_of(const Row<real>& row) {
  vec4 out;
  row.store(&out.x);
  return vec3(out);
}

mat3 dyad(const vec3& a, const vec3& b) { return {a * b.x, a * b.y, a * b.z}; }

Vec3<Lanes<real, 1>> single(const vec3& v) { return {v.x, v.y, v.z}; }

vec3 torque_about(const mat3& r, const mat3& a) {
  return glm::cross(r[0], a[0]) + glm::cross(r[1], a[1]) + glm::cross(r[2], a[2]);
}

/// The quaternion of the rotation nearest to `a`, by Newton's method from q0. `torque`: torque of `a`
/// relative to q0, computed without cancellation.
vec4 turned_to(const mat3& a, const vec4& q0, vec3 torque) {
  constexpr int steps = 8;
  const real settled = real(sizeof(real) == 8 ? 1e-9 : 1e-4);
  const real norm = std::sqrt(glm::dot(a[0], a[0]) + glm::dot(a[1], a[1]) + glm::dot(a[2], a[2]));
  if (!(norm > real(0))) return q0;
  vec4 q = q0;
  const Vec3<Lanes<real, 1>> columns[3] = {single(a[0]), single(a[1]), single(a[2])};
  for (int i = 0; i < steps; ++i) {
    const mat3 r = rotation_of(q);
    const Rotation<Lanes<real, 1>> rotation{{single(r[0]), single(r[1]), single(r[2])}};
    const RotationStep<Lanes<real, 1>> step =
        rotation_step(rotation, columns, single(torque), Lanes<real, 1>(norm));
    if (!(step.good.v > real(0))) return vec4(nearest_rotation(glm::dmat3(a)));
    const vec3 w(step.w.x.v, step.w.y.v, step.w.z.v);
    const vec3 half = real(0.5) * w;
    vec4 next(q.x + (half.x * q.w + half.y * q.z - half.z * q.y),
              q.y + (half.y * q.w + half.z * q.x - half.x * q.z),
              q.z + (half.z * q.w + half.x * q.y - half.y * q.x),
              q.w - (half.x * q.x + half.y * q.y + half.z * q.z));
    q = next / std::sqrt(glm::dot(next, next));
    if (glm::dot(w, w) < settled * settled) return q;
    torque = torque_about(rotation_of(q), a);
  }
  return vec4(nearest_rotation(glm::dmat3(a)));
}

/// Chebyshev's iteration for eigenvalues in [low, high]: its steps are 2 / (low + high), and its recurrence
/// has rho = (high - low) / (high + low).
struct EigenvalueRange {
  double low, high;
  double rho() const { return (high - low) / (high + low); }
};
/// The eigenvalues lie between 1 and 1 + s. If most_steps steps are too few for all of them, the range begins
/// at widest_range: smoother errors, whose eigenvalues are below the range, keep their sign and are reduced
/// less.
EigenvalueRange range_of(double s, int steps) {
  static_assert(SoftBodies::most_steps == 40, "widest_range depends on it");
  const double high = 1.0 + s;
  return {steps < SoftBodies::most_steps ? 1.0 : std::max(1.0, widest_range * high), high};
}

/// The cube root of x by Newton's method from 1: the same bits on every machine.
real third_root(real x) {
  real root = 1;
  for (int i = 0; i < 8; ++i) root -= (root * root * root - x) / (3 * root * root);
  return root;
}

}  // namespace

bool SoftBodies::flows(const World& world) {
  return std::any_of(world.matter.soft.laws.begin(), world.matter.soft.laws.end(),
                     [](const SoftLaw& law) { return law.yield > real(0) && law.creep > real(0); });
}

int SoftBodies::steps_for(double s) {
  if (s <= roughest_left) return 1;
  // T_n(1 + 2/s) >= s / roughest_left
  const double x = 1.0 + 2.0 / s;
  const double n = std::acosh(std::max(1.0, s / roughest_left)) / std::acosh(x);
  return std::min(most_steps, 1 + int(std::ceil(n)));
}

void SoftBodies::reserve(const World& world) {
  const SoftMatter& matter = world.topology->matter.soft;
  pulls_.assign(matter.clusters(), {});
  bends_.assign(world.matter.soft.modes.empty() ? 0 : quadratic_modes * matter.clusters(), vec4(0));
  pushed_.assign(matter.member_particle.size(), vec4(0));
  last_.assign(matter.member_particle.size(), vec4(0));
  stiffness_.assign(matter.solids.size(), 0.0);
  steps_.assign(matter.solids.size(), 1);
}

double SoftBodies::stiffest(const World& world, std::size_t solid, double h) const {
  const SoftMatter& matter = world.topology->matter.soft;
  const SoftSolid& body = matter.solids[solid];
  if (!(world.matter.soft.laws[solid].young > real(0))) return 0.0;
  double most = 0.0;
  for (std::int32_t c = body.first_cluster; c < body.first_cluster + body.clusters; ++c) {
    const SoftCluster& cluster = world.matter.soft.clusters[std::size_t(c)];
    const SoftLaw law = law_of_cluster(world, std::size_t(c));
    const LameParameters lame = soft_lame_of(law);
    const double volume = double(volume_of_cluster(world, std::size_t(c)));
    const vec3& spread = cluster.moment.diagonal;
    const double trace = double(spread.x) + double(spread.y) + double(spread.z);
    most = std::max(most, volume * ((2.0 * lame.mu + 3.0 * lame.lambda) * double(cluster.stiffest) *
                                        (1.0 + double(law.damping) / h) +
                                    double(cluster.bending) * 3.0 * double(law.young) / trace));
  }
  return h * h * most;
}

void SoftBodies::begin_substep(const Team& team) {
  const Share mine = team.share(std::int64_t(pushed_.size()));
  std::fill(pushed_.begin() + mine.begin, pushed_.begin() + mine.end, vec4(0));
}

SoftBodies::Fit SoftBodies::fit(World& world, std::size_t c) const {
  const SoftMatter& matter = world.topology->matter.soft;
  SoftCluster& cluster = world.matter.soft.clusters[c];
  const Particles& particles = world.particles;
  const vec4* rest = rest_of(matter, world.matter.soft).data();
  const std::int32_t begin = matter.cluster_entry[c], end = matter.cluster_entry[c + 1];
  Fit out;
  out.r0 = rotation_of(cluster.rotation);
  const std::size_t first = std::size_t(matter.entry_particle[std::size_t(begin)]);
  out.middle = vec3(particles.origin[first]) - out.r0 * vec3(rest[begin]);
  out.carried = vec3(particles.moved[first]);
  const Row<real> middle = row_of(out.middle), carried = row_of(out.carried), r0x = row_of(out.r0[0]),
                  r0y = row_of(out.r0[1]), r0z = row_of(out.r0[2]);
  Row<real> sum(real(0)), along[3] = {sum, sum, sum};
  for (std::int32_t e = begin; e < end; ++e) {
    const std::size_t i = std::size_t(matter.entry_particle[std::size_t(e)]);
    const vec4& rest_row = rest[e];
    const Row<real> x(rest_row.x), y(rest_row.y), z(rest_row.z);
    const Row<real> d = ((row_at(particles.origin[i]) - middle) - (r0x * x + r0y * y + r0z * z)) +
                        (row_at(particles.moved[i]) - carried);
    const Row<real> wd = Row<real>(rest_row.w) * d;
    sum = sum + wd;
    along[0] = along[0] + wd * x, along[1] = along[1] + wd * y, along[2] = along[2] + wd * z;
  }
  out.center = vector_of(sum) / matter.cluster_mass[c];
  const mat3 strayed(vector_of(along[0]), vector_of(along[1]), vector_of(along[2]));
  const mat3 inverse = cluster.inverse.matrix();
  const mat3 more = strayed * inverse;
  const real young = world.matter.soft.laws[std::size_t(matter.cluster_solid[c])].young;
  const bool flat = cluster.flat != real(0);
  if (young > real(0) && !flat) {
    cluster.rotation = turned_to(out.r0 + more, cluster.rotation, torque_about(out.r0, more));
  } else {
    const mat3 moment = cluster.moment.matrix();
    cluster.rotation = turned_to(out.r0 * moment + strayed, cluster.rotation, torque_about(out.r0, strayed));
  }
  out.r = rotation_of(cluster.rotation);
  out.f = out.r0 + more;
  if (flat) {  // perpendicular to the flat rest shape, the cluster rotates rigidly
    const mat3 seen = cluster.moment.matrix() * inverse;
    out.f = out.f * seen + out.r * (mat3(1) - seen);
  }
  return out;
}

/// Computes the goal of a cluster for its particles.
void SoftBodies::pull(World& world, std::size_t c, real h) {
  const SoftMatter& matter = world.topology->matter.soft;
  if (!(matter.cluster_mass[c] > real(0))) return;  // all particles have left
  const SoftLaw law = law_of_cluster(world, c);
  const Fit now = fit(world, c);
  Pull& out = pulls_[c];
  out.middle = vec4(now.middle, real(0)), out.carried = vec4(now.carried, real(0));
  out.center = vec4(now.center, real(0));
  if (!(law.young > real(0))) {
    out.hold = 1;
    out.set_own(now.r);
    // F without the factor det(F)^(-1/3) of Mueller et al. 2005: it widens a flattened cluster beyond its
    // deformation, which drives the cluster apart.
    if (law.linear > real(0)) out.set_own((1 - law.linear) * now.r + law.linear * now.f);
    if (!bends_.empty()) bend(world, c, now, law.quadratic);
    return;
  }
  const SoftCluster& cluster = world.matter.soft.clusters[c];
  const mat3 inverse = cluster.inverse.matrix(), back = glm::transpose(now.r);
  mat3 strain = back * ((now.r0 - now.r) + (now.f - now.r0));
  if (law.damping > real(0)) {
    const Particles& particles = world.particles;
    const vec4* rest = rest_of(matter, world.matter.soft).data();
    mat3 gone(0);
    for (std::int32_t e = matter.cluster_entry[c]; e < matter.cluster_entry[c + 1]; ++e) {
      const std::size_t i = std::size_t(matter.entry_particle[std::size_t(e)]);
      gone += dyad(rest[e].w * (vec3(particles.moved[i]) - vec3(particles.moved_before[i])), vec3(rest[e]));
    }
    strain += (law.damping / h) * (back * gone * inverse);
  }
  strain = real(0.5) * (strain + glm::transpose(strain));
  const LameParameters lame = soft_lame_of(law);
  const real volume = volume_of_cluster(world, c);
  const real trace = strain[0][0] + strain[1][1] + strain[2][2];
  const mat3 stress = now.r * (real(2.0 * lame.mu) * strain + mat3(real(lame.lambda) * trace));
  const vec3& spread = cluster.moment.diagonal;
  out.hold = h * h * cluster.bending * 3 * law.young * volume / (spread.x + spread.y + spread.z);
  out.set_own(out.hold * now.f - (h * h * volume) * (stress * inverse));
}

/// Computes the share `gamma` of the quadratic deformation of a cluster.
void SoftBodies::bend(const World& world, std::size_t c, const Fit& now, real gamma) {
  const SoftMatter& matter = world.topology->matter.soft;
  const Particles& particles = world.particles;
  vec4* const out = &bends_[quadratic_modes * c];
  std::fill(out, out + quadratic_modes, vec4(0));
  if (!(gamma > real(0))) return;
  for (std::int32_t e = matter.cluster_entry[c]; e < matter.cluster_entry[c + 1]; ++e) {
    const std::size_t i = std::size_t(matter.entry_particle[std::size_t(e)]);
    const vec3 x = (vec3(particles.origin[i]) - now.middle) + (vec3(particles.moved[i]) - now.carried);
    const vec4* const modes = &world.matter.soft.modes[2 * std::size_t(e)];
    const real w = gamma * rest_of(matter, world.matter.soft)[std::size_t(e)].w;
    for (int a = 0; a < quadratic_modes; ++a)
      out[a] += vec4(w * modes[a / 4][a % 4] * (x - now.center), real(0));
  }
}

/// Moves a particle by `share` of its distance to the mean goal of its clusters, and by `again` of its last
/// step.
void SoftBodies::move(World& world, std::size_t member, real share, real again) {
  const SoftMatter& matter = world.topology->matter.soft;
  Particles& particles = world.particles;
  const std::size_t i = std::size_t(matter.member_particle[member]);
  vec4& moved = particles.moved[i];
  if (!(moved.w > real(0))) {
    last_[member] = vec4(0);
    return;
  }
  const vec4* rest = rest_of(matter, world.matter.soft).data();
  const Row<real> origin = row_at(particles.origin[i]), at = row_at(moved);
  Row<real> sum(real(0));
  const std::int32_t begin = matter.member_entry[member], end = matter.member_entry[member + 1];
  std::int32_t asked = 0;
  for (std::int32_t k = begin; k < end; ++k) {
    const std::size_t e = std::size_t(matter.member_entries[std::size_t(k)]);
    const vec4& q = rest[e];
    if (!(q.w > real(0))) continue;  // the particle has left this cluster
    ++asked;
    const Pull& pull = pulls_[std::size_t(matter.entry_cluster[e])];
    const Row<real> x = (origin - row_at(pull.middle)) + (at - row_at(pull.carried));
    sum = sum + ((row_at(pull.own[0]) * Row<real>(q.x) + row_at(pull.own[1]) * Row<real>(q.y) +
                  row_at(pull.own[2]) * Row<real>(q.z)) +
                 Row<real>(pull.hold) * (row_at(pull.center) - x));
    if (bends_.empty()) continue;
    const vec4* const modes = &world.matter.soft.modes[2 * e];
    const vec4* const bends = &bends_[quadratic_modes * std::size_t(matter.entry_cluster[e])];
    for (int a = 0; a < quadratic_modes; ++a) sum = sum + Row<real>(modes[a / 4][a % 4]) * row_at(bends[a]);
  }
  if (asked == 0) return;
  const bool elastic = world.matter.soft.laws[std::size_t(matter.member_solid[member])].young > real(0);
  vec3 step = vector_of(sum) / real(asked);
  if (elastic) step -= vec3(pushed_[member]);
  step = share * step + again * vec3(last_[member]);
  moved += vec4(step, real(0));
  if (!elastic) return;
  pushed_[member] += vec4(step, real(0));
  last_[member] = vec4(step, real(0));
}

void SoftBodies::project(World& world, real h, Team& team) {
  const SoftMatter& matter = world.topology->matter.soft;
  if (team.rank() == 0)
    for (std::size_t s = 0; s < matter.solids.size(); ++s) {
      stiffness_[s] = stiffest(world, s, double(h));
      steps_[s] = steps_for(stiffness_[s]);
    }
  const Share members = team.share(std::int64_t(matter.member_particle.size()));
  const Share clusters = team.share(std::int64_t(matter.clusters()));
  team.barrier();
  const int most = *std::max_element(steps_.begin(), steps_.end());
  for (int k = 1; k <= most; ++k) {
    if (k > 1) team.barrier();
    tell_visit(Visited::soft_clusters, k, 0, clusters.begin, clusters.end);
    for (std::int64_t c = clusters.begin; c < clusters.end; ++c)
      if (k <= steps_[std::size_t(matter.cluster_solid[std::size_t(c)])]) pull(world, std::size_t(c), h);
    team.barrier();
    std::size_t solid = matter.solids.size();
    real share = 0, again = 0;
    for (std::int64_t m = members.begin; m < members.end; ++m) {
      if (const std::size_t own = std::size_t(matter.member_solid[std::size_t(m)]); own != solid) {
        solid = own;
        share = 1, again = 0;
        const SoftLaw& law = world.matter.soft.laws[solid];
        const int steps = steps_[solid];
        // At most_steps there is no room for the last step, which leaves rough displacements.
        const int ordinary = steps < most_steps ? steps - 1 : steps;
        if (!(law.young > real(0))) {
          share = law.stiffness;
        } else if (k <= ordinary) {
          const EigenvalueRange range = range_of(stiffness_[solid], steps);
          const double rho = range.rho();
          double omega = 1.0;
          for (int j = 1; j < k; ++j) omega = 1.0 / (1.0 - rho * rho * (j == 1 ? 0.5 : 0.25 * omega));
          share = real(omega * 2.0 / (range.low + range.high)), again = real(omega - 1.0);
        }
      }
      if (k <= steps_[solid]) move(world, std::size_t(m), share, again);
    }
  }
}

/// Adds the part of a cluster's deformation beyond yield, at the rate `creep`, to its rest positions.
void SoftBodies::flow_cluster(World& world, std::size_t c, real h) const {
  const SoftMatter& matter = world.topology->matter.soft;
  SoftState& state = world.matter.soft;
  const SoftLaw& law = state.laws[std::size_t(matter.cluster_solid[c])];
  if (!(law.yield > real(0)) || !(law.creep > real(0)) || !(matter.cluster_mass[c] > real(0))) return;
  SoftCluster& cluster = state.clusters[c];
  const Fit now = fit(world, c);
  const mat3 back = glm::transpose(now.r);
  const std::int32_t begin = matter.cluster_entry[c], end = matter.cluster_entry[c + 1];
  const Particles& particles = world.particles;
  const auto strange = [&](std::int32_t e) {
    const std::size_t i = std::size_t(matter.entry_particle[std::size_t(e)]);
    const vec3 x = (vec3(particles.origin[i]) - now.middle) + (vec3(particles.moved[i]) - now.carried);
    return back * (x - now.center) - vec3(state.rest[std::size_t(e)]);
  };
  real all = 0, sum = 0;
  for (std::int32_t e = begin; e < end; ++e) {
    const vec4& q = matter.entry_rest[std::size_t(e)];
    const vec3 d = strange(e);
    sum += q.w * glm::dot(d, d), all += q.w * glm::dot(vec3(q), vec3(q));
  }
  // For a cube stretched along one side by the strain e, sum / all = e^2 / 3.
  const real strain = std::sqrt(3 * sum / all), yield = law.yield + law.hardening * cluster.flowed;
  if (!(strain > yield)) return;
  const real share = (1 - yield / strain) * (h * law.creep / (1 + h * law.creep));
  real gone = 0;
  mat3 shape(0);
  for (std::int32_t e = begin; e < end; ++e) {
    vec4& q = state.rest[std::size_t(e)];
    const vec4& q0 = matter.entry_rest[std::size_t(e)];
    q += vec4(share * strange(e), real(0));
    const vec3 d = vec3(q) - vec3(q0);
    gone += q0.w * glm::dot(d, d);
    shape += dyad(q0.w * vec3(q), vec3(q0));
  }
  const real plastic = std::sqrt(3 * gone / all);
  const real kept = plastic > law.most_plastic ? law.most_plastic / plastic : real(1);
  SoftCluster start;
  take_moment(&matter.entry_rest[std::size_t(begin)], end - begin, start);
  real scale = 1;
  if (start.flat == real(0)) {  // plastic flow keeps the volume
    const mat3 f = kept * (shape * start.inverse.matrix()) + mat3(1 - kept);
    const real volume = glm::dot(glm::cross(f[0], f[1]), f[2]);
    scale = 1 / third_root(std::max(volume, real(0.1)));
  }
  for (std::int32_t e = begin; e < end; ++e) {
    vec4& q = state.rest[std::size_t(e)];
    const vec3 q0(matter.entry_rest[std::size_t(e)]);
    q = vec4(scale * (q0 + kept * (vec3(q) - q0)), q.w);
  }
  cluster.flowed += share * strain;
  take_moment(&state.rest[std::size_t(begin)], end - begin, cluster);
  retake_modes(matter, state, c);
}

void SoftBodies::flow(World& world, real h, Team& team) {
  const Share clusters = team.share(std::int64_t(world.topology->matter.soft.clusters()));
  for (std::int64_t c = clusters.begin; c < clusters.end; ++c) flow_cluster(world, std::size_t(c), h);
}

}}  // namespace limber::LIMBER_PRECISION
