// Assigns everything that stages can change to resources: each member of a World, and the scratch memory of a
// Stepper. Tests compare with it what a stage changes with what its row of the table declares.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/world.hpp"
#include "engine/step/order.hpp"
#include "engine/step/stepper.hpp"
#include "engine/step/uses.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Stands for what no stage changes: it changes between frames, or when the scene is built.
inline constexpr Resource fixed = Resource::count;

/// A member and its resource.
template <class T, class M>
struct Owned {
  M T::*member;
  Resource resource;
};
template <class T, class M>
Owned(M T::*, Resource) -> Owned<T, M>;

/// The members of a group of the World with their resources, in the order of `all_members`.
template <class T>
struct Owners;

template <>
struct Owners<Particles> {
  using P = Particles;
  using R = Resource;
  /// `places` and `speeds` mean the rows of particles; the rows of turns behind them are `turns`.
  static constexpr auto list = std::tuple(
      Owned{&P::count, fixed}, Owned{&P::turns, fixed}, Owned{&P::position, R::places},
      Owned{&P::previous, R::places}, Owned{&P::origin, R::places}, Owned{&P::moved, R::places},
      Owned{&P::predicted, R::places}, Owned{&P::moved_before, R::places}, Owned{&P::velocity, R::speeds},
      Owned{&P::acceleration, R::surfaces}, Owned{&P::inverse_mass, R::places},
      Owned{&P::lasting, R::surfaces}, Owned{&P::stray, R::surfaces}, Owned{&P::object, fixed});
};

template <>
struct Owners<Matter> {
  using M = Matter;
  using R = Resource;
  static constexpr auto list = std::tuple(
      Owned{&M::constraints, R::links}, Owned{&M::volume_goals, R::pressure},
      Owned{&M::cluster_rotations, R::clusters}, Owned{&M::cluster_stiffness, R::clusters},
      Owned{&M::grain_rolls, R::grains}, Owned{&M::fluid, R::fluids}, Owned{&M::soft, R::clusters});
};

template <>
struct Owners<ContactState> {
  using C = ContactState;
  using R = Resource;
  static constexpr auto list = std::tuple(
      Owned{&C::bodies, R::bodies}, Owned{&C::body_step, R::bodies}, Owned{&C::particles, R::grains},
      Owned{&C::particle_step, R::grains}, Owned{&C::surfaces, R::surfaces},
      Owned{&C::surface_step, R::surfaces}, Owned{&C::rod_holds, R::walls}, Owned{&C::rod_holders, R::walls},
      Owned{&C::rod_step, R::walls}, Owned{&C::tangle_watch, R::surfaces}, Owned{&C::untangling, R::surfaces},
      Owned{&C::parted, R::surfaces});
};

template <>
struct Owners<User> {
  using U = User;
  static constexpr auto list = std::tuple(Owned{&U::attachments, fixed}, Owned{&U::ties, fixed},
                                          Owned{&U::point_ties, Resource::coupling}, Owned{&U::grab, fixed},
                                          Owned{&U::body_grab, fixed}, Owned{&U::turn_grab, fixed},
                                          Owned{&U::ball, fixed}, Owned{&U::cut, fixed});
};

/// A World's groups: those with a list above are `fixed` here, and for_each_owned() visits their members.
template <>
struct Owners<World> {
  using W = World;
  using R = Resource;
  static constexpr auto list = std::tuple(
      Owned{&W::topology, R::mesh}, Owned{&W::settings, fixed}, Owned{&W::colliders, fixed},
      Owned{&W::particles, fixed}, Owned{&W::bodies, R::bodies}, Owned{&W::matter, fixed},
      Owned{&W::heat, R::warmth}, Owned{&W::fields, fixed}, Owned{&W::contacts, fixed},
      Owned{&W::user, fixed}, Owned{&W::history, R::notes}, Owned{&W::settling, R::notes},
      Owned{&W::air, R::notes}, Owned{&W::time, fixed}, Owned{&W::frame, fixed}, Owned{&W::changes, fixed});
};

template <class T>
concept HasOwners = requires {
  Owners<T>::list;
};

