#include "tests/verification/rig.hpp"

#include <utility>

#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/scene/build/world_builder.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/state/displacement.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

const KernelTable<real>& reference_kernels() {
#if LIMBER_DOUBLE
  return *kernels_double();
#else
  return *kernels_scalar();
#endif
}

Particles still_particles(std::initializer_list<vec4> places) {
  Particles particles;
  for (auto* rows : {&particles.position, &particles.previous, &particles.origin, &particles.moved,
                     &particles.predicted, &particles.moved_before, &particles.velocity})
    rows->resize(places.size());
  std::size_t i = 0;
  for (const vec4& place : places) put_particle(particles, i++, place);
  return particles;
}

glm::dvec3 mean_velocity(const World& world, std::size_t object) {
  const ParticleRange& range = world.topology->objects[object];
  glm::dvec3 sum(0.0);
  for (std::int32_t i = range.first; i < range.end(); ++i)
    sum += glm::dvec3(world.particles.velocity[std::size_t(i)]);
  return sum / double(range.count);
}

Rig::Rig(const SceneDesc& scene, int threads)
    : world(std::move(build_world(scene)->world)), pool(threads), solver(pool, reference_kernels()) {
  solver.follow(world);
}

Rig::~Rig() = default;

std::int32_t Rig::throw_ball(const Throw& thrown) {
  BodyDesc desc = thrown_ball(thrown.radius, thrown.density);
  desc.velocity = thrown.velocity;
  const NewBody body = make_body(desc, *build_body({}, desc), {thrown.position, glm::dmat3(1.0)});
  const std::int32_t number = add_body(world, body, body_material(desc));
  solver.follow(world);
  return number;
}

void Rig::iterate(int count, real inverse_h_squared) {
  begin_frame_moves(world.particles, 0, world.particles.padded());
  Sweep<real> sweep{true, true, inverse_h_squared};
  sweep.origin = flat(world.particles.origin);
  pool.run([&](Team& team) {
    solver.method().load(world, team);
    for (int i = 0; i < count; ++i) {
      Sweep<real> now = sweep;
      now.first = i == 0;
      team.barrier();
      solver.method().iterate(world, now, team);
    }
  });
  show_moved(world.particles, 0, world.particles.padded());
}

StepReport Rig::step() { return solver.step(world, world.settings.solver.step->dt); }

}}  // namespace limber::LIMBER_PRECISION
