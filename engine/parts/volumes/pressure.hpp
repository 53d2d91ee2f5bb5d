// Overpressure: one volume constraint per closed object, over all of its triangles (Mueller et al. 2006,
// section 4.4).
#pragma once

#include <array>
#include <vector>

#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Projects C = V - k_p V0 = 0 of every object that has a pressure, with the softness of its material:
///   PBD   dlambda = -k' C / sum w |grad C|^2
///   XPBD  dlambda = (-C - a~ lambda) / (sum w |grad C|^2 + a~)
///   dp_i = w_i grad_i C dlambda
/// The step of an object is scaled down so that no vertex moves farther than `reach`: C is cubic, and far
/// from its zero a Newton step overshoots without bound. Sums are computed per block of particles in double
/// and added in block order. A small object is projected by one thread, a large one by all threads, between
/// barriers.
class Pressure {
 public:
  explicit Pressure(const KernelTable<real>& kernels) : kernels_(&kernels) {}

  void reserve(const World& world);     ///< allocates; call between steps
  void begin_step(const World& world);  ///< reads settings, which may have changed
  bool enabled() const { return enabled_; }

  /// Moves the goal volumes towards their targets, by at most `rate` times the rest volume per second. A jump
  /// would press touching surfaces through each other faster than contact can separate them. Must be called
  /// before a substep of h seconds. Serial.
  static void move_goals(World& world, real h);
  static constexpr double rate = 4.0;  ///< 1/s

  /// Projects the volumes, once per iteration. Must be called by every thread of the team.
  void project(World& world, const Sweep<real>& sweep, Team& team);

  /// Excludes objects that have a particle for which out(particle) is true. Must be called by every thread of
  /// the team.
  template <class Out>
  void leave_out(const World& world, const Out& out, const Team& team) {
    const Share share = team.share(std::int64_t(bodies_.size()));
    for (std::int64_t b = share.begin; b < share.end; ++b) {
      const Body& body = bodies_[std::size_t(b)];
      const ParticleRange& range = world.topology->objects[std::size_t(body.object)];
      bool any = false;
      for (std::int32_t i = range.first; i < range.end() && !any; ++i) any = out(i);
      left_out_[std::size_t(body.object)] = any;
    }
  }
  /// Whether the object of a particle has pressure and is not excluded.
  bool takes(const World& world, std::int32_t particle) const {
    return active(world, std::size_t(world.particles.object[std::size_t(particle)]));
  }

 private:
  struct Body {
    std::int32_t object;
    std::int32_t first_triangle;   ///< in Topology::triangles
    std::int32_t first_row, rows;  ///< in areas_, padded to lane_group
    std::size_t first_block, blocks;
    real reach;  ///< m
  };
  struct Block {
    std::int32_t body, begin, end;  ///< particles
  };
  struct RowBlock {
    std::int32_t begin, end;
  };
  struct Sums {
    double moment = 0.0;                      ///< sum p . grad
    glm::dvec3 position{0.0}, gradient{0.0};  ///< sum p, sum grad
    double weight = 0.0;                      ///< sum w |grad|^2
    double longest = 0.0;                     ///< max w^2 |grad|^2
    glm::dvec3 held_back{0.0};                ///< sum of the parts of gradients that largest_growth cuts off
    bool fixed = false;                       ///< a particle has inverse mass zero
  };

  void add_body(const World& world, std::int32_t object, std::int32_t first_triangle,
                std::int32_t end_triangle);
  /// Whether an object has pressure. A torn object has none, because it has no inside.
  bool active(const World& world, std::size_t object) const {
    return world.matter.volume_goals[object].volume > real(0) && !world.topology->tears.is_torn(object) &&
           !left_out_[object];
  }
  bool active(const World& world, const Body& body) const { return active(world, std::size_t(body.object)); }
  void gather(const World& world, std::size_t block);
  void solve(const World& world, std::size_t body, const Sweep<real>& sweep);
  void move(World& world, std::size_t block);
  void project_small(World& world, std::size_t body, const Sweep<real>& sweep);
  void project_large(World& world, const Sweep<real>& sweep, Team& team);
  void find_areas(const World& world, std::int32_t begin, std::int32_t end);

  const KernelTable<real>* kernels_;
  bool enabled_ = false;
  std::vector<Body> bodies_;    ///< small ones first
  std::vector<char> left_out_;  ///< per object
  std::size_t small_bodies_ = 0, small_blocks_ = 0;
  std::vector<Block> blocks_;                           ///< body after body
  std::vector<RowBlock> large_rows_;                    ///< shares of areas_ of large bodies
  std::array<AlignedVector<std::int32_t>, 3> corners_;  ///< per row, particles
  AlignedVector<vec4> areas_;                           ///< per row: twice the area along the normal, m^2
  AlignedVector<vec4> gradients_;                       ///< per particle
  std::vector<Sums> sums_;                              ///< per block
  std::vector<real> lambda_, dlambda_;                  ///< per body
  std::vector<vec4> shift_;  ///< m, per body: displacement of all its particles in this projection
};

}}  // namespace limber::LIMBER_PRECISION