/// Whether Owners<T> lists exactly the members of T.
template <class T>
consteval bool owners_are_complete() {
  constexpr auto& list = Owners<T>::list;
  constexpr auto& all = T::all_members;
  if constexpr (std::tuple_size_v<std::remove_cvref_t<decltype(list)>> !=
                std::tuple_size_v<std::remove_cvref_t<decltype(all)>>) {
    return false;
  } else {
    return []<std::size_t... k>(std::index_sequence<k...>) {
      const auto equal = [](auto a, auto b) {
        if constexpr (std::is_same_v<decltype(a), decltype(b)>)
          return a == b;
        else
          return false;
      };
      return (equal(std::get<k>(list).member, std::get<k>(all)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(all)>>>());
  }
}

/// Calls visit(resource, a, b) for each member of two Worlds of one size, or for spans of it: the rows of
/// particles and those of turns. `W`: World or const World.
template <class T, class Visit>
void for_each_owned(T& a, T& b, const Visit& visit) {
  using Group = std::remove_const_t<T>;
  static_assert(owners_are_complete<Group>(), "engine/step/resources.hpp lists the members of this struct");
  std::apply(
      [&](const auto&... owned) {
        const auto one = [&](auto& group, const auto& entry) {
          auto &own = group.*entry.member, &other = b.*entry.member;
          using Member = std::remove_cvref_t<decltype(own)>;
          if constexpr (HasOwners<Member>) {
            for_each_owned(own, other, visit);
          } else if constexpr (std::is_same_v<Group, Particles> &&
                               (std::is_same_v<Member, AlignedVector<vec4>> ||
                                std::is_same_v<Member, AlignedVector<real>>)) {
            if (entry.resource == Resource::surfaces)
              return visit(entry.resource, std::span(own), std::span(other));
            const std::size_t rows = std::size_t(group.padded());
            visit(entry.resource, std::span(own).first(rows), std::span(other).first(rows));
            visit(Resource::turns, std::span(own).subspan(rows), std::span(other).subspan(rows));
          } else {
            visit(entry.resource, own, other);
          }
        };
        (one(a, owned), ...);
      },
      Owners<Group>::list);
}

/// The scratch memory of a Stepper by its resources. What is `fixed` belongs to the loop over stages.
/// Coupling comes before surfaces, which keep a span of its walls.
struct Stepper::Scratch {
  using R = Resource;
  using S = Stepper;
  static constexpr auto list = std::tuple(
      Owned{&S::method_, R::links}, Owned{&S::contacts_, R::walls}, Owned{&S::coupling_, R::coupling},
      Owned{&S::surface_contacts_, R::surfaces}, Owned{&S::surface_traits_, R::surfaces},
      Owned{&S::bodies_, R::bodies}, Owned{&S::ties_, R::coupling}, Owned{&S::particle_contacts_, R::grains},
      Owned{&S::sheet_contacts_, R::grains}, Owned{&S::matching_, R::clusters}, Owned{&S::soft_, R::clusters},
      Owned{&S::tearing_, R::notes}, Owned{&S::tet_tearing_, R::notes}, Owned{&S::soft_breaking_, R::notes},
      Owned{&S::rod_breaking_, R::notes}, Owned{&S::triangles_, fixed}, Owned{&S::pressure_, R::pressure},
      Owned{&S::rods_, R::links}, Owned{&S::fluids_, R::fluids}, Owned{&S::spray_, R::fluids},
      Owned{&S::rigid_damping_, R::notes}, Owned{&S::spin_, R::notes}, Owned{&S::settling_, R::notes},
      Owned{&S::bdf2_, R::notes}, Owned{&S::heat_, R::warmth}, Owned{&S::frozen_, R::warmth},
      Owned{&S::wind_, R::notes}, Owned{&S::started_, R::places}, Owned{&S::near_mouth_, R::fluids},
      Owned{&S::present_, fixed}, Owned{&S::waits_, fixed}, Owned{&S::waits_for_, fixed},
      Owned{&S::probe_, fixed}, Owned{&S::watch_, fixed}, Owned{&S::observer_, fixed},
      Owned{&S::stopped_, fixed}, Owned{&S::clock_, fixed}, Owned{&S::stages_, fixed},
      Owned{&S::next_block_, fixed}, Owned{&S::nonfinite_, fixed}, Owned{&S::cancel_, fixed},
      Owned{&S::cancelled_at_, fixed});

  struct Stage {
    std::string_view name;
    FramePart part;
    Uses uses;
  };
  /// The names, parts of the frame and uses of the table of stages.
  static std::vector<Stage> stages() {
    std::vector<Stage> out;
    for (const Stages::Row& row : Stages::table) out.push_back({row.name, row.part, row.uses});
    return out;
  }
  /// Calls visit(resource, address, size) for each member, in the order of their addresses.
  template <class Visit>
  static void for_each(Stepper& stepper, const Visit& visit) {
    std::apply(
        [&](const auto&... owned) {
          (visit(owned.resource, reinterpret_cast<std::byte*>(&(stepper.*owned.member)),
                 sizeof(stepper.*owned.member)),
           ...);
        },
        list);
  }
};

}}  // namespace limber::LIMBER_PRECISION
