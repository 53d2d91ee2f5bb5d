// Visits every number of a value, by the lists of its members. The hash of a World and the search for values
// that are not finite use it.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/core/boxed.hpp"
#include "engine/core/members.hpp"

namespace limber {

/// Calls self.number(x) for each number (enumerators included) and self.length(n) before a list of n
/// elements, in the order of the members. To leave out a type, or to treat it differently, Self overloads
/// add() for it. A type with neither a list of members nor an overload does not compile.
template <class Self>
class NumberWalk {
 public:
  template <class T>
  void add(const T& number) requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    self().number(number);
  }
  template <int n, class T>
  void add(const glm::vec<n, T>& v) {
    for (int i = 0; i < n; ++i) self().number(v[i]);
  }
  template <Listed T>
  void add(const T& value) {
    for_each_member(value, [&](const auto& member) { self().add(member); });
  }
  template <class T, class Allocator>
  void add(const std::vector<T, Allocator>& list) {
    self().length(list.size());
    for (const T& one : list) self().add(one);
  }
  template <class T, std::size_t n>
  void add(const std::array<T, n>& list) {
    for (const T& one : list) self().add(one);
  }
  template <class T, std::size_t n>
  void add(const T (&list)[n]) {
    for (const T& one : list) self().add(one);
  }
  template <class... T>
  void add(const std::tuple<T...>& all) {
    std::apply([&](const auto&... one) { (self().add(one), ...); }, all);
  }
  template <class T>
  void add(const Boxed<T>& box) {
    self().add(*box);
  }
  template <class T>
  void add(const std::optional<T>& perhaps) {
    self().number(perhaps.has_value());
    if (perhaps) self().add(*perhaps);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace limber
