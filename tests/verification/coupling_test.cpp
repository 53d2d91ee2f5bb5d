// Two-way coupling of particles, ropes and cloth with rigid bodies, in float and in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "engine/contact/coupling/coupling_row.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace coupling_test { namespace {

constexpr double g = 9.81, pi = 3.14159265358979323846;
constexpr double eps = std::numeric_limits<real>::epsilon();

BodyDesc box_at(const glm::dvec3& position, double half, double density) {
  BodyDesc b;
  b.name = "box";
  b.shape = BodyShape::box;
  b.half_extents = glm::dvec3(half);
  b.pose.position = position;
  b.density = density;
  return b;
}

/// A sheet lying at the height y, held at its border.
ObjectDesc sheet(int count, double side, double y) {
  ObjectDesc cloth;
  cloth.name = "sheet";
  cloth.cloth->columns = cloth.cloth->rows = count;
  cloth.cloth->width = cloth.cloth->height = side;
  cloth.cloth->upright = false;
  cloth.pose.position = {0.0, y, 0.0};
  cloth.pins = {std::string("top"), std::string("bottom"), std::string("left"), std::string("right")};
  cloth.material->density = 0.5;
  cloth.material->thickness = 0.01;
  cloth.material->bending = false;
  return cloth;
}

SceneDesc scene_of(std::vector<ObjectDesc> objects, std::vector<BodyDesc> bodies, int substeps = 20) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.step->iterations = 1;
  scene.solver.motion->damping = 0.0;
  scene.objects = std::move(objects);
  scene.bodies = std::move(bodies);
  return scene;
}

/// A single particle of the mass m (kg, 0: fixed).
ObjectDesc particle(const glm::dvec3& position, double mass) {
  ObjectDesc object;
  object.name = "particle";
  object.type = ObjectType::points;
  object.points->list = {{position, mass}};
  object.material->thickness = 0.0;
  return object;
}

AttachmentDesc tie_of(const VertexName& vertex, const std::string& body, double compliance = 0.0) {
  AttachmentDesc tie;
  tie.vertices = {vertex};
  tie.attach_to = body;
  tie.compliance = compliance;
  return tie;
}

/// Rows of one body as BodySolver keeps them.
struct BodyRows {
  vec4 rows[body_rows] = {};
  BodyRows(double mass, const glm::dvec3& inertia) {
    rows[row_shift].w = real(1.0 / mass);
    rows[row_diagonal] = vec4(vec3(1.0 / inertia), real(0));
  }
};

/// The worked inertias are diagonal.
glm::dvec3 diagonal_of(const test::Value& matrix) {
  return {matrix.at(0).at(0).get<double>(), matrix.at(1).at(1).get<double>(),
          matrix.at(2).at(2).get<double>()};
}

TEST(Coupling, VectorParticleRigidContact) {
  const test::VectorCase c = test::vector_case("particle_rigid_contact");
  BodyRows body(c.inputs.at("M"), diagonal_of(c.inputs.at("I")));
  Particles particles = still_particles({vec4(0, 0, 0, real(1.0 / c.inputs.at("m_particle").get<double>()))});
  CouplingRow row{};
  row.weight[0] = 1;
  row.normal = test::to_vec3<real>(c.inputs.at("n"));
  row.arm = test::to_vec3<real>(c.inputs.at("r"));
  row.gap = c.inputs.at("C").get<real>();
  EXPECT_TRUE(test::matches<real>(c, "w_b", inverse_mass_along(body.rows, row.arm, row.normal)));
  const Sides sides{WeightedPoint{row.points, row.weight, particles}, FramePoint{body.rows, row.arm}};
  row.weigh(sides.inverse_mass_along(row.normal));
  row.friction = 0;
  project_contact(row, true, sides);
  EXPECT_TRUE(test::matches<real>(c, "lam", row.normal_lambda));
  EXPECT_TRUE(test::matches<real>(c, "dx_particle", way_of(particles, 0)));
  EXPECT_TRUE(test::matches<real>(c, "dx_body", vec3(body.rows[row_shift])));
  EXPECT_TRUE(test::matches<real>(c, "dphi_body", vec3(body.rows[row_turn])));
}

