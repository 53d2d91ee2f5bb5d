// A World with its solver, for tests of the whole step.
#pragma once

#include <initializer_list>

#include "engine/scene/build/world_builder.hpp"
#include "engine/step/stepper.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The kernels every other instance is compared with: one lane, in the precision of the test.
const KernelTable<real>& reference_kernels();

/// Particles at rest, without a World: {x, y, z} in m, {w} inverse mass in 1/kg.
Particles still_particles(std::initializer_list<vec4> places);

/// m/s, of the vertices of an object.
glm::dvec3 mean_velocity(const World& world, std::size_t object);

struct Throw {
  glm::dvec3 position, velocity;
  double radius, density;
  double mass() const { return density * 4.1887902047863909846 * radius * radius * radius; }
};

struct Rig {
  World world;
  Pool pool;
  Stepper solver;

  explicit Rig(const SceneDesc& scene, int threads = 1);
  ~Rig();
  StepReport step();
  void run(int frames) {
    for (int f = 0; f < frames; ++f) step();
  }
  /// Iterations of the method alone, from where the particles are.
  void iterate(int count, real inverse_h_squared);
  /// Returns the number of the new body.
  std::int32_t throw_ball(const Throw& thrown);
  /// Position of a vertex by its number in the scene.
  vec4& x(Index vertex) { return world.particles.position[inside(vertex)]; }
  vec4& v(Index vertex) { return world.particles.velocity[inside(vertex)]; }
  std::size_t inside(Index vertex) const {
    return std::size_t(world.topology->external_to_internal[std::size_t(vertex)]);
  }
};

}}  // namespace limber::LIMBER_PRECISION
