// Kernels of fluids against worked numbers: density, multipliers, displacements, viscosity, vorticity,
// cohesion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/particles/neighbour_lists.hpp"
#include "engine/contact/solid_share.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/parallel/random.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace fluid_kernels_test {
namespace {

using One = Lanes<real, 1>;
constexpr bool in_float = sizeof(real) == 4;

/// Particles in a row for the kernels, all of them neighbours of all.
struct Cloud {
  AlignedVector<vec4> points, pressed, moved, push, velocity, matter, curl, slope, gained;
  AlignedVector<real> wall, fluid, density, lambda;
  AlignedVector<std::int32_t> neighbours;
  std::vector<std::int32_t> columns;
  FluidView<real> view{};
  std::size_t count;

  Cloud(const std::vector<glm::dvec3>& places, double mass, double rest_density, double support)
      : count(places.size()) {
    const std::size_t slices = (count + lane_group - 1) / lane_group, all = slices * lane_group;
    const vec4 far(real(1e15), real(1e15), real(1e15), 0);
    for (auto* rows : {&points, &pressed}) rows->assign(all + 1, far);
    for (auto* rows : {&moved, &push, &velocity, &curl, &slope, &gained}) rows->assign(all + 1, vec4(0));
    matter.assign(all + 1, vec4(1, 0, 0, 0));
    moved.back() = vec4(0, 0, 0, 1);
    for (auto* numbers : {&wall, &density, &lambda}) numbers->assign(all, real(0));
    fluid.assign(all, real(1));
    for (std::size_t i = 0; i < count; ++i) {
      points[i] = vec4(vec3(places[i]), real(1 / mass));
      matter[i] = vec4(real(rest_density), 0, 0, real(mass));
      moved[i].w = 1;
    }
    columns.assign(slices, std::int32_t(count));
    neighbours.assign(slices * count * lane_group, std::int32_t(all));
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < count; ++k)
        neighbours[(i / lane_group * count + k) * lane_group + i % lane_group] = std::int32_t(k);
    view.near = {neighbours.data(), columns.data(), std::int64_t(count) * lane_group};
    view.kernel = FluidKernel<real>::make(support, mass / rest_density);
    view.points = flat(points), view.pressed = flat(pressed), view.moved = flat(moved);
    view.velocity = flat(velocity), view.matter = flat(matter), view.curl = flat(curl);
    view.slope = flat(slope), view.gained = flat(gained);
    view.wall = wall.data(), view.push = flat(push), view.fluid = fluid.data(), view.density = density.data();
    view.lambda = lambda.data();
    view.relaxation = 1, view.most = 100, view.h = real(1), view.inverse_spread = 1, view.spread_power = 4;
    view.least_C = -1;
  }

  void run(FluidKernels<real>::Pass pass) const { pass(view, 0, std::int64_t(wall.size())); }
};

const FluidKernels<real>& kernels() { return reference_kernels().fluid; }

std::vector<vec3> vectors_of(const AlignedVector<vec4>& rows, std::size_t count) {
  std::vector<vec3> out;
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(rows[i]);
  return out;
}

TEST(FluidKernels, AreThoseOfThePaper) {
  const test::VectorCase c = test::vector_case("kernels_h0.1");
  const auto kernel = FluidKernel<real>::make(0.1, 1.0);
  const auto w = [&](double r) { return poly6(kernel, One(real(r * r))).v; };
  EXPECT_TRUE(test::matches<real>(c, "W0", w(0.0)));
  EXPECT_TRUE(test::matches<real>(c, "W_0_03", w(0.03)));
  EXPECT_TRUE(test::matches<real>(c, "W_0_05", w(0.05)));
  EXPECT_EQ(w(0.11), real(0));
  const auto gradient = [&](const vec3& u) {
    const real r = glm::length(u);
    return -spiky_slope(kernel, One(r)).v / r * u;
  };
  EXPECT_TRUE(test::matches<real>(c, "gradspiky_u_005_0_0", gradient(vec3(real(0.05), 0, 0))));
  EXPECT_TRUE(test::matches<real>(c, "gradspiky_u_003_m002_004",
                                  gradient(vec3(real(0.03), real(-0.02), real(0.04)))));
  EXPECT_EQ(spiky_slope(kernel, One(real(0.11))).v, real(0));
}

