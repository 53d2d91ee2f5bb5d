#include "engine/solver/free_flight.hpp"

#include <algorithm>
#include <type_traits>
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Objects that can touch each other only have a momentum in common.
bool together(const World& world) { return world.settings.solver.contact->cloth_collision; }

/// Whether an attachment holds a vertex: known without a look at all of them.
bool is_held(const World& world, std::int32_t object) {
  if (together(world)) return !world.user.attachments.empty();
  const ParticleRange& range = world.topology->objects[std::size_t(object)];
  const auto first =
      std::lower_bound(world.user.attachments.begin(), world.user.attachments.end(), range.first,
                       [](const Attachment& a, std::int32_t i) { return a.particle < i; });
  return first != world.user.attachments.end() && first->particle < range.end();
}

}  // namespace

bool FreeFlight::applies(const World& world) {
  return std::is_same_v<real, float> && !world.settings.wind->enabled && world.bodies.count() == 0 &&
         world.topology->matter.empty() && world.topology->fluid.empty();
}

void FreeFlight::reserve(const World& world) {
  pieces_.clear();
  const auto& objects = world.topology->objects;
  const auto& spares = world.topology->tears.objects;
  for (std::size_t o = 0; o < objects.size(); ++o) {
    const auto add = [&](std::int32_t begin, std::int32_t end, bool spare) {
      while (begin < end) {
        const std::int32_t next = std::min(end, (begin / particle_block + 1) * particle_block);
        pieces_.push_back({std::int32_t(o), begin, next, spare});
        begin = next;
      }
    };
    add(objects[o].first, objects[o].end(), false);
    if (!spares.empty()) add(spares[o].first_spare, spares[o].first_spare + spares[o].spares, true);
  }
  before_.assign(pieces_.size(), {});
  after_ = before_;
  drifts_.assign(objects.size(), {});
}

std::int32_t FreeFlight::end_of(const World& world, const Piece& piece) {
  if (!piece.spare) return piece.end;
  const TearRoom::Object& room = world.topology->tears.objects[std::size_t(piece.object)];
  return std::min(piece.end, room.first_spare + room.used);
}

FreeFlight::Sums FreeFlight::sum(const World& world, const Piece& piece) {
  Sums sums;
  for (std::int32_t i = piece.begin, end = end_of(world, piece); i < end; ++i) {
    const real w = world.particles.position[std::size_t(i)].w;
    if (w == real(0)) return {{}, 0.0, true};
    const double mass = 1.0 / double(w);
    sums.mass += mass;
    sums.momentum += mass * glm::dvec3(world.particles.velocity[std::size_t(i)]);
  }
  return sums;
}

void FreeFlight::begin_frame(const World& world, Team& team) {
  forbidden_.store(false, std::memory_order_relaxed);
  const Share share = team.share(std::int64_t(pieces_.size()));
  for (std::size_t p = std::size_t(share.begin); p < std::size_t(share.end); ++p)
    before_[p] = is_held(world, pieces_[p].object) ? Sums{{}, 0.0, true} : sum(world, pieces_[p]);
  team.barrier();  // pieces are shared out otherwise than what comes next
}

void FreeFlight::end_frame(World& world, const StaticContacts& contacts, real h, real keep, Team& team) {
  team.barrier();
  if (forbidden_.load(std::memory_order_relaxed)) return;
  const Share share = team.share(std::int64_t(pieces_.size()));
  for (std::size_t p = std::size_t(share.begin); p < std::size_t(share.end); ++p) {
    const bool touched = before_[p].touched || contacts.met(world, pieces_[p].begin / particle_block);
    after_[p] = touched ? Sums{{}, 0.0, true} : sum(world, pieces_[p]);
  }
  team.barrier();
  if (team.rank() == 0) find_drifts(world, h, keep);
  team.barrier();
  for (std::int64_t p = share.begin; p < share.end; ++p) correct(world, pieces_[std::size_t(p)]);
}

/// On one thread: pieces are few.
void FreeFlight::find_drifts(const World& world, real h, real keep) {
  double kept = 1.0;
  glm::dvec3 gained(0.0);  // m/s
  for (int s = 0; s < world.settings.solver.step->substeps; ++s)
    kept *= double(keep), gained = double(keep) * gained + double(h) * world.settings.solver.motion->gravity;

  std::fill(drifts_.begin(), drifts_.end(), Sums());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    Sums& drift = drifts_[together(world) ? 0 : std::size_t(pieces_[p].object)];
    drift.momentum += after_[p].momentum - kept * before_[p].momentum - after_[p].mass * gained;
    drift.mass += after_[p].mass;
    drift.touched |= after_[p].touched;
  }
}

void FreeFlight::correct(World& world, const Piece& piece) const {
  const Sums& drift = drifts_[together(world) ? 0 : std::size_t(piece.object)];
  if (drift.touched) return;
  const glm::dvec3 excess = drift.momentum / drift.mass;
  for (std::int32_t i = piece.begin, end = end_of(world, piece); i < end; ++i) {
    vec4& v = world.particles.velocity[std::size_t(i)];
    v = vec4(vec3(glm::dvec3(v) - excess), real(0));
  }
}

}  // namespace limber::inline LIMBER_PRECISION
