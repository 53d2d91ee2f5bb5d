#include "app/watch/friction_limits.hpp"

#include <algorithm>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {
namespace {

/// Joins items as "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 < items.size() ? ", " : " and ") + items[i];
  return text;
}

double number_of_bodies(const SceneDesc& scene) {
  double sum = 0.0;
  for (const BodyDesc& body : scene.bodies) sum += body.copies.x * body.copies.y * body.copies.z;
  return sum;
}

/// True for a rigid cluster, whose contacts have rows that keep their multipliers.
bool is_cluster(const ObjectDesc& object) { return traits_of(object).touching && !traits_of(object).heaps(); }

}  // namespace

std::string friction_limits_text(const SceneDesc& scene) {
  if (scene.solver.contact->friction_model == FrictionModel::positional) return {};
  const auto any = [&](const auto& asked) {
    return std::any_of(scene.objects.begin(), scene.objects.end(), asked);
  };
  const bool sheets = any([](const ObjectDesc& o) { return traits_of(o).surface; });
  const bool grains = any([](const ObjectDesc& o) { return traits_of(o).heaps(); });
  const bool clusters = any(is_cluster), colliders = !scene.colliders.empty();
  const bool particles = any([](const ObjectDesc& o) { return traits_of(o).particles; });
  std::vector<std::string> kept;
  const auto add = [&](bool there, const char* contacts) {
    if (there) kept.emplace_back(contacts);
  };
  const bool bodies = !scene.bodies.empty();
  add(bodies && colliders, "bodies with each other and with colliders");
  add(number_of_bodies(scene) > 1.0 && !colliders, "bodies with each other");
  add(sheets && scene.solver.contact->cloth_collision, "cloth with cloth");
  add(grains, "grains with each other");
  add(clusters, colliders ? "clusters with each other and with colliders" : "clusters with each other");
  add(sheets && particles, "particles with cloth");
  add(bodies && (grains || clusters), "grains and clusters with bodies");
  if (kept.empty()) return {};
  return "solver.friction_model velocity_filter does not act on the contacts of " + listed(kept) +
         ": their friction stays positional";
}

}  // namespace limber