TEST(Coupling, VectorImpulseToRigidBody) {
  const test::VectorCase c = test::vector_case("impulse_to_rigid_body");
  BodyRows body(c.inputs.at("M"), diagonal_of(c.inputs.at("I")));
  const real dt = c.inputs.at("dt").get<real>(), m = c.inputs.at("m_i").get<real>();
  push_frame(body.rows, -m * test::to_vec3<real>(c.inputs.at("dp")),
             test::to_vec3<real>(c.inputs.at("contact")));
  EXPECT_TRUE(test::matches<real>(c, "dv", vec3(body.rows[row_shift]) / dt));
  EXPECT_TRUE(test::matches<real>(c, "domega", vec3(body.rows[row_turn]) / dt));
}

ObjectDesc cloud(const glm::dvec3& center, const glm::dvec3& copies, double spacing) {
  ObjectDesc object;
  object.name = "cloud";
  object.type = ObjectType::cloud;
  object.copies = copies;
  object.spacing = glm::dvec3(spacing);
  object.pose.position = center;
  object.particle_mass = 0.05;
  object.material->thickness = 0.01;
  return object;
}

/// A spinning box thrown into a cloud of particles, one of which is tied to it. Every row pushes both sides
/// at one point, so both momenta are kept up to rounding: that of positions of about a metre, over h.
TEST(Coupling, KeepsLinearAndAngularMomentum) {
  ObjectDesc dust = cloud({0.0, -0.3, 0.0}, {8.0, 3.0, 8.0}, 0.07);
  dust.attachments = {tie_of(0L, "box")};
  BodyDesc body = box_at({0.1, 0.2, 0.05}, 0.15, 500.0);
  body.half_extents.x = 0.07;
  body.pose.rotation_degrees = {20.0, 0.0, 35.0};
  body.velocity = {0.3, -2.0, 0.1};
  body.angular_velocity = {200.0, 100.0, 0.0};
  SceneDesc scene = scene_of({dust}, {body});
  scene.solver.motion->gravity = glm::dvec3(0.0);
  Rig rig(scene);
  const Measures start = measure(rig.world);
  double touched = 0.0;
  for (int f = 0; f < 40; ++f) touched += rig.step().contacts;
  const Measures end = measure(rig.world);
  EXPECT_GT(touched, 50.0);
  const double steps = 40.0 * 20.0, mass = 192.0 * 0.05 + 0.15 * 0.15 * 0.07 * 8.0 * 500.0;
  const double rounding = std::sqrt(steps) * mass * eps * 60.0 * 20.0;
  EXPECT_LT(glm::length(end.momentum - start.momentum), rounding);
  EXPECT_LT(glm::length(end.angular_momentum - start.angular_momentum), rounding);
  EXPECT_LT(end.kinetic_energy, start.kinetic_energy);
}

/// The forces with which fixed vertices are pulled, from the multipliers of their springs, N.
glm::dvec3 reaction(const World& world) {
  const auto& springs = std::get<StencilBatch<Distance>>(*world.topology->constraints);
  const auto& state = std::get<StencilState<Distance>>(*world.matter.constraints);
  const double h = world.settings.solver.step->dt / world.settings.solver.step->substeps;
  glm::dvec3 sum(0.0);
  for (std::size_t s = 0; s < springs.id.size(); ++s) {
    if (springs.id[s] < 0) continue;
    const vec4 &a = world.particles.position[std::size_t(springs.vertices[0][s])],
               &b = world.particles.position[std::size_t(springs.vertices[1][s])];
    if ((a.w == real(0)) == (b.w == real(0))) continue;
    const glm::dvec3 along = glm::normalize(glm::dvec3(a) - glm::dvec3(b));
    sum += (a.w == real(0) ? 1.0 : -1.0) * double(state.lambda[0][s]) / (h * h) * along;
  }
  return sum;
}

/// At rest, the pins of the border carry sheet and box.
TEST(Coupling, PinsCarryTheWeightOfSheetAndBox) {
  BodyDesc box = box_at({0.02, 0.62, -0.01}, 0.1, 100.0);
  SceneDesc scene = scene_of({sheet(13, 1.2, 0.5)}, {box}, 30);
  scene.solver.motion->damping = 0.99;
  scene.solver.motion->damping_law = DampingLaw::plain;
  Rig rig(scene);
  rig.run(240);
  double weight = 8.0 * 0.001 * 100.0 * g;
  for (const vec4& x : rig.world.particles.position)
    if (x.w > real(0)) weight += g / double(x.w);
  double mean = 0.0;
  for (int f = 0; f < 30; ++f, rig.step()) mean += reaction(rig.world).y / 30.0;
  EXPECT_NEAR(mean, -weight, 0.01 * weight);
  EXPECT_LT(double(glm::length(vec3(rig.world.bodies.velocity[0]))), 0.02);
  EXPECT_GT(double(rig.world.bodies.position[0].y), 0.4);
}