TEST(FluidKernels, CohesionIsAkincis) {
  const test::VectorCase c = test::vector_case("akinci_cohesion_kernel");
  const auto kernel = FluidKernel<real>::make(1.0, 1.0);
  for (const double r : {0.1, 0.2, 0.25, 0.4, 0.5, 0.7, 0.9, 1.0}) {
    char key[16];
    std::snprintf(key, sizeof key, "r=%g", r);
    EXPECT_TRUE(test::matches<real>(c, key, cohesion(kernel, One(real(r))).v)) << key;
  }
}

/// Against the integral of poly6 over the half space by a fine sum, and its limits.
TEST(FluidKernels, HalfSpaceFillsItsShare) {
  EXPECT_NEAR(share_behind_plane(2.0, 2.5), 0.0, 1e-15);
  EXPECT_NEAR(share_behind_plane(2.0, 2.0), 0.0, 1e-15);
  EXPECT_NEAR(share_behind_plane(2.0, 0.0), 0.5, 1e-15);
  EXPECT_NEAR(share_behind_plane(2.0, -2.0), 1.0, 1e-15);
  const double H = 0.1, d = 0.03, step = 1e-5;
  double sum = 0.0;
  for (double z = d + 0.5 * step; z < H; z += step)
    sum += step * 315.0 / 256.0 / std::pow(H, 9.0) * std::pow(H * H - z * z, 4.0);
  EXPECT_NEAR(share_behind_plane(H, d), sum, 1e-7);
}

/// Compared with the integral of spiky over the plane and over all distances: the push of a fluid of one
/// pressure on a wall.
TEST(FluidKernels, APlaneIsPushedWithHalfOfThePressure) {
  const double H = 0.1, d = 0.03, step = 1e-5;
  const auto kernel = FluidKernel<double>::make(H, 1.0);
  double plane = 0.0, half = 0.0;
  for (double r = d + 0.5 * step; r < H; r += step)  // W = (H - r)^3 of the slope's constant over 3
    plane += step * 2.0 * kernel.pi * r * kernel.spiky / 3.0 * std::pow(H - r, 3.0);
  EXPECT_NEAR(slope_before_plane(H, d), plane, 1e-6 * plane);
  for (double z = 0.5 * step; z < H; z += step) half += step * slope_before_plane(H, z);
  EXPECT_NEAR(half, 0.5, 1e-6);
  EXPECT_EQ(slope_before_plane(H, H), 0.0);
  EXPECT_EQ(slope_before_plane(H, -0.01), slope_before_plane(H, 0.0));
}

/// On the wall the plain share, so that a fluid at rest has its rest density; the slope there carries nearly
/// all of the pressure. The slope is the derivative of the share as closely as spiky is that of poly6.
TEST(FluidKernels, AWallCarriesThePressureOfTheLayerOnIt) {
  const double H = 0.1, r = H / fluid_support_radii, step = 1e-6;
  EXPECT_NEAR(share_before_wall(H, r), share_behind_plane(H, r), 1e-15);
  EXPECT_NEAR(share_before_wall(H, H), 0.0, 1e-15);
  EXPECT_EQ(slope_before_wall(H, H), 0.0);
  EXPECT_NEAR(2.0 * r * slope_before_wall(H, r), 0.949, 0.001);
  for (const double d : {0.8 * r, r, 1.5 * r}) {
    const double fall = (share_before_wall(H, d - step) - share_before_wall(H, d + step)) / (2.0 * step);
    EXPECT_NEAR(slope_before_wall(H, d) / fall, 1.0, 0.2) << d;
  }
}

