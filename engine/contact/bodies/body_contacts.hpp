// Contacts of rigid bodies with each other and with the scene's colliders, found once a frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/contact/bodies/body_pairs.hpp"
#include "engine/contact/bodies/crowded_pairs.hpp"
#include "engine/contact/bodies/manifold.hpp"
#include "engine/contact/bodies/seam_contacts.hpp"
#include "engine/contact/bodies/skin_patches.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/core/aligned.hpp"
#include "engine/geometry/contact_mark.hpp"
#include "engine/state/schedule.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Finds the pairs (broad phase over the motion that bodies can have in the frame), computes their manifolds,
/// colours the contacts and lays out their slots.
///
/// ContactState::bodies has an entry for every manifold of every pair that the broad phase found. A contact
/// point takes over the multipliers of the last frame's point nearest to it on the body. Pairs are processed
/// in the order of their numbers and coloured first fit over the bodies that can move, so that nothing
/// depends on the number of threads. Contacts beyond 64 colours are solved in order by one thread.
class BodyContacts {
 public:
  /// Index of the first row of a body in the kernels' array. Behind the bodies are the colliders, then the
  /// rows of two padding bodies, then the patches of skin that bodies touch in this frame.
  static std::int32_t row_of_body(std::int32_t body) { return body_rows * body; }
  static std::int32_t row_of_collider(const World& world, std::size_t c) {
    return body_rows * (world.bodies.count() + std::int32_t(c));
  }
  /// Number of rows of bodies and colliders, without the rows of skin patches.
  static std::size_t rows(const World& world) {
    return std::size_t(body_rows) * (std::size_t(world.bodies.count()) + world.colliders.size() + 2);
  }
  SkinPatches& skin() { return skin_; }

  void reserve(const World& world);

  /// Finds the contacts of a frame and wakes sleeping bodies that a moving body or collider comes near.
  /// Colliders must be at their poses of the frame's start; `statics` knows their motion. Must be called by
  /// every thread of the team.
  void begin_frame(World& world, real dt, const StaticContacts& statics, Team& team);

  /// Stores the multipliers in ContactState::bodies, after the last substep. Must be called by every thread
  /// of the team.
  void end_frame(World& world, const Team& team);

  /// The slot of entry `contact` of ContactState::bodies; -1: the entry has no contact points.
  std::int32_t slot_of(std::size_t contact) const { return slot_of_[contact]; }

  /// Manifold and poses of two shapes at some time within a substep. Positions are relative to `origin` (m,
  /// in the world).
  struct Meeting {
    Manifold manifold;              ///< of collide(), normal from b to a
    Placed place_a;                 ///< of shape a
    vec3 center_a{0}, center_b{0};  ///< m, points from which arms are measured
    vec3 origin{0};
  };
  /// Replaces the manifold of an entry within a frame. The separations of the new manifold are those at
  /// present; `rows` are the kernels' rows. The multipliers of the old manifold are dropped.
  void replace(World& world, std::size_t contact, const Meeting& meeting, const real* rows);

  BodyContactView<real> view() { return {side_a_.data(), side_b_.data(), data_.data()}; }

  /// Runs of slots of one colour, in the order in which they are solved; no two contacts of a run share a
  /// movable body. two_sided: contacts of which both sides can move; they come before the others.
  std::span<const ColorRun> colors(bool two_sided) const { return colors_[two_sided]; }
  /// Slots to be solved one by one.
  ColorRun overflow(bool two_sided) const { return overflow_[two_sided]; }

  std::int32_t slots() const { return std::int32_t(side_a_.size()); }
  bool rolling() const { return rolling_; }
  /// Whether a contact has got the normal of the ground (see SeamContacts): it stands for a plane for the
  /// whole frame.
  bool on_ground(std::size_t contact) const { return on_ground_[contact] != 0; }
  /// Two movable bodies overlap by more than margin_share_ of a shape's reach.
  bool deep() const { return deep_; }
  std::int64_t touching(const World& world) const;  ///< points that pushed in the last substep
  void read_contacts(const World& world, std::vector<ContactMark>& out) const;

 private:
  struct Motion {
    vec3 shift{0};  ///< m, in the frame
    real turn = 0;  ///< m, largest displacement of any point by the rotation
    vec3 fall{0};   ///< m, part of `shift` that gravity adds
  };
  /// Bounds of a collider.
  struct Obstacle {
    Bounds own;      ///< m, around it in its own frame; a plane has none
    real reach = 0;  ///< m, largest distance of its points from its position
  };

