// Static contacts and positional friction against worked cases.
#include <gtest/gtest.h>

#include <memory>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/constraint_set.hpp"
#include "tests/vectors.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace contact_test { namespace {

using test::matches;
using test::to_vec3;
using test::vector_case;
using test::VectorCase;

TEST(Friction, MatchesTheWorkedCases) {
  for (const char* name : {"friction_positional_static", "friction_positional_kinetic"}) {
    const VectorCase c = vector_case(name);
    const real w_i = c.inputs.at("w_i"), w_j = c.inputs.at("w_j");
    // one coefficient here: the static case sticks below mu_s d, the kinetic one slides with mu_k d
    const real mu = std::string(name).ends_with("static") ? c.inputs.at("mu_s") : c.inputs.at("mu_k");
    const vec3 correction =
        friction_correction(to_vec3<real>(c.inputs.at("dx_rel")), to_vec3<real>(c.inputs.at("n")),
                            c.inputs.at("penetration_d"), mu);
    EXPECT_TRUE(matches<real>(c, "dp_i", w_i / (w_i + w_j) * correction));
  }
}

World single_particle(vec3 x, Collider collider, double thickness) {
  World world;
  world.topology = std::make_shared<Topology>();
  world.particles.count = 1;
  world.particles.position.assign(particle_block, vec4(0));
  world.particles.position[0] = vec4(x, 2);
  world.particles.previous = world.particles.position;
  world.particles.velocity.assign(particle_block, vec4(0));
  world.particles.object.assign(particle_block, 0);
  world.settings.materials.resize(1);
  world.settings.materials[0].thickness = thickness;
  world.settings.materials[0].friction = 0;
  world.settings.solver.contact->depenetration_speed = 1000;  // out at once
  world.colliders.push_back(collider);
  return world;
}

void project_once(World& world) {
  StaticContacts contacts;
  contacts.reserve(world);
  contacts.begin_frame(world, 0, real(1) / 60);
  contacts.find(world, 0, real(1) / 60);
  EXPECT_EQ(contacts.total(), 1);
  contacts.project(world, 0);
}

TEST(StaticContact, PushesOutOfATiltedPlane) {
  const VectorCase c = vector_case("plane_with_radius");
  const vec3 n = to_vec3<real>(c.expected.at("n"));
  Collider plane;
  plane.shape = ColliderShape::plane;
  plane.position = c.inputs.at("offset_d").get<real>() * n;
  // any rotation that takes +y to n
  const vec3 side = glm::normalize(glm::cross(n, vec3(0, 0, 1)));
  plane.rotation = glm::mat<3, 3, real>(side, n, glm::cross(side, n));
  World world = single_particle(to_vec3<real>(c.inputs.at("p")), plane, c.inputs.at("radius"));
  project_once(world);
  EXPECT_TRUE(matches<real>(c, "p_new", vec3(world.particles.position[0])));
}

TEST(StaticContact, LeavesTheSurfaceAtItsThickness) {
  Collider sphere;
  sphere.size.x = 1;
  World world = single_particle({0, real(0.9), 0}, sphere, 0.01);
  project_once(world);
  EXPECT_NEAR(double(world.particles.position[0].y), 1.01, 1e-6);
}

TEST(StaticContact, HoldsAtMostFourPerParticleAndKeepsTheDeepest) {
  Collider plane;
  plane.shape = ColliderShape::plane;
  World world = single_particle({0, real(-0.1), 0}, plane, 0.01);
  for (int i = 0; i < 6; ++i) {
    world.colliders.push_back(plane);
    world.colliders.back().position.y = real(0.1 * (i + 1));
  }
  StaticContacts contacts;
  contacts.reserve(world);
  contacts.begin_frame(world, 0, real(1) / 60);
  contacts.find(world, 0, real(1) / 60);
  EXPECT_EQ(contacts.total(), 4);
  contacts.project(world, 0);
  EXPECT_NEAR(double(world.particles.position[0].y), 0.61, 1e-6);
}

// A particle thrown far beyond the margin of the broad phase still meets the collider there.
TEST(StaticContact, MissesNothingBeyondTheMargin) {
  Collider sphere;
  sphere.size.x = 1;
  World world = single_particle({50, 0, 0}, sphere, 0.01);
  StaticContacts contacts;
  contacts.reserve(world);
  contacts.begin_frame(world, 0, real(1) / 60);
  world.particles.position[0] = vec4(real(0.5), 0, 0, 2);
  contacts.find(world, 0, real(1) / 60);
  ASSERT_EQ(contacts.total(), 1);
  contacts.project(world, 0);
  EXPECT_NEAR(double(world.particles.position[0].x), 1.01, 1e-6);
}

TEST(StaticContact, LeavesHeldParticlesAlone) {
  Collider plane;
  plane.shape = ColliderShape::plane;
  World world = single_particle({0, -1, 0}, plane, 0.01);
  world.particles.position[0].w = 0;
  StaticContacts contacts;
  contacts.reserve(world);
  contacts.begin_frame(world, 0, real(1) / 60);
  contacts.find(world, 0, real(1) / 60);
  EXPECT_EQ(contacts.total(), 0);
}

}}}}  // namespace limber::LIMBER_PRECISION::contact_test