/// dp = -w dl grad wall for a single particle, and the weight of walls in dl.
TEST(FluidKernels, AWallPushesAlongItsGradient) {
  Cloud cloud({glm::dvec3(0.0)}, 0.5, 1000.0, 0.1);
  const double slope = 3.0, give = 4.0;
  cloud.push[0] = vec4(0, real(slope), 0, real(give));
  cloud.wall[0] = real(1);
  cloud.run(kernels().press);
  const double C = double(cloud.density[0]) - 1.0, w = 2.0;
  ASSERT_GT(C, 0.0);
  const double dl = C / (w * slope * slope + give);
  EXPECT_NEAR(double(cloud.pressed[0].w), dl, in_float ? 1e-6 * dl : 1e-14 * dl);
  cloud.run(kernels().move);
  EXPECT_NEAR(double(cloud.moved[0].y), w * dl * slope, (in_float ? 1e-6 : 1e-14) * w * dl * slope);
  EXPECT_EQ(cloud.moved[0].x, real(0));
}

std::vector<glm::dvec3> lattice() {
  std::vector<glm::dvec3> places;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) places.push_back(0.05 * glm::dvec3(x, y, z));
  return places;
}
constexpr std::size_t lattice_center = 62, lattice_corner = 0;

TEST(FluidKernels, DensityOfALattice) {
  const test::VectorCase c = test::vector_case("pbf_lattice_density");
  Cloud cloud(lattice(), 0.125, 1000.0, 0.1);
  std::fill(cloud.lambda.begin(), cloud.lambda.end(), real(1));  // or nothing would be seen of C < 0
  cloud.run(kernels().press);
  EXPECT_TRUE(test::matches<real>(c, "rho_center", 1000 * cloud.density[lattice_center]));
  EXPECT_TRUE(test::matches<real>(c, "rho_corner", 1000 * cloud.density[lattice_corner]));
  // of unit weights: l is -lambda over the inverse mass
  const real step = cloud.pressed[lattice_center].w;
  EXPECT_NEAR(double(step), -c.expected["lambda_center_eps0"].get<double>() * 0.125,
              in_float ? 2e-4 * 8.2e-6 + 2e-7 : 1e-13);
}

/// n = H sum V grad W: none within, from the surface inwards at a corner. The engine's gradient is spiky's,
/// the case's poly6's: their directions agree by symmetry, their lengths do not.
TEST(FluidKernels, SurfaceNormalsPointInwards) {
  const test::VectorCase c = test::vector_case("surface_normal_field");
  Cloud cloud(lattice(), 0.125, 1000.0, 0.1);
  cloud.run(kernels().slope);
  EXPECT_LT(glm::length(vec3(cloud.slope[lattice_center])), in_float ? real(1e-5) : real(1e-12));
  const vec3 at_corner(cloud.slope[lattice_corner]);
  EXPECT_TRUE(test::matches<real>(c, "corner_position", vec3(cloud.points[lattice_corner])));
  const vec3 wanted = test::to_vec3<real>(c.expected["n_corner_0"]);
  EXPECT_LT(glm::distance(glm::normalize(at_corner), glm::normalize(wanted)), real(1e-5));
}

void expect_case(const char* key, double eps, double spread) {
  const test::VectorCase c = test::vector_case("pbf_five_particles");
  const std::vector<glm::dvec3> places = test::to_vec3s<double>(c.inputs["p"]);
  const double mass = c.inputs["m"];
  Cloud cloud(places, mass, c.inputs["rho0"], c.inputs["h"]);
  cloud.view.eps = real(eps);
  cloud.view.spread = real(spread * mass);
  cloud.view.inverse_spread = 1 / poly6(cloud.view.kernel, One(real(0.02 * 0.02))).v;
  cloud.run(kernels().press);
  std::vector<real> lambdas;
  for (std::size_t i = 0; i < 5; ++i) lambdas.push_back(-cloud.lambda[i] / real(mass));
  EXPECT_TRUE(test::matches<real>(c, c.expected[key]["lam"], lambdas)) << key;
  cloud.run(kernels().move);
  EXPECT_TRUE(test::matches<real>(c, c.expected[key]["dp"], vectors_of(cloud.moved, 5))) << key;
}

TEST(FluidKernels, FiveParticles) {
  expect_case("spiky_eps0", 0.0, 0.0);
  expect_case("spiky_eps100", 100.0, 0.0);
  expect_case("spiky_eps100_scorr", 100.0, 1e-4);
}

