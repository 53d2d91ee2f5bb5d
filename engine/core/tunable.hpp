// Table of a settings struct: it drives the inspector, the scene file, `--set path=value`, the JSON schema
// and the documentation. There is no second list of names, units, ranges or defaults anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/core/acts_with.hpp"
#include "engine/core/boxed.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// A value in transit between a scene file, an option, a slider and a settings struct. SI units.
using Value = std::variant<bool, long, double, glm::dvec3, std::string>;

/// Cost of a change of the field: `live` acts at the next frame, `rebuild` builds the World anew.
enum class Effect { live, rebuild };

/// Map from a slider's travel to the value.
enum class Scale { linear, logarithmic };

/// Group of the inspector in which settings of several structs stand together.
enum class Topic { none, collision, pressure, tearing };

/// A row of a settings struct's table.
struct Field {
  enum class Kind { boolean, integer, number, vector, choice, text };

  std::string_view name;     ///< key in the scene file, snake_case
  std::string_view label;    ///< name in the inspector
  std::string_view unit;     ///< SI unit, "" when dimensionless
  std::string_view tooltip;  ///< one or two sentences with the equation or its source
  double min = 0.0;          ///< smallest accepted value (per component for vectors)
  double max = 0.0;          ///< largest accepted value
  Effect effect = Effect::live;
  Scale scale = Scale::linear;
  Kind kind = Kind::number;
  std::span<const std::string_view> options{};  ///< names of a choice, in enum order
  void* (*member)(void* settings) = nullptr;    ///< address of the member inside its struct
  void (*changed)(void* settings) = nullptr;  ///< called after a new value was set; null: nothing more to do
  /// Address of the bool that is true if the program chose this number when it loaded the scene; null: the
  /// field has no such choice.
  void* (*automatic)(void* settings) = nullptr;
  /// A text of names separated by commas; a scene file may have a JSON list instead
  bool lists_names = false;
  Topic topic = Topic::none;
  std::uint32_t part = 0;  ///< bit that names a part of the table; 0: the row belongs to no part
  /// Bits of scene_part: the setting acts only in scenes with one of these parts; 0: in all
  std::uint32_t needs = 0;
  ActsWith methods{};  ///< methods (values of SolverMethod) with which the setting acts

  /// Copy of the row in the inspector's group `subject`.
  constexpr Field about(Topic subject) const {
    Field row = *this;
    row.topic = subject;
    return row;
  }
  /// Copy of the row for a setting that acts only in scenes with one of `parts` (scene_part).
  constexpr Field needing(std::uint32_t parts) const {
    Field row = *this;
    row.needs = parts;
    return row;
  }
  /// Copy of the row for a setting that acts only with these methods.
  constexpr Field with(ActsWith those) const {
    Field row = *this;
    row.methods = those;
    return row;
  }
  /// Copy of the row, in part `which` of the table.
  constexpr Field in(std::uint32_t which) const {
    Field row = *this;
    row.part = which;
    return row;
  }
};

/// Word for "the program chooses the number" in scene files, options and text boxes.
inline constexpr std::string_view automatic_word = "auto";

/// Whether the program chose the field's number (Field::automatic).
bool is_automatic(const Field& field, const void* settings);

/// Reads the field out of `settings` (a pointer to the struct whose table holds `field`).
Value get(const Field& field, const void* settings);

/// The value as a scene file would have it: automatic_word if the program chose the number, otherwise get().
Value said(const Field& field, const void* settings);

/// Writes `value` into `settings`. Integers convert to numbers. For a field with Field::automatic,
/// automatic_word keeps the number and marks it as chosen by the program; a number removes the mark. Fails,
/// changing nothing, on a wrong type, an unknown choice (with the nearest name), a non-finite number or a
/// value out of range.
Expected<void> set(const Field& field, void* settings, const Value& value);

/// Reads a value from text ("0.5", "true", "xpbd", "0,-9.81,0") as the field's kind demands.
Expected<Value> parse(const Field& field, std::string_view text);

/// The value as a text that parse() reads back.
std::string to_text(const Value& value);

/// The name in `names` nearest to `word` by edit distance, or "" if none is near enough to suggest. Parts of
/// a path and file endings that both words have do not count as similar.
std::string nearest_name(std::string_view word, std::span<const std::string_view> names);

/// "did you mean 'x'?" or, with nothing near, "valid names: a, b, c"; the tail of every unknown-name error.
std::string suggest(std::string_view word, std::span<const std::string_view> names);

