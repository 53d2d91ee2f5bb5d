// The members of a struct as a list, so that copying, hashing and counting bytes are written once.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace limber {

namespace detail {

template <class T, class... M>
consteval std::size_t size_with(const std::tuple<M T::*...>*) {
  std::size_t end = 0;
  const auto place = [&](std::size_t size, std::size_t alignment) {
    end = (end + alignment - 1) / alignment * alignment + size;
  };
  (place(sizeof(M), alignof(M)), ...);
  place(0, alignof(T));
  return end;
}

template <class List>
struct OwnerOf;
template <class T, class... M>
struct OwnerOf<std::tuple<M T::*...>> {
  using Type = T;
};

}  // namespace detail

/// A struct that lists pointers to all of its data members, in their order, as a static std::tuple called
/// `all_members`.
template <class T>
concept Listed = requires {
  T::all_members;
};

/// Whether the list has all members: laid out in the list's order, they must give the size of the struct. A
/// missing member goes unnoticed only if it fits into padding.
template <Listed T>
consteval bool lists_all_members() {
  using List = std::remove_const_t<decltype(T::all_members)>;
  static_assert(std::is_same_v<typename detail::OwnerOf<List>::Type, T>);
  return detail::size_with<T>(static_cast<const List*>(nullptr)) == sizeof(T);
}

/// Calls visit(member) for each member of `object`, in their order.
template <class Object, class Visit>
void for_each_member(Object& object, Visit&& visit) {
  using T = std::remove_const_t<Object>;
  static_assert(lists_all_members<T>());
  std::apply([&](auto... member) { (visit(object.*member), ...); }, T::all_members);
}

}  // namespace limber