/// The two-sided law also corrects too low densities: both particles attract with the force that repels them
/// at a C of the opposite sign.
TEST(FluidKernels, TheTwoSidedLawPulls) {
  Cloud cloud({{0, 0, 0}, {0.05, 0, 0}}, 0.125, 1000.0, 0.1);
  cloud.view.least = -std::numeric_limits<real>::infinity();
  cloud.run(kernels().press);
  EXPECT_LT(cloud.lambda[0], real(0));
  EXPECT_EQ(cloud.lambda[0], cloud.lambda[1]);
  cloud.run(kernels().move);
  EXPECT_GT(cloud.moved[0].x, real(0));
  EXPECT_LT(cloud.moved[1].x, real(0));
}

/// s_corr of two particles at the distance r, without pressure: dp = w V spread (W(r) / W(dq))^n |grad W|.
TEST(FluidKernels, ArtificialPressureHasItsExponent) {
  for (int n = 1; n <= 8; ++n) {
    Cloud cloud({{0, 0, 0}, {0.05, 0, 0}}, 0.125, 1000.0, 0.1);
    cloud.view.spread = real(1e-6), cloud.view.spread_power = n;
    cloud.view.inverse_spread = real(2) / poly6(cloud.view.kernel, One(real(0.05 * 0.05))).v;
    for (std::size_t i = 0; i < 2; ++i) cloud.pressed[i] = vec4(vec3(cloud.points[i]), 0);
    cloud.run(kernels().move);
    const double slope = double(spiky_slope(cloud.view.kernel, One(real(0.05))).v);
    const double wanted = 1.25e-4 * 1e-6 * std::pow(2.0, n) * slope * double(cloud.points[0].w);
    EXPECT_NEAR(double(cloud.moved[1].x), wanted, (in_float ? 1e-5 : 1e-12) * wanted) << n;
    EXPECT_EQ(cloud.moved[0].x, -cloud.moved[1].x) << n;
  }
}

/// A multiplier never pulls, and is given back when the density falls.
TEST(FluidKernels, PressureOnlyPushes) {
  Cloud cloud({{0, 0, 0}, {0.05, 0, 0}}, 0.125, 1000.0, 0.1);
  cloud.run(kernels().press);
  EXPECT_EQ(cloud.lambda[0], real(0));
  EXPECT_EQ(cloud.pressed[0].w, real(0));
  cloud.lambda[0] = cloud.lambda[1] = real(1e-4);
  cloud.run(kernels().press);
  EXPECT_EQ(cloud.lambda[0], real(0));
  EXPECT_EQ(cloud.pressed[0].w, -real(1e-4));
}

TEST(FluidKernels, XsphOfFiveParticles) {
  const test::VectorCase c = test::vector_case("xsph_viscosity");
  const test::VectorCase five = test::vector_case("pbf_five_particles");
  Cloud cloud(test::to_vec3s<double>(five.inputs["p"]), five.inputs["m"], five.inputs["rho0"],
              five.inputs["h"]);
  const std::vector<vec3> v = test::to_vec3s<real>(c.inputs["v"]);
  for (std::size_t i = 0; i < 5; ++i) {
    cloud.velocity[i] = vec4(v[i], c.inputs["c"].get<real>());
    cloud.matter[i].x = five.expected["rho"][i].get<real>();
  }
  cloud.run(kernels().weigh);
  cloud.run(kernels().calm);
  std::vector<vec3> now;
  for (std::size_t i = 0; i < 5; ++i) now.push_back(v[i] + vec3(cloud.gained[i]));
  EXPECT_TRUE(test::matches<real>(c, "v_new", now));
}

TEST(FluidKernels, CurlOfARigidRotation) {
  const test::VectorCase c = test::vector_case("vorticity_rigid_rotation");
  Cloud cloud(lattice(), 0.125, 1000.0, 0.1);
  const vec3 omega = test::to_vec3<real>(c.inputs["Omega"]);
  for (std::size_t i = 0; i < cloud.count; ++i)
    cloud.velocity[i] = vec4(glm::cross(omega, vec3(cloud.points[i])), 0);
  cloud.matter[lattice_center].x =
      test::vector_case("pbf_lattice_density").expected["rho_center"].get<real>();
  cloud.run(kernels().curl);
  EXPECT_TRUE(test::matches<real>(c, "omega_spiky", vec3(cloud.curl[lattice_center])));
}