/// m g alpha.
TEST(Coupling, ATieOfAComplianceStretchesByTheWeight) {
  ObjectDesc pivot = particle({0.0, 2.0, 0.0}, 0.0);
  pivot.attachments = {tie_of(0L, "box", 1e-3)};
  BodyDesc box = box_at({0.0, 1.5, 0.0}, 0.1, 1000.0);  // 8 kg
  SceneDesc scene = scene_of({pivot}, {box}, 10);
  scene.solver.motion->damping = 0.999;
  scene.solver.motion->damping_law = DampingLaw::plain;
  Rig rig(scene);
  rig.run(300);
  EXPECT_NEAR(1.5 - double(rig.world.bodies.position[0].y), 8.0 * g * 1e-3, 1e-3 * 8.0 * g * 1e-3 + 20 * eps);
}

/// A box on a rigid two-way tie is a physical pendulum: T = 2 pi sqrt((I + m l^2) / (m g l)).
TEST(Coupling, ATiedBoxSwingsAsAPhysicalPendulum) {
  const double l = 0.5, angle = 0.1, half = 0.15;
  ObjectDesc pivot = particle({0.0, 2.0, 0.0}, 0.0);
  pivot.attachments = {tie_of(0L, "box")};
  BodyDesc box = box_at({l * std::sin(angle), 2.0 - l * std::cos(angle), 0.0}, half, 300.0);
  box.pose.rotation_degrees = {0.0, 0.0, angle * 180.0 / pi};
  Rig rig(scene_of({pivot}, {box}, 20));
  const double period =
      2.0 * pi * std::sqrt((2.0 / 3.0 * half * half + l * l) / (g * l)) * (1.0 + angle * angle / 16.0);
  const double dt = rig.world.settings.solver.step->dt;
  double before = 1.0, first = 0.0, last = 0.0;
  int crossings = 0;
  for (double t = dt; t < 5.0; t += dt) {
    rig.step();
    const double x = double(rig.world.bodies.position[0].x);
    if (before * x < 0.0) {
      last = t - dt * x / (x - before);
      if (crossings++ == 0) first = last;
    }
    before = x;
  }
  ASSERT_GT(crossings, 4);
  EXPECT_NEAR(2.0 * (last - first) / (crossings - 1), period, 0.003 * period);
}

/// The particle goes exactly where the body goes.
TEST(Coupling, OneWayVerticesRideTheBody) {
  ObjectDesc rider = particle({0.1, 1.1, 0.1}, 1.0);
  rider.attachments = {tie_of(0L, "box")};
  rider.attachments[0].two_way = false;
  BodyDesc box = box_at({0.0, 1.0, 0.0}, 0.1, 100.0);
  box.angular_velocity = {0.0, 300.0, 90.0};
  Rig rig(scene_of({rider}, {box}, 5));
  for (int f = 0; f < 30; ++f) {
    rig.step();
    const vec3 place =
        vec3(rig.world.bodies.position[0]) + rotation_of(rig.world.bodies.orientation[0]) * vec3(real(0.1));
    EXPECT_LT(double(glm::length(vec3(rig.x(0)) - place)), 50 * eps) << f;
  }
}

/// A particle of 1 g at 100 m/s, and one at rest with the box coming at 100 m/s: neither is inside later, and
/// together they keep the momentum.
TEST(Coupling, NothingPassesAtAHundredMetresASecond) {
  for (const bool body_moves : {false, true}) {
    ObjectDesc bullet = particle({-0.9, 0.013, 0.021}, 0.001);
    bullet.velocity = body_moves ? glm::dvec3(0.0) : glm::dvec3(100.0, 0.0, 0.0);
    BodyDesc box = box_at({0.0, 0.0, 0.0}, 0.05, 1000.0);
    box.velocity = body_moves ? glm::dvec3(-100.0, 0.0, 0.0) : glm::dvec3(0.0);
    SceneDesc scene = scene_of({bullet}, {box}, 4);
    scene.solver.motion->gravity = glm::dvec3(0.0);
    Rig rig(scene);
    const glm::dvec3 before = measure(rig.world).momentum;
    rig.run(4);
    const PlacedShape& shape = rig.world.bodies.parts->shapes[0];
    const auto surface = surface_distance(shape.shape, placed(shape, rig.world.bodies), vec3(rig.x(0)));
    EXPECT_GT(double(surface.d), -1e-3) << body_moves;
    EXPECT_LT(double(surface.d), 0.01) << body_moves;  // it sticks: nothing bounces off
    EXPECT_LT(glm::length(measure(rig.world).momentum - before), 1000 * eps * 100.0) << body_moves;
  }
}

