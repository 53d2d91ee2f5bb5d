#include "engine/state/world_hash.hpp"

#include <cstring>

#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/number_walk.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

class Hash : public NumberWalk<Hash> {
 public:
  std::uint64_t value() const { return value_; }

  template <class T>
  void number(const T& number) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &number, sizeof(T));
    for (const unsigned char byte : bytes) value_ = (value_ ^ byte) * 1099511628211ull;
  }
  void length(std::size_t size) { number(size); }

  using NumberWalk::add;
  void add(const std::shared_ptr<const Topology>& topology) {
    if (topology && topology->edition != 0) add(topology->triangles);
  }
  void add(const std::shared_ptr<const BodyParts>& parts) { add(parts->shapes.size()); }
  void add(const std::shared_ptr<const HeatMesh>&) {}
  void add(const Settings&) {}
  void add(const SoftLaw&) {}
  void add(const AirLoad&) {}
  void add(const Changes&) {}
  void add(const SoftState& soft) {  // an empty state adds nothing
    if (!soft.empty()) for_each_member(soft, [&](const auto& member) { add(member); });
  }
  void add(const Boxed<HeatState>& heat) {  // empty: adds nothing
    if (!heat->empty()) add(*heat);
  }
  void add(const Boxed<MaterialFields>& fields) {  // empty: adds nothing
    if (!fields->empty()) add(*fields);
  }
  template <class Type>
  void add(const FlowedRest<Type>& flowed) {
    if (!flowed.empty()) for_each_member(flowed, [&](const auto& member) { add(member); });
  }
  void add(const std::vector<Collider>&) {}

 private:
  std::uint64_t value_ = 14695981039346656037ull;
};

}  // namespace

std::uint64_t world_hash(const World& world) {
  Hash hash;
  hash.add(world);
  return hash.value();
}

}}  // namespace limber::LIMBER_PRECISION