namespace detail {
template <class T>
struct MemberOf;
template <class S, class M>
struct MemberOf<M S::*> {
  using Struct = S;
  using Type = M;
};
template <class S>
struct Root {};
template <class S>
struct MemberOf<const Root<S>> {
  using Struct = S;
};
template <class S>
struct MemberOf<Root<S>> {
  using Struct = S;
};
/// The member of `settings` to which one step of a path leads.
template <class S, class M>
M& step_into(S& settings, M S::*member) {
  return settings.*member;
}
template <class S>
S& step_into(S& settings, Root<S>) {
  return settings;
}
template <class T>
T& unboxed(T& inner) {
  return inner;
}
template <class T>
T& unboxed(Boxed<T>& inner) {
  return *inner;
}
/// A member of a struct, or a member of a struct inside the struct (or in a box there), to any depth.
template <auto... Path>
struct MemberPath;
template <auto Member>
struct MemberPath<Member> {
  using Struct = typename MemberOf<decltype(Member)>::Struct;
  using Type = typename MemberOf<decltype(Member)>::Type;
  static Type& of(Struct& settings) { return settings.*Member; }
};
template <auto First, auto Next, auto... Rest>
struct MemberPath<First, Next, Rest...> {
  using Inner = MemberPath<Next, Rest...>;
  using Struct = typename MemberOf<decltype(First)>::Struct;
  using Type = typename Inner::Type;
  static Type& of(Struct& settings) { return Inner::of(unboxed(step_into(settings, First))); }
};
template <auto... Path>
void* member_address(void* settings) {
  using Member = MemberPath<Path...>;
  return &Member::of(*static_cast<typename Member::Struct*>(settings));
}
template <class Type, auto... Path>
constexpr bool member_is = std::is_same_v<typename MemberPath<Path...>::Type, Type>;
}  // namespace detail

/// First step of a path to a member that `Struct` may inherit from a base: number<path_in<S>, &S::dt>({...}).
/// (The type of &S::dt is that of the base and does not tell where in S the base lies.)
template <class Struct>
inline constexpr detail::Root<Struct> path_in{};

/// Functions that make rows. The member pointer is a template argument, so that a row is a constant:
/// number<&S::dt>({...}). Several member pointers lead into a struct inside the struct:
/// number<&ObjectDesc::cloth, &ClothDesc::width>({...}).
struct NumberSpec {
  std::string_view name, label, unit;
  double min, max;
  std::string_view tooltip;
  Effect effect = Effect::live;
  Scale scale = Scale::linear;
};
template <auto... Path>
constexpr Field number(NumberSpec s) {
  static_assert(detail::member_is<double, Path...>);
  return {s.name,
          s.label,
          s.unit,
          s.tooltip,
          s.min,
          s.max,
          s.effect,
          s.scale,
          Field::Kind::number,
          {},
          detail::member_address<Path...>};
}
template <auto... Path>
constexpr Field integer(NumberSpec s) {
  static_assert(detail::member_is<int, Path...>);
  return {s.name,
          s.label,
          s.unit,
          s.tooltip,
          s.min,
          s.max,
          s.effect,
          s.scale,
          Field::Kind::integer,
          {},
          detail::member_address<Path...>};
}
template <auto... Path>
constexpr Field vector(NumberSpec s) {
  static_assert(detail::member_is<glm::dvec3, Path...>);
  return {s.name,
          s.label,
          s.unit,
          s.tooltip,
          s.min,
          s.max,
          s.effect,
          s.scale,
          Field::Kind::vector,
          {},
          detail::member_address<Path...>};
}
template <auto... Path>
constexpr Field boolean(std::string_view name, std::string_view label, std::string_view tooltip,
                        Effect effect = Effect::live) {
  static_assert(detail::member_is<bool, Path...>);
  return {name,
          label,
          "",
          tooltip,
          0,
          1,
          effect,
          Scale::linear,
          Field::Kind::boolean,
          {},
          detail::member_address<Path...>};
}
template <auto... Path>
constexpr Field text(std::string_view name, std::string_view label, std::string_view tooltip,
                     Effect effect = Effect::rebuild) {
  static_assert(detail::member_is<std::string, Path...>);
  return {name,
          label,
          "",
          tooltip,
          0,
          0,
          effect,
          Scale::linear,
          Field::Kind::text,
          {},
          detail::member_address<Path...>};
}
/// A text of names separated by commas. Changes act at the next frame.
template <auto... Path>
constexpr Field name_list(std::string_view name, std::string_view label, std::string_view tooltip) {
  Field row = text<Path...>(name, label, tooltip, Effect::live);
  row.lists_names = true;
  return row;
}
/// A whole number for which the scene may have automatic_word. `Chosen`: path of the bool that records it.
template <auto... Chosen>
constexpr Field or_automatic(Field row) {
  static_assert(detail::member_is<bool, Chosen...>);
  row.automatic = detail::member_address<Chosen...>;
  return row;
}
/// `options` must outlive the table (a static array); the member is an enum with underlying type int.
template <auto... Path>
constexpr Field choice(std::string_view name, std::string_view label,
                       std::span<const std::string_view> options, std::string_view tooltip,
                       Effect effect = Effect::live) {
  using E = typename detail::MemberPath<Path...>::Type;
  static_assert(std::is_enum_v<E> && std::is_same_v<std::underlying_type_t<E>, int>);
  return {name,
          label,
          "",
          tooltip,
          0,
          double(options.size()) - 1,
          effect,
          Scale::linear,
          Field::Kind::choice,
          options,
          detail::member_address<Path...>};
}

/// Copies of the rows for settings that act only in scenes with one of `parts` (Field::needs).
template <std::size_t size>
constexpr std::array<Field, size> all_needing(std::uint32_t parts, std::array<Field, size> rows) {
  for (Field& row : rows) row.needs = parts;
  return rows;
}

/// The rows of all tables as one.
template <std::size_t... Sizes>
constexpr auto joined(const std::array<Field, Sizes>&... tables) {
  std::array<Field, (Sizes + ...)> all{};
  std::size_t at = 0;
  (
      [&] {
        for (const Field& row : tables) all[at++] = row;
      }(),
      ...);
  return all;
}

}  // namespace limber