/// A small ball at 100 m/s does not get through a sheet held at its border, and neither does a corner that
/// hits the middle of a large triangle.
TEST(Coupling, ASheetCatchesWhatIsFast) {
  for (const int count : {3, 21}) {
    BodyDesc ball = box_at({0.13, 0.6, 0.31}, 0.03, 300.0);
    ball.velocity = {0.0, -100.0, 0.0};
    ball.pose.rotation_degrees = {30.0, 20.0, 10.0};
    ObjectDesc cloth = sheet(count, 2.0, 0.0);
    cloth.material->density = 2.0;
    Rig rig(scene_of({cloth}, {ball}, 16));
    for (int f = 0; f < 40; ++f) {
      ASSERT_FALSE(rig.step().nonfinite);
      const vec3 x(rig.world.bodies.position[0]);  // it may glance off and fall down beside the sheet
      if (std::abs(x.x) >= real(0.95) || std::abs(x.z) >= real(0.95)) continue;
      EXPECT_GT(double(x.y), -0.35) << count;
    }
  }
}

/// METHODS D10: a 10 cm box falls on triangles of 50 cm and rests on them.
TEST(Coupling, ASmallBoxDoesNotFallThroughOneLargeTriangle) {
  for (const glm::dvec3& place : {glm::dvec3(0.12, 0.4, 0.38), glm::dvec3(0.25, 0.4, 0.0)}) {
    ObjectDesc cloth = sheet(5, 2.0, 0.2);
    cloth.material->density = 1.0;
    BodyDesc box = box_at(place, 0.05, 400.0);
    box.pose.rotation_degrees = {10.0, 25.0, 5.0};
    SceneDesc scene = scene_of({cloth}, {box}, 20);
    scene.solver.motion->damping = 0.9;
    scene.solver.motion->damping_law = DampingLaw::plain;
    Rig rig(scene);
    rig.run(180);
    EXPECT_GT(double(rig.world.bodies.position[0].y), 0.1);
    EXPECT_LT(double(glm::length(vec3(rig.world.bodies.velocity[0]))), 0.05);
  }
}

/// m, by which the boxes move in a second, the largest of 9 that lie askew on triangles of 50 cm.
double creep_of_boxes(int substeps) {
  ObjectDesc cloth = sheet(5, 2.0, 0.7);
  cloth.material->density = 1.0;
  cloth.material->friction = 0.8;
  std::vector<BodyDesc> boxes;
  for (int k = 0; k < 9; ++k) {
    boxes.push_back(box_at({0.47 * (k % 3 - 1) + 0.06, 0.77, 0.43 * (k / 3 - 1) - 0.04}, 0.05, 400.0));
    boxes.back().name += std::to_string(k);
    boxes.back().friction = 0.8;
    boxes.back().pose.rotation_degrees = {0.0, 40.0 * k, 0.0};
  }
  SceneDesc scene = scene_of({cloth}, boxes, substeps);
  scene.solver.motion->damping = 0.9;
  scene.solver.motion->damping_law = DampingLaw::plain;
  Rig rig(scene);
  rig.run(480);
  const auto before = rig.world.bodies.position;
  rig.run(60);
  double most = 0.0;
  for (std::size_t b = 0; b < boxes.size(); ++b)
    most = std::max(most, double(glm::distance(vec3(rig.world.bodies.position[b]), vec3(before[b]))));
  return most;
}

/// Friction holds them. Sums near 1 m, rounded once for each impulse, let them creep by a millimetre a
/// second, and so does an error that sweeps leave, the more the shorter the substep.
TEST(Coupling, BoxesOnLargeTrianglesDoNotCreep) {
  for (const int substeps : {10, 40}) EXPECT_LT(creep_of_boxes(substeps), 4e-5) << substeps;
}