/// In the shear flow v_x = y^2, viscosity mu accelerates a particle by 2 mu / rho (Navier and Stokes). The
/// sum over a lattice of this spacing gives 93 % of this value.
TEST(FluidKernels, ViscosityIsThatOfNavierAndStokes) {
  const double mu = 3.0, rho = 1000.0;
  Cloud cloud(lattice(), 0.125, rho, 0.1);
  for (std::size_t i = 0; i < cloud.count; ++i) {
    cloud.velocity[i].x = cloud.points[i].y * cloud.points[i].y;
    cloud.matter[i].y = real(mu);
  }
  cloud.view.h = real(1e-3);
  cloud.run(kernels().weigh);
  cloud.run(kernels().calm);
  EXPECT_NEAR(double(cloud.gained[lattice_center].x) / (1e-3 * 2.0 * mu / rho), 0.9296, 2e-3);
}

/// If |omega| grows along x and omega is along z, the confinement is h epsilon H |omega| along x cross z,
/// against y: it speeds up the whirl.
TEST(FluidKernels, ConfinementFeedsTheWhirl) {
  Cloud cloud(lattice(), 0.125, 1000.0, 0.1);
  const double strength = 0.4, h = 0.01;  // m, s
  const AlignedVector<real> vorticity(cloud.wall.size(), real(strength));
  cloud.view.vorticity = vorticity.data(), cloud.view.h = real(h);
  for (std::size_t i = 0; i < cloud.count; ++i) {
    const real turn = 5 + cloud.points[i].x;
    cloud.curl[i] = vec4(0, 0, turn, turn);
  }
  cloud.run(kernels().confine);
  const vec3 gained(cloud.gained[lattice_center]);
  EXPECT_NEAR(double(gained.y), -h * strength * 5.0, in_float ? 1e-8 : 1e-15);
  EXPECT_NEAR(double(gained.x), 0.0, in_float ? 1e-6 : 1e-15);
  EXPECT_EQ(gained.z, real(0));
}

/// F = -sigma H K (V C(r) u/r + 0.03 V / H^3 (n_i - n_j)) after Akinci et al. 2013, of two particles, with
/// the lesser sigma of the two, K = 2 (rho_0i + rho_0j) / (rho_i + rho_j) and n = H V grad W.
TEST(FluidKernels, SurfaceTensionOfTwoParticlesIsAkincis) {
  const double H = 0.1, rho = 1000.0, mass = 0.125, V = mass / rho, h = 0.01, sigma = 2.0,
               pi = std::acos(-1.0);
  for (const double r : {0.03, 0.05, 0.08}) {
    Cloud cloud({{0, 0, 0}, {r, 0, 0}}, mass, rho, H);
    cloud.view.h = real(h);
    cloud.matter[0] = vec4(800, 0, real(sigma), real(mass));
    cloud.matter[1] = vec4(1000, 0, real(1.5 * sigma), real(mass));
    cloud.run(kernels().slope);
    cloud.run(kernels().pull);
    const double bump = std::pow((H - r) * r, 3.0),
                 near = 2.0 * r > H ? bump : 2.0 * bump - std::pow(H, 6.0) / 64.0;
    const double C = 32.0 / (pi * std::pow(H, 9.0)) * near;
    const double n = H * V * 45.0 / (pi * std::pow(H, 6.0)) * (H - r) * (H - r);  // of the first one, along x
    const double K = 2.0 * (rho + rho) / (800.0 + 1000.0);
    const double force = sigma * H * K * (V * C - 0.03 * V / (H * H * H) * 2.0 * n);
    EXPECT_NEAR(double(cloud.gained[0].x), h * force / mass,
                (in_float ? 1e-4 : 1e-11) * std::abs(h * force / mass))
        << r;
    EXPECT_NEAR(double(cloud.gained[1].x), -h * force / mass,
                (in_float ? 1e-4 : 1e-11) * std::abs(h * force / mass))
        << r;
  }
}

