// The part of Session that builds, adds, removes and reloads its variants.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/lab/session.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

Expected<std::vector<std::unique_ptr<Variant>>> Session::build_variants(
    const SceneDesc& scene, std::shared_ptr<const SceneDesc> original,
    const std::vector<VariantSettings>& own) {
  std::vector<std::unique_ptr<Variant>> out;
  for (std::size_t k = 0; k < std::max<std::size_t>(own.size(), 1); ++k) {
    SceneDesc wanted = scene;
    VariantSettings settings = k < own.size() ? own[k] : VariantSettings();
    apply_changes(settings, wanted);
    auto built = build(std::move(wanted));
    if (!built) return built.error();
    if (!out.empty()) (*built)->set_threads(options_.threads, out.front()->simulation().machine().workers);
    out.push_back(std::make_unique<Variant>(std::move(*built), original, std::move(settings)));
  }
  return out;
}

/// Passes number, count, differing settings, heat map and overlay to every variant.
void Session::follow_variants() {
  std::vector<const SceneDesc*> scenes;
  for (const auto& variant : variants_) scenes.push_back(&variant->simulation().scene());
  const std::vector<std::string> texts = differences(scenes);
  for (std::size_t k = 0; k < variants_.size(); ++k) {
    VariantStatus& status = variants_[k]->status().variant;
    status.number = k;
    status.count = variants_.size();
    status.text = texts[k];
    variants_[k]->extractor().show(heat_map_);
    variants_[k]->extractor().show(heat_look_);
    variants_[k]->extractor().show(overlay_);
    if (!alone() && variants_[k]->start().empty() && variants_[k]->simulation().frame() == 0)
      variants_[k]->keep_start();
  }
}

void Session::unlink_differences() {
  std::set<std::string> unlinked;
  for (std::size_t k = 1; k < variants_.size(); ++k)
    for (const SetValue& change :
         user_changes(first().simulation().scene(), variants_[k]->simulation().scene()))
      unlinked.insert(change.path);
  unlinked_ = std::make_shared<const std::set<std::string>>(std::move(unlinked));
}

void Session::link(const std::string& path, bool linked) {
  std::set<std::string> unlinked = *unlinked_;
  if (linked)
    unlinked.erase(path);
  else
    unlinked.insert(path);
  unlinked_ = std::make_shared<const std::set<std::string>>(std::move(unlinked));
}

void Session::add_variant(std::size_t like) {
  if (like >= variants_.size()) return;
  take_over();
  if (variants_.size() == most_variants)
    return say(Message::Severity::info,
               "At most " + std::to_string(most_variants) + " variants stand side by side.");
  const Variant& model = *variants_[like];
  auto copy =
      std::make_unique<Variant>(model.simulation().clone(), model.status().original, model.own_settings());
  variants_.push_back(std::move(copy));
  past_.clear();  // the new variant has no earlier states
  follow_variants();
}

void Session::remove_variant(std::size_t number) {
  if (number == 0 || number >= variants_.size()) return;
  variants_.erase(variants_.begin() + std::ptrdiff_t(number));
  past_.clear();
  settle_from(number);
  follow_variants();
  warn_of(Moment::setting);
  tell_of_state_again();
}

void Session::reload(SceneReload changed) {
  if (!changed.scene) return report_error(changed.scene.error().text() + goes_on_, Subject::file);
  if (variants_.empty()) return open(std::move(changed.scene));
  take_over();
  const SceneDesc& original = *first().status().original;
  if (changed.scene->file != original.file) return;  // another scene was opened meanwhile
  std::vector<SceneDesc> wanted;
  int kept = 0;
  for (const auto& variant : variants_) {
    wanted.push_back(*changed.scene);
    kept =
        std::max(kept, apply_changes(user_changes(original, variant->simulation().scene()), wanted.back()));
  }
  const bool live = changed.settings &&
                    std::all_of(changed.settings->begin(), changed.settings->end(),
                                [&](const auto& path) { return value_of(wanted.front(), path).has_value(); });
  const Expected<std::string> done = live ? apply_live(changed, wanted) : rebuild(std::move(wanted));
  if (!done) return report_error(done.error().text() + goes_on_, Subject::file);
  settle(Subject::file);
  if (changed.taken) changed.taken();
  const auto now = std::make_shared<const SceneDesc>(std::move(*changed.scene));
  for (const auto& variant : variants_) {
    variant->set_original(now);
    variant->refresh_scene();
  }
  std::string text = "Reloaded " + first().status().name + ": " + *done;
  if (kept > 0)
    text += ", " + std::to_string(kept) + (kept == 1 ? " value of yours kept" : " values of yours kept");
  say(Message::Severity::info, text + ".");
}

/// Sets the changed values, taken from `wanted`, in the running scenes. Returns a message on what was done.
Expected<std::string> Session::apply_live(const SceneReload& changed, const std::vector<SceneDesc>& wanted) {
  int count = 0;
  bool built_again = false;
  for (std::size_t k = 0; k < variants_.size(); ++k) {
    Simulation& simulation = variants_[k]->simulation();
    const std::uint64_t version = simulation.model()->version;
    for (const std::string& path : *changed.settings) {
      const auto value = value_of(wanted[k], path);
      if (!value || value == value_of(simulation.scene(), path)) continue;
      const std::int64_t frame = simulation.frame();
      if (auto done = submit(*variants_[k], SetValue{path, *value}); !done) return done.error();
      if (k > 0) continue;
      inputs_.add(SetValue{path, *value}, frame);
      ++count;
    }
    built_again |= simulation.model()->version != version;
  }
  resume_stopped();
  if (built_again) {
    forget_past();
    warn_of(Moment::start);
    return std::string("built again");
  }
  warn_of(Moment::setting);
  return std::to_string(count) + (count == 1 ? " value changed live" : " values changed live");
}

Expected<std::string> Session::rebuild(std::vector<SceneDesc> wanted) {
  std::vector<std::unique_ptr<Simulation>> built;
  for (SceneDesc& scene : wanted) {
    auto one = build(std::move(scene));
    if (!one) return one.error();
    if (!built.empty()) (*one)->set_threads(options_.threads, built.front()->machine().workers);
    built.push_back(std::move(*one));
  }
  settle(Subject::build);
  for (std::size_t k = 0; k < built.size(); ++k) variants_[k]->adopt(std::move(built[k]));
  follow_variants();
  forget_past();
  inputs_.begin(first().simulation().scene());
  warn_of(Moment::start);
  if (running_) pace_.start(first().simulation().scene().solver.step->dt);
  return std::string("built again");
}

}  // namespace limber