/// Two sheets above each other and a box that falls on both: contact between cloth and cloth has the last
/// word.
TEST(Coupling, ABoxPressesNoSheetThroughAnother) {
  ObjectDesc upper = sheet(9, 1.0, 0.53), lower = sheet(9, 1.0, 0.5);
  upper.name = "upper";
  BodyDesc box = box_at({0.05, 0.72, 0.02}, 0.1, 200.0);
  box.pose.rotation_degrees = {30.0, 20.0, 40.0};
  box.velocity = {0.0, -5.0, 0.0};
  SceneDesc scene = scene_of({lower, upper}, {box}, 8);
  scene.solver.contact->cloth_collision = true;
  Rig rig(scene);
  for (int f = 0; f < 15; ++f) {
    rig.step();
    EXPECT_EQ(count_intersections(rig.world), 0) << f;
  }
  EXPECT_GT(double(rig.world.bodies.position[0].y), 0.0);
}

/// Free sheets between boxes that press them together: zones of cloth that a box takes along are felt by it.
TEST(Coupling, SqueezedSheetsKeepTheMomentum) {
  for (const double density : {30.0, 300.0, 3000.0}) {
    ObjectDesc upper = sheet(15, 1.0, 0.53), lower = sheet(15, 1.0, 0.5);
    upper.name = "upper";
    upper.pins.clear(), lower.pins.clear();
    BodyDesc above = box_at({0.05, 0.75, 0.02}, 0.1, density),
             below = box_at({-0.02, 0.3, 0.0}, 0.1, density);
    below.name = "below";
    above.pose.rotation_degrees = {30.0, 20.0, 40.0};
    above.velocity = {0.0, -5.0, 0.0}, below.velocity = {0.3, 4.0, 0.0};
    SceneDesc scene = scene_of({lower, upper}, {above, below}, 8);
    scene.solver.contact->cloth_collision = true;
    scene.solver.motion->gravity = glm::dvec3(0.0);
    Rig rig(scene);
    const Measures before = measure(rig.world);
    double in_zones = 0.0;
    for (int f = 0; f < 30; ++f) in_zones += rig.step().in_zones;
    const Measures after = measure(rig.world);
    EXPECT_GT(in_zones, 10.0) << density;
    const double mass = 2.0 * 8e-3 * density + 2.0;
    EXPECT_LT(glm::length(after.momentum - before.momentum), 300.0 * 8.0 * mass * eps * 5.0) << density;
    EXPECT_LT(after.kinetic_energy, before.kinetic_energy) << density;
  }
}

/// A box a thousand times as heavy as the sheet: the sheet sags and stretches, but holds. The pull of the
/// pins equals the weight of box and sheet plus their gain of momentum. Between the box and the border, 0.3 m
/// wide, the sheet at most doubles its length, so the box sinks by less than sqrt(0.6^2 - 0.3^2) m. In free
/// fall it would sink by 11 m.
TEST(Coupling, AThousandTimesTheMassIsHeld) {
  ObjectDesc cloth = sheet(9, 1.0, 1.0);
  cloth.material->density = 0.1;
  BodyDesc box = box_at({0.0, 1.21, 0.0}, 0.2, 100.0 / (8.0 * 0.008));
  Rig rig(scene_of({cloth}, {box}, 20));
  const int frames = 90;
  double lowest = 1.21, pulled = 0.0;  // m, N
  for (int f = 0; f < frames; ++f) {
    ASSERT_FALSE(rig.step().nonfinite) << f;
    lowest = std::min(lowest, double(rig.world.bodies.position[0].y));
    pulled -= reaction(rig.world).y / frames;
  }
  const double gained =
      100.0 * double(rig.world.bodies.velocity[0].y) / (frames * rig.world.settings.solver.step->dt);
  EXPECT_NEAR(pulled, 100.1 * g + gained, 0.1 * 100.1 * g);
  EXPECT_GT(lowest, 1.21 - std::sqrt(0.6 * 0.6 - 0.3 * 0.3));
}