/// For any viscosity, the sum of momenta is conserved and no velocity grows.
TEST(FluidKernels, AnyViscosityIsStable) {
  Cloud cloud(lattice(), 0.125, 1000.0, 0.1);
  for (std::size_t i = 0; i < cloud.count; ++i) {
    cloud.velocity[i].x = real(random_signed(3, i));
    cloud.matter[i].y = real(1e6);
  }
  cloud.run(kernels().weigh);
  cloud.run(kernels().calm);
  double before = 0.0, after = 0.0, fastest = 0.0;
  for (std::size_t i = 0; i < cloud.count; ++i) {
    before += double(cloud.velocity[i].x);
    after += double(cloud.velocity[i].x) + double(cloud.gained[i].x);
    fastest = std::max(fastest, std::abs(double(cloud.velocity[i].x + cloud.gained[i].x)));
  }
  EXPECT_NEAR(after, before, in_float ? 1e-5 : 1e-13);
  EXPECT_LE(fastest, 1.0);
}

/// Lists against all pairs, with particles far from the origin and in one place.
TEST(NeighbourLists, AreAllWithinReach) {
  const std::size_t count = 700;
  AlignedVector<vec4> points(count);
  std::vector<std::int32_t> members;
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&](std::uint64_t k) { return real(0.4 * random_signed(7, 3 * i + k)); };
    points[i] = vec4(draw(0), draw(1), draw(2), 1);
    if (i % 50 == 49) points[i] = points[i - 1];
    if (i % 7 != 3) members.push_back(std::int32_t(i));
  }
  points[11] = vec4(1e6f, -1e6f, 40, 1);
  const real reach = real(0.11);
  NeighbourLists lists;
  lists.reserve(members.size());
  Pool pool(2);
  const World world;
  pool.run([&](Team& team) { lists.find(world, members, points, reach, kernels(), team); });
  const NeighbourSlices view = lists.view();
  ASSERT_EQ(lists.count(), std::int64_t(members.size()));
  for (std::int64_t s = 0; s < lists.count(); ++s) {
    std::vector<std::int32_t> got, wanted;
    for (std::int32_t k = 0; k < view.columns[s / lane_group]; ++k)
      if (const std::int32_t at = view.column(s / lane_group, k)[s % lane_group]; at != lists.nobody())
        got.push_back(lists.particle(at));
    const vec3 own(points[std::size_t(lists.particle(s))]);
    for (const std::int32_t i : members) {
      const vec3 u = vec3(points[std::size_t(i)]) - own;
      if (u.x * u.x + u.y * u.y + u.z * u.z < reach * reach) wanted.push_back(i);
    }
    std::sort(got.begin(), got.end());
    ASSERT_EQ(got, wanted) << s;
  }
}

/// The work of separating a wall from an adhering fluid is the adhesion times the area: Simpson's rule with
/// 400 parts.
TEST(FluidKernels, AdhesionIsTheWorkPerAreaThatPartsFluidAndWall) {
  constexpr double radius = 0.02, adhesion = 3.0, support = fluid_support_radii * radius, d = support / 400;
  double work = 0.0;
  for (int k = 0; k < 400; k += 2)
    work +=
        d / 3.0 *
        (adhesion_of_plane(adhesion, radius, k * d) + 4.0 * adhesion_of_plane(adhesion, radius, (k + 1) * d) +
         adhesion_of_plane(adhesion, radius, (k + 2) * d));
  EXPECT_NEAR(work, adhesion * 4.0 * radius * radius, 1e-9 * adhesion * radius * radius);
  EXPECT_EQ(adhesion_of_plane(adhesion, radius, 0.0), 0.0);
  EXPECT_EQ(adhesion_of_plane(adhesion, radius, support), 0.0);
}

TEST(FluidKernels, ABoxFillsWhatItsFacesEdgesAndCornersLeave) {
  const double H = 0.1;
  const Vec3<double> large{1.0, 1.0, 1.0};
  EXPECT_NEAR(share_behind_box(H, large, {1.03, 0.0, 0.0}), share_behind_plane(H, 0.03), 1e-15);
  EXPECT_NEAR(share_behind_box(H, large, {1.0, 1.0, 0.0}), 0.25, 1e-15);
  EXPECT_NEAR(share_behind_box(H, large, {-1.0, 1.0, 1.0}), 0.125, 1e-15);
  EXPECT_NEAR(share_behind_box(H, large, {0.0, 0.0, 0.0}), 1.0, 1e-15);
}

