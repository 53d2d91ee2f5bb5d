// Nets of joints: islands with so many loops that a direct solution fills in, solved by coloured sweeps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/kernels/joint_net_rows.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The joints of nets, each net coloured by itself: joints of a colour share no movable body. Each substep
/// makes several sweeps over positions and one over velocities (kernels/joint_net.hpp, joint_net_rows.hpp),
/// each through the colours and back. The direct solution of the same joints has no error and costs far more;
/// JointSolver chooses by the topology alone. Threads share the nets, and the colours of large ones.
///
/// A joint of a net under the load F is apart by about F h^2 / (m n), m of the bodies at it, n the sweeps of
/// a substep. Sweeps of a frame are about the same whatever the substeps, so an error falls with 1/substeps.
/// Nets that resist bending need more sweeps, because a load at the end bends a net with the square of its
/// length: nets with hinges or limits make four times as many, those with fixed joints or sliders sixteen.
///
/// Not even these make a plate stiff, whose lowest mode needs sweeps with the fourth power of its length. A
/// net that fixed joints and sliders connect is therefore braced, if none of its joints breaks or gives: a
/// spanning tree of them is solved directly by JointSolver, as stiff as it is, at a cost that grows with its
/// joints; the sweeps have the other joints. Those of a plate of fixed joints follow from the tree and do
/// nothing. Sliders and limits that bind bodies across loops converge over some rounds of both.
class JointNets {
 public:
  explicit JointNets(const NetKernels<real>& kernels) : kernels_(kernels) {}

  void clear();
  /// Adds a net. Returns its number, or -1, with nothing done, if more joints meet at a body than there are
  /// colours for.
  /// `tree`: a spanning tree of joints that are stiff, which somebody else solves directly while the net is
  /// braced; or none.
  std::int32_t add(const World& world, std::span<const std::int32_t> joints,
                   std::span<const std::int32_t> tree);
  /// Lays out the nets that were added. All that allocates is done here.
  void lay_out(const World& world);

  bool empty() const { return nets_.empty(); }
  /// Chooses whether sweeps solve a net from the next begin_frame() on; returns whether that is a change.
  bool choose(std::int32_t net, bool swept);
  /// Begins a frame with substeps of h s. Serial.
  void begin_frame(const World& world, real h);

  std::int64_t joints() const { return joints_; }  ///< solved in this frame
  bool any() const { return joints_ > 0; }
  /// Whether a net leaves the joints of its tree to the caller in this frame.
  bool braced(std::int32_t net) const { return nets_[std::size_t(net)].braced; }
  bool any_braced() const { return !braced_.empty(); }
  /// Rounds of push_loops() and settle_loops() in a substep.
  int rounds() const { return rounds_; }

  // Must be called by every thread of the team. The caller must put a barrier behind each call. `pushed` and
  // `turned` as in JointSolver, four numbers a body.

  void warm(World& world, vec4* rows, Team& team);
  void push(World& world, vec4* rows, double* pushed, double* turned, Team& team);
  void settle(World& world, vec4* rows, double* pushed, double* turned, Team& team);
  /// The part of push() and settle() of braced nets: sweeps over the joints that close loops, which the
  /// caller alternates with solutions of the tree. `first`: the first time in a stage.
  void push_loops(World& world, vec4* rows, double* pushed, double* turned, Team& team);
  void settle_loops(World& world, vec4* rows, double* pushed, double* turned, bool first, Team& team);

  /// Writes the joints' multipliers into the World. Each thread has a share.
  void end_frame(World& world, Team& team);

