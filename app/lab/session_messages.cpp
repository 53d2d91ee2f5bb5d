// Messages of a Session.
#include <set>
#include <utility>

#include "app/lab/session.hpp"
#include "engine/core/measures.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/mesh_path.hpp"

namespace limber {

std::string Session::about_state_of(std::size_t variant) {
  const std::string state(Subject::state);
  return variant == 0 ? state : state + "/variant " + std::to_string(variant + 1);
}

/// The prefix "pbd: " for a message about one of several variants.
std::string Session::called(std::size_t number) const {
  if (alone()) return {};
  const std::string& text = variants_[number]->status().variant.text;
  return (text.empty() ? "variant " + std::to_string(number + 1) : text) + ": ";
}

/// Reports a message. A complaint stands until the next one with the same subject, settle() or another scene.
void Session::say(Message::Severity severity, std::string text, std::string about, std::size_t variant) {
  if (!about.empty()) complaints_[about] = {text, variant};
  messages_.push_back({severity, std::move(text), std::move(about), loads_, {}, variant});
}

/// Takes back the complaints about a subject.
void Session::settle(const std::string& about) {
  const auto concerned = [&](const auto& one) { return is_about(one.first, about); };
  if (std::erase_if(complaints_, concerned) == 0) return;
  messages_.push_back({Message::Severity::info, {}, about, loads_});
}

/// Takes back messages of a removed variant, and of the variants behind it, whose numbers have changed.
void Session::settle_from(std::size_t variant) {
  std::vector<std::string> gone;
  for (const auto& [about, complaint] : complaints_)
    if (complaint.variant >= variant) gone.push_back(about);
  for (const std::string& about : gone) settle(about);
}

/// Repeats standing complaints about variants whose numbers have changed.
void Session::tell_of_state_again() {
  for (std::size_t k = 0; k < variants_.size(); ++k)
    for (const SceneWatch::Found* found : variants_[k]->troubles()) {
      const std::string about = about_state_of(k) + "/" + found->key();
      if (!complaints_.contains(about)) warn(found->warning, about, k);
    }
}

void Session::warn(const Warning& warning, std::string about, std::size_t variant,
                   Message::Severity severity) {
  say(severity, called(variant) + warning.text, std::move(about), variant);
  messages_.back().remedies = warning.remedies;
}

/// Looks for faults at a moment (start or setting). Takes back earlier complaints of that moment that no
/// longer hold and does not repeat those that do. A build counts as both moments. A fault of all variants is
/// reported for the first one.
void Session::warn_of(Moment moment) {
  const std::string subject = moment == Moment::start ? Subject::start : Subject::setting;
  if (moment == Moment::start) settle(subject);
  std::vector<std::pair<Warning, std::size_t>> now;
  std::set<std::string> found, texts;  // without and with the name of the variant
  for (std::size_t k = 0; k < variants_.size(); ++k) {
    const Simulation& simulation = variants_[k]->simulation();
    const Measures measures = simulation.measure();
    for (Warning& warning : find_warnings(moment, {simulation, measures}))
      if (found.insert(warning.text).second) {
        texts.insert(called(k) + warning.text);
        now.emplace_back(std::move(warning), k);
      }
  }
  std::vector<std::string> gone;
  std::set<std::string> standing;
  for (const auto& [about, complaint] : complaints_)
    if (is_about(about, subject)) {
      if (texts.contains(complaint.text))
        standing.insert(complaint.text);
      else
        gone.push_back(about);
    }
  for (const std::string& about : gone) settle(about);
  int count = 0;
  const auto unused = [&] {
    while (complaints_.contains(subject + "/" + std::to_string(count))) ++count;
    return subject + "/" + std::to_string(count);
  };
  if (moment == Moment::start && !variants_.empty())
    for (const std::string& fact : first().simulation().model()->facts)
      say(Message::Severity::info, fact, unused(), 0);
  for (const auto& [warning, k] : now)
    if (!standing.contains(called(k) + warning.text)) warn(warning, unused(), k);
  if (moment == Moment::start) warn_of(Moment::setting);
}

/// Looks for faults in the state between frames.
void Session::watch_state(std::size_t number, bool undone) {
  const SceneWatch::Change change = variants_[number]->watch(undone);
  const std::string about = about_state_of(number) + "/";
  for (const std::string& key : change.settled) settle(about + key);
  using enum Message::Severity;
  for (const SceneWatch::Found& found : change.raised)
    warn(found.warning, about + found.key(), number, undone ? error : warning);
}

/// Tells the user that files of the scene are gone: restarting uses the copy in memory.
void Session::look_for_files() {
  const std::vector<std::string> missing = missing_files(first().simulation().scene());
  if (missing.empty()) return settle(Subject::gone);
  std::string names;
  for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
  say(Message::Severity::warning,
      names + (missing.size() == 1 ? " is" : " are") +
          " gone: a restart uses the scene as it was read before.",
      Subject::gone);
}

}  // namespace limber