/// Against a sum over 60^3 cells of the support.
double filled(const std::function<bool(const glm::dvec3&)>& inside, const glm::dvec3& x, double H) {
  constexpr int n = 60;
  double sum = 0.0, all = 0.0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const glm::dvec3 u = H * (2.0 / n * (glm::dvec3(i, j, k) + 0.5) - 1.0);
        const double w = std::pow(std::max(H * H - glm::dot(u, u), 0.0), 3.0);
        all += w;
        if (inside(x + u)) sum += w;
      }
  return sum / all;
}

/// Against a sum over thin discs of the ball, perpendicular to the line through its centre and the particle.
/// The integral of poly6 over a disc of radius a at the distance z is
///
///   315 / (256 H^9) ((H^2 - z^2)^4 - max(H^2 - z^2 - a^2, 0)^4).
TEST(FluidKernels, ABallFillsItsShare) {
  constexpr double H = 0.08;
  constexpr int discs = 20000;
  for (const double R : {0.02, 0.06, 0.1, 0.16, 0.5})
    for (const double d : {-0.01, 0.0, 0.02, 0.025, 0.05, 0.079}) {
      const double thick = (std::min(d + 2.0 * R, H) - d) / discs;
      double sum = 0.0;
      for (int i = 0; i < discs; ++i) {
        const double z = d + thick * (i + 0.5), from_middle = d + R - z;
        const double left = std::max(H * H - z * z, 0.0);
        const double rim = std::max(left - (R * R - from_middle * from_middle), 0.0);
        sum += thick * (std::pow(left, 4) - std::pow(rim, 4));
      }
      EXPECT_NEAR(share_behind_ball(H, R, d), 315.0 / (256.0 * std::pow(H, 9)) * sum, 1e-6)
          << "R " << R << " d " << d;
    }
}

TEST(FluidKernels, ThinSolidsFillWhatTheyFill) {
  const double H = 0.08;
  for (const double R : {0.01, 0.02, 0.05, 0.2})
    for (const double d : {0.0, 0.02, 0.04}) {
      const auto rod = [&](const glm::dvec3& p) {
        return glm::length(p - glm::dvec3(0, std::clamp(p.y, -0.1, 0.1), 0)) < R;
      };
      const auto ball = [&](const glm::dvec3& p) { return glm::length(p) < R; };
      const auto disc = [&](const glm::dvec3& p) { return std::hypot(p.x, p.z) < R && std::abs(p.y) < 0.02; };
      const auto share = [&](ConvexKind kind, const Vec3<double>& size, const Vec3<double>& x) {
        return share_behind_solid(H, kind, size, x, d);
      };
      const auto what = [&] { return "R " + std::to_string(R) + " d " + std::to_string(d); };
      EXPECT_NEAR(share(ConvexKind::sphere, {R, 0, 0}, {R + d, 0, 0}), filled(ball, {R + d, 0, 0}, H), 0.04)
          << what();
      EXPECT_NEAR(share(ConvexKind::capsule, {R, 0.1, 0}, {R + d, 0.03, 0}), filled(rod, {R + d, 0.03, 0}, H),
                  0.04)
          << what();
      EXPECT_NEAR(share(ConvexKind::capsule, {R, 0.1, 0}, {0, 0.1 + R + d, 0}),
                  filled(rod, {0, 0.1 + R + d, 0}, H), 0.04)
          << what();
      EXPECT_NEAR(share(ConvexKind::cylinder, {R, 0.02, 0}, {0, 0.02 + d, 0}),
                  filled(disc, {0, 0.02 + d, 0}, H), 0.04)
          << what();
      EXPECT_NEAR(share(ConvexKind::cylinder, {R, 0.02, 0}, {R + d, 0, 0}), filled(disc, {R + d, 0, 0}, H),
                  0.04)
          << what();
    }
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::fluid_kernels_test