 private:
  /// Joints of one type and with the same sides that can move, of one colour.
  struct Run {
    std::int32_t begin, end;  ///< slots, multiples of lane_group
    JointType type;
    unsigned sides;   ///< NetSides
    bool in_tree;     ///< joints of the net's tree
    bool plain_ball;  ///< in this frame: joints without bounds
  };
  struct Net {
    std::vector<std::int32_t> joints;
    std::vector<std::uint8_t> in_tree;  ///< per joint of `joints`; all 0: it has no tree
    std::int32_t first_run = 0, last_run = 0, first_slot = 0, last_slot = 0, first_body = 0, last_body = 0;
    bool large = false;  ///< its colours are large enough for several threads
    bool swept = false;
    bool braced = false;       ///< in this frame: a direct solution of its tree goes with the sweeps
    int sweeps = 1;            ///< over positions, in a substep of this frame
    bool pulls_ahead = true;   ///< contacts see the bodies with the last substep's impulses
    std::int32_t spoiled = 0;  ///< 1: without its joints in this substep
  };
  /// The threads that solve a net: all of the team, or one.
  struct Crew {
    Team& team;
    bool all;
    Share share(std::int64_t begin, std::int64_t end, std::int64_t block) const;
    bool first() const { return !all || team.rank() == 0; }
    void wait() const {
      if (all) team.barrier();
    }
  };

  void lay_out_net(const World& world, Net& net, std::vector<std::uint64_t>& used);
  void place_joint(const World& world, const Run& run, std::int32_t slot);
  void set_parameters(const World& world, const Run& run, std::int32_t slot);
  void set_row_parameters(const World& world, const Run& run, std::int32_t slot, double h);
  void break_joints(World& world, const Net& net, const Crew& crew);
  static std::size_t place_of(std::int32_t slot, int column, int columns) {
    return std::size_t(slot / lane_group) * std::size_t(columns * lane_group) +
           std::size_t(column * lane_group + slot % lane_group);
  }
  real& number(std::int32_t slot, int column) { return data_[place_of(slot, column, net_columns)]; }
  real& row_number(std::int32_t slot, int column) { return more_[place_of(slot, column, net_row_columns)]; }
  NetView<real> view(World& world, vec4* rows) {
    return {body_a_.data(),
            body_b_.data(),
            row_a_.data(),
            row_b_.data(),
            data_.data(),
            more_.data(),
            net_row_columns,
            &world.bodies.position.data()->x,
            &world.bodies.orientation.data()->x,
            &rows->x,
            fastest_,
            fastest_turn_};
  }
  template <class Visit>
  void visit_nets(Team& team, bool braced, const Visit& visit);
  template <class Stage>
  void sweep(const Net& net, const NetView<real>& view, const Crew& crew, bool back,
             const Stage& stage) const;
  template <class Visit>
  void visit_bodies(const Net& net, const Crew& crew, const Visit& visit) const;
  void keep_rows(const Net& net, const vec4* rows, const Crew& crew);
  static bool can_brace(const World& world, const Net& net);
  void drop_nonsense(const World& world, Net& net, vec4* rows, const Crew& crew);
  void note_changes(const Net& net, const vec4* rows, double* pushed, double* turned, bool anew,
                    const Crew& crew) const;

  const NetKernels<real>& kernels_;
  std::vector<Net> nets_;
  std::vector<std::int32_t> small_, large_;  ///< nets that are swept in this frame
  std::vector<std::int32_t> braced_;         ///< of them
  std::vector<Run> runs_;                    ///< colours
  std::vector<std::int32_t> slot_joint_;     ///< per slot; -1: padding
  std::vector<std::int8_t> sign_;            ///< per slot: -1 if its a is the joint's b
  std::vector<real> break_push_;             ///< kg m, per slot
  AlignedVector<std::int32_t> body_a_, body_b_, row_a_, row_b_;
  AlignedVector<real> data_, more_;
  std::vector<std::int32_t> bodies_;  ///< movable bodies of the nets
  struct Kept {
    vec4 shift, turn;
  };
  std::vector<Kept> kept_;  ///< per body of bodies_: rows set aside
  std::int64_t joints_ = 0;
  int rounds_ = 0;
  real fastest_ = 0, fastest_turn_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
