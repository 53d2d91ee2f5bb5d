// Nets of joints: islands with so many loops that a direct solution fills in, solved by coloured sweeps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/kernels/joint_net.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The joints of all nets, coloured together: joints of a colour share no movable body. Each substep makes
/// several sweeps over positions and one over velocities (kernels/joint_net.hpp), each through the colours
/// and back. The direct solution of the same joints has no error and costs far more; JointSolver chooses by
/// the topology alone.
///
/// A joint of a net under the load F is apart by about F h^2 / (m n), m of the bodies at it, n the sweeps of
/// a substep. Sweeps of a frame are about the same whatever the substeps, so an error falls with 1/substeps.
class JointNets {
 public:
  explicit JointNets(const NetKernels<real>& kernels) : kernels_(kernels) {}

  void clear();
  /// Adds a net. Returns its number, or -1, with nothing done, if more joints meet at a body than there are
  /// colours for.
  std::int32_t add(const World& world, std::span<const std::int32_t> joints);

  bool empty() const { return nets_.empty(); }
  /// Whether sweeps solve all joints of a net, with their present parameters: ball joints without bounds.
  bool can_solve(const World& world, std::int32_t net) const;
  /// Chooses whether sweeps solve a net from the next begin_frame() on; returns whether that is a change.
  bool choose(std::int32_t net, bool swept);
  /// Begins a frame with substeps of h s. Serial.
  void begin_frame(const World& world, real h);

  std::int64_t joints() const { return joints_; }  ///< solved in this frame
  bool any() const { return joints_ > 0; }

  // Must be called by every thread of the team. The caller must put a barrier behind each call. `pushed` and
  // `turned` as in JointSolver, four numbers a body.

  void warm(World& world, vec4* rows, Team& team);
  void push(World& world, vec4* rows, double* pushed, double* turned, Team& team);
  void settle(World& world, vec4* rows, double* pushed, double* turned, Team& team);

  /// Writes the joints' multipliers into the World. Each thread has a share.
  void end_frame(World& world, const Team& team) const;

 private:
  struct Net {
    std::vector<std::int32_t> joints;
    std::vector<std::int32_t> sources;  ///< of the scene's joints, each once
    bool balls = true;                  ///< all joints are
  };
  struct Run {
    std::int32_t begin, end;  ///< slots, multiples of lane_group
    bool two_sided;
  };

  void lay_out(const World& world);
  void place_joint(const World& world, std::int32_t slot, std::int32_t joint);
  void set_parameters(const World& world, std::int32_t slot, std::int32_t joint);
  void break_joints(World& world, const Team& team);
  static std::size_t place_of(std::int32_t slot, int column) {
    return std::size_t(slot / lane_group) * (net_columns * lane_group) +
           std::size_t(column * lane_group + slot % lane_group);
  }
  real& number(std::int32_t slot, int column) { return data_[place_of(slot, column)]; }
  real number(std::int32_t slot, int column) const { return data_[place_of(slot, column)]; }
  NetView<real> view(World& world, vec4* rows) {
    return {body_a_.data(),
            body_b_.data(),
            row_a_.data(),
            row_b_.data(),
            data_.data(),
            &world.bodies.position.data()->x,
            &world.bodies.orientation.data()->x,
            &rows->x,
            fastest_};
  }
  template <class Visit>
  void visit_there_and_back(Team& team, const Visit& visit) const;
  template <class Visit>
  void visit_color(const Run& run, Team& team, const Visit& visit) const;
  template <class Visit>
  void visit_bodies(const Team& team, const Visit& visit) const;
  void keep_rows(const vec4* rows, const Team& team);
  void drop_nonsense(const World& world, vec4* rows, Team& team);
  void note_changes(const vec4* rows, double* pushed, double* turned, bool anew, const Team& team) const;

  const NetKernels<real>& kernels_;
  std::vector<Net> nets_;
  std::vector<std::uint8_t> chosen_, swept_;  ///< per net: of this frame, of the layout
  std::vector<Run> runs_;                     ///< colours
  std::vector<std::int32_t> slot_joint_;      ///< per slot; -1: padding
  std::vector<std::int8_t> sign_;             ///< per slot: -1 if its a is the joint's b
  std::vector<real> break_push_;              ///< kg m, per slot
  AlignedVector<std::int32_t> body_a_, body_b_, row_a_, row_b_;
  AlignedVector<real> data_;
  std::vector<std::int32_t> bodies_;  ///< movable bodies of swept nets
  struct Kept {
    vec4 shift, turn;
  };
  std::vector<Kept> kept_;                               ///< per body of bodies_: rows set aside
  std::vector<std::int32_t> net_of_body_, net_of_slot_;  ///< by bodies_; by slot
  std::vector<std::uint8_t> spoiled_;                    ///< per net: without its joints in this substep
  std::int64_t joints_ = 0;
  real fastest_ = 0;
  int sweeps_ = 1;
  bool shared_ = false;  ///< colours are large enough for several threads
};

}}  // namespace limber::LIMBER_PRECISION
