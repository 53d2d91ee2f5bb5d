#include "engine/state/world_bytes.hpp"

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// Bytes on the heap that a value owns; memory behind a shared_ptr is shared and does not count.
template <Listed T>
std::size_t held(const T& value);
template <class T>
std::size_t held(const T&) requires(!Listed<T>) {
  return 0;
}
std::size_t held(const ConstraintSet& all);
std::size_t held(const ConstraintState& all);
template <class T>
std::size_t held(const Boxed<T>& box) {
  return sizeof(T) + held(*box);
}
template <class T, class Allocator>
std::size_t held(const std::vector<T, Allocator>& list) {
  std::size_t bytes = list.capacity() * sizeof(T);
  if constexpr (!std::is_trivially_copyable_v<T>)
    for (const T& one : list) bytes += held(one);
  return bytes;
}
template <class T, std::size_t n>
std::size_t held(const std::array<T, n>& list) {
  std::size_t bytes = 0;
  for (const T& one : list) bytes += held(one);
  return bytes;
}
template <class... T>
std::size_t held(const std::tuple<T...>& all) {
  return std::apply([](const auto&... one) { return (std::size_t(0) + ... + held(one)); }, all);
}

std::size_t held(const ConstraintSet& all) { return held(static_cast<const PerType<StencilBatch>&>(all)); }
std::size_t held(const ConstraintState& all) { return held(static_cast<const PerType<StencilState>&>(all)); }

template <Listed T>
std::size_t held(const T& value) {
  std::size_t bytes = 0;
  for_each_member(value, [&](const auto& member) { bytes += held(member); });
  return bytes;
}

}  // namespace

std::size_t byte_count(const World& world) { return sizeof(World) + held(world); }
std::size_t byte_count(const Topology& topology) { return sizeof(Topology) + held(topology); }
std::size_t byte_count(const BodyParts& parts) { return sizeof(BodyParts) + held(parts); }

}}  // namespace limber::LIMBER_PRECISION