/// On a heavy box that lies on the ground a particle is slowed by mu g, mu = sqrt(mu_p mu_b), until it rests.
TEST(Coupling, AParticleOnABodyIsSlowedByFriction) {
  BodyDesc box = box_at({0.0, 0.5, 0.0}, 0.5, 1000.0);
  box.friction = 0.9;
  SceneDesc scene = scene_of({particle({-0.2, 1.0, 0.0}, 0.1)}, {box}, 10);
  scene.objects[0].velocity = {1.0, 0.0, 0.0};
  scene.objects[0].material->friction = 0.1;
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.friction = 1.0;
  scene.colliders = {floor};
  Rig rig(scene);
  rig.run(12);  // 0.2 s
  EXPECT_NEAR(double(rig.v(0).x), 1.0 - 0.3 * g * 0.2, 0.01);
  rig.run(18);
  EXPECT_LT(double(glm::length(vec3(rig.v(0)))), 1e-3);
  EXPECT_NEAR(double(rig.x(0).x), -0.2 + 1.0 / (2.0 * 0.3 * g), 0.005);
}

/// Two boxes, one on the other, on a coarse sheet that swings under them at first. An error of the rows
/// between cloth and boxes becomes speed: as long as contact of the boxes had the last word the tower rocked
/// at 7 mm/s.
TEST(Coupling, ATowerOnClothComesToRest) {
  ObjectDesc cloth = sheet(6, 2.5, 0.7);
  cloth.material->density = 0.6;
  cloth.material->thickness = 0.008;
  cloth.material->stretch_compliance = 3e-4;
  cloth.material->bending = true;
  cloth.material->bend_compliance = 50;
  cloth.material->friction = 0.8;
  BodyDesc boxes = box_at({0.0, 0.85, 0.0}, 0.05, 400.0);
  boxes.friction = 0.8;
  boxes.copies = {1.0, 2.0, 1.0};
  boxes.spacing = {0.0, 0.11, 0.0};
  SceneDesc scene = scene_of({cloth}, {boxes});
  scene.solver.motion->damping = 0.8;
  Rig rig(scene);
  rig.run(900);
  double mean = 0.0;
  for (int frame = 0; frame < 120; ++frame) {
    rig.step();
    mean += measure(rig.world).mean_speed / 120.0;
  }
  EXPECT_LT(mean, 2e-3);
  EXPECT_GT(double(rig.world.bodies.position[1].y), double(rig.world.bodies.position[0].y) + 0.09);
}

TEST(Coupling, ThreadsChangeNoBit) {
  ObjectDesc cloth = sheet(30, 2.0, 0.6);
  cloth.attachments = {tie_of(465L, "box[3]")};
  BodyDesc boxes = box_at({0.0, 0.75, 0.0}, 0.08, 200.0);
  boxes.copies = {4.0, 2.0, 4.0};
  boxes.spacing = glm::dvec3(0.35);
  boxes.yaw_jitter = 90.0;
  SceneDesc scene = scene_of({cloth}, {boxes}, 6);
  scene.solver.contact->cloth_collision = false;  // has tests of its own, and many barriers
  Rig one(scene);
  one.run(12);
  for (const int threads : test::several_threads()) {
    Rig many(scene, threads);
    many.run(12);
    EXPECT_EQ(world_hash(one.world), world_hash(many.world)) << threads;
  }
}

/// A particle hits a free box of nine times its mass head on at 2 m/s: they separate with e times this speed,
/// and momentum is conserved. The approach speed is that of the prediction, so the law is exact.
TEST(Coupling, AParticleBouncesOffABodyAsItsRestitutionSays) {
  for (const double e : {0.0, 0.5, 1.0}) {
    BodyDesc box = box_at({0.0, 0.0, 0.0}, 0.5, 9.0);
    box.restitution = e;
    SceneDesc scene = scene_of({particle({0.1, 1.0, 0.0}, 1.0)}, {box});
    scene.objects[0].velocity = {0.0, -2.0, 0.0};
    scene.solver.motion->gravity = glm::dvec3(0.0);
    Rig rig(scene);
    rig.run(30);  // it is there after 15
    const vec3 spin = angular_velocity(rig.world.bodies, 0), arm(real(0.1), real(0.5), real(0));
    const vec3 at_spot = vec3(rig.world.bodies.velocity[0]) + glm::cross(spin, arm);
    const double momentum = double(rig.v(0).y) + 9.0 * double(rig.world.bodies.velocity[0].y);
    EXPECT_NEAR(double(rig.v(0).y - at_spot.y), 2.0 * e, 2e-3) << e;  // the arm turns by 4 degrees until then
    EXPECT_NEAR(momentum, -2.0, 600.0 * eps * 2.0) << e;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::coupling_test
