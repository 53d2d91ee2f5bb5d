// What a Session has to say.
#include <set>
#include <utility>

#include "app/sim/session.hpp"
#include "engine/scene/mesh_path.hpp"

namespace limber {

std::string Session::about_state_of(std::size_t variant) {
  const std::string state(Subject::state);
  return variant == 0 ? state : state + "/variant " + std::to_string(variant + 1);
}

/// "pbd: " before what is said of one of several.
std::string Session::called(std::size_t number) const {
  if (alone()) return {};
  const std::string& text = variants_[number]->status().variant.text;
  return (text.empty() ? "variant " + std::to_string(number + 1) : text) + ": ";
}

/// A complaint stands until the next one about the same, settle() or another scene.
void Session::say(Message::Severity severity, std::string text, std::string about, std::size_t variant) {
  if (!about.empty()) complaints_.insert(about);
  messages_.push_back({severity, std::move(text), std::move(about), loads_, {}, variant});
}

/// What was complained of it holds no more.
void Session::settle(const std::string& about) {
  const auto concerned = [&](const std::string& one) { return is_about(one, about); };
  if (std::erase_if(complaints_, concerned) == 0) return;
  messages_.push_back({Message::Severity::info, {}, about, loads_});
}

void Session::warn(const Warning& warning, std::string about, std::size_t variant,
                   Message::Severity severity) {
  say(severity, called(variant) + warning.text, std::move(about), variant);
  messages_.back().remedies = warning.remedies;
}

/// What was said of that moment before goes. A build sets the settings, too. What holds for all variants is
/// said of the first.
void Session::warn_of(Moment moment) {
  const std::string subject = moment == Moment::start ? Subject::start : Subject::setting;
  settle(subject);
  int count = 0;
  std::set<std::string> said;
  if (moment == Moment::start && !variants_.empty())
    for (const std::string& fact : variants_.front()->simulation().model()->facts)
      say(Message::Severity::info, fact, subject + "/" + std::to_string(count++), 0);
  for (std::size_t k = 0; k < variants_.size(); ++k) {
    const Simulation& simulation = variants_[k]->simulation();
    const Measures measures = simulation.measure();
    for (const Warning& warning : find_warnings(moment, {simulation, measures}))
      if (said.insert(warning.text).second) warn(warning, subject + "/" + std::to_string(count++), k);
  }
  if (moment == Moment::start) warn_of(Moment::setting);
}

/// Looks for what is wrong between frames.
void Session::watch_state(std::size_t number, bool undone) {
  const SceneWatch::Change change = variants_[number]->watch(undone);
  const std::string about = about_state_of(number) + "/";
  for (const std::string& key : change.settled) settle(about + key);
  using enum Message::Severity;
  for (const SceneWatch::Found& found : change.raised)
    warn(found.warning, about + found.key(), number, undone ? error : warning);
}

/// A scene starts again from memory, but who deleted or renamed its file, or a mesh, may think it was read.
void Session::look_for_files() {
  const std::vector<std::string> missing = missing_files(first().simulation().scene());
  if (missing.empty()) return settle(Subject::gone);
  std::string names;
  for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
  say(Message::Severity::warning,
      names + (missing.size() == 1 ? " is" : " are") + " gone: the scene starts again as it was read before.",
      Subject::gone);
}

}  // namespace limber