  static Obstacle obstacle_of(const Bounds& own);
  void place_boxes(const World& world, real dt, const StaticContacts& statics, const Team& team);
  std::span<const BoxPair> touching_pairs(const World& world);
  void begin_lists(World& world);
  static bool idle(const World& world, const StaticContacts& statics);
  void forget(World& world);
  bool wake_touched(World& world);
  void place_colliders(const World& world, const StaticContacts& statics);
  void find_manifolds(World& world, const StaticContacts& statics, const Team& team);
  void find_manifold(World& world, const StaticContacts& statics, std::size_t pair,
                     std::span<const BodyContact> known);
  void aim(const World& world, const BoxPair& pair, const ConvexShape& b, const Placed& at_b,
           Manifold& manifold) const;
  void find_covered(const World& world, const Team& team);
  void meet_along_ground(World& world, const Team& team);
  bool meet_along(const World& world, std::size_t pair, const vec3& normal, Manifold& manifold) const;
  std::span<const BodyContact> known_of(const BoxPair& pair) const;
  real reach_of(const World& world, const BoxPair& pair) const;
  void find_skin(const World& world, const StaticContacts& statics);
  void keep(const World& world, const BoxPair& pair, std::int32_t patch, const Manifold& manifold,
            std::span<const BodyContact> known, BodyContact& out) const;
  void begin_links(const World& world, const Team& team);
  void note_links(const World& world, const Team& team);
  bool links_changed();
  void color();
  void pad(const World& world);
  void fill(const World& world, const Team& team);
  void fill_slot(const World& world, std::size_t contact);
  void fill_slot(const World& world, std::size_t contact, const Manifold& manifold, const vec3& center_a,
                 const vec3& center_b);
  bool movable_side(const World& world, std::int32_t shape) const;
  /// A contact's side as the kernels need it: its first row, and the point from which its arms are measured.
  struct SideRow {
    std::int32_t row;
    vec3 center;
  };
  SideRow side_of(const World& world, std::size_t contact, std::int32_t shape) const;
  BodyMaterial material_of(const World& world, std::int32_t shape) const;
  real near_of(const World& world, const BodyContact& contact) const;

  /// Distance at which contacts are made early, as a share of a shape's reach.
  static constexpr real margin_share_ = real(0.02);

  std::vector<Obstacle> obstacles_;
  std::vector<PairBox> boxes_;   ///< shapes, then colliders
  std::vector<Motion> motions_;  ///< shapes, then colliders
  std::vector<Placed> places_;   ///< of shapes
  BodyPairs found_;
  CrowdedPairs crowded_;
  std::vector<BoxPair> touching_;    ///< pairs that touch, if the scene restricts which shapes touch
  std::span<const BoxPair> pairs_;   ///< the found pairs that get manifolds
  std::vector<BodyContact> before_;  ///< of the last frame
  std::vector<std::int32_t> first_;  ///< per pair: its first entry in `contacts_`
  std::vector<Manifold> manifolds_;  ///< per entry
  SeamContacts seams_;
  struct Covered {
    std::int32_t pair, entry;
    vec3 along;
  };
  std::vector<std::vector<Covered>> covered_;  ///< per thread
  std::vector<char> on_ground_;                ///< per entry: made by meet_along_ground()
  SkinPatches skin_;
  std::vector<std::int32_t> skin_of_;  ///< per entry: its patch of skin, or -1; empty without such colliders
  /// The movable bodies that a contact links.
  struct Link {
    std::int32_t one = -1, other = -1;  ///< one = -1: nothing touches; other = -1: `one` alone can move
    friend bool operator==(const Link&, const Link&) = default;
  };
  struct Noted {
    bool changed = false, rolling = false, deep = false;
  };
  std::vector<Link> links_;   ///< per entry; those of the last frame have the present colours and slots
  bool colored_ = false;      ///< color() has run since reserve() and forget()
  std::vector<Noted> noted_;  ///< per thread
  std::vector<std::uint64_t> used_[2];
  std::vector<std::int32_t> slot_of_;  ///< per entry of ContactState::bodies; -1: nothing touches
  std::vector<std::int16_t> color_of_;
  std::vector<ColorRun> colors_[2];
  ColorRun overflow_[2] = {};
  AlignedVector<std::int32_t> side_a_, side_b_;
  AlignedVector<real> data_;
  std::vector<std::int32_t> touched_;  ///< bodies that sleep
  bool idle_ = false;                  ///< true: no body and no collider that bodies could touch is awake
  bool woken_ = false;
  bool rolling_ = false, deep_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
