#include "app/sim/live_scene.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/scene/mesh_path.hpp"

namespace limber {
namespace {

constexpr std::size_t kHistory = 240;    // steps: four seconds at 60 frames a second
constexpr std::size_t kSamples = 240;    // states: a minute of running
constexpr double kMeasurePeriod = 0.25;  // s; measuring visits every constraint

constexpr const char* kGoesOn = " - the scene before goes on.";

// What complaints can be about, besides settings.
const std::string kStart = "start", kSetting = "setting", kState = "state", kFile = "file", kGone = "gone",
                  kBuild = "build";

double median(const std::vector<float>& values) {
  if (values.empty()) return 0.0;
  std::array<float, kHistory> sorted;
  const auto end = std::copy(values.begin(), values.end(), sorted.begin());
  const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
  std::nth_element(sorted.begin(), middle, end);
  return *middle;
}

}  // namespace

LiveScene::LiveScene(const RunOptions& options, RunObserver observer, WorkWatch* watch)
    : options_(options), observer_(std::move(observer)), watch_(watch ? *watch : own_watch_) {
  status_.step_history.reserve(kHistory);
}

Expected<std::unique_ptr<Simulation>> LiveScene::build(SceneDesc scene) {
  return watch_.build([&] { return make_simulation(std::move(scene), options_); });
}

/// A setting may build the world again, which takes its time.
Expected<void> LiveScene::submit(const Command& command) {
  watch_.begin();
  auto done = simulation_->submit(command);
  watch_.end();
  return done;
}

void LiveScene::open(Expected<SceneDesc> scene, std::optional<SceneDesc> as_the_file_says) {
  if (!scene) return report_error(scene.error().text());
  auto original = std::make_shared<const SceneDesc>(as_the_file_says ? std::move(*as_the_file_says) : *scene);
  auto built = build(std::move(*scene));
  if (!built && watch_.build_cancelled()) return;  // for another scene, or for the end
  if (!built) return report_error(built.error().text());
  if (!inputs_.empty() && observer_.left) save_input(observer_.left);
  status_.original = std::move(original);
  ++status_.loads;
  adopt(std::move(*built));
  inputs_.begin(simulation_->scene());
  if (observer_.opened) observer_.opened();
  complaints_.clear();  // they go with the scene before
  warn_of(Moment::start);
  running_ = true;
  pace_.start(simulation_->scene().solver.dt);
}

void LiveScene::reload(SceneReload changed) {
  if (!changed.scene) return report_error(changed.scene.error().text() + kGoesOn, kFile);
  if (!simulation_) return open(std::move(changed.scene));
  if (changed.scene->file != status_.original->file) return;  // another scene was opened meanwhile
  SceneDesc wanted = *changed.scene;
  const int kept = apply_changes(user_changes(*status_.original, simulation_->scene()), wanted);
  const bool live =
      changed.settings && std::all_of(changed.settings->begin(), changed.settings->end(),
                                      [&](const auto& path) { return value_of(wanted, path).has_value(); });
  const Expected<std::string> done =
      live ? apply_live(wanted, *changed.settings) : rebuild(std::move(wanted));
  if (!done) return report_error(done.error().text() + kGoesOn, kFile);
  settle(kFile);
  if (changed.taken) changed.taken();
  status_.original = std::make_shared<const SceneDesc>(std::move(*changed.scene));
  refresh_scene();
  std::string text = "Reloaded " + status_.name + ": " + *done;
  if (kept > 0)
    text += ", " + std::to_string(kept) + (kept == 1 ? " value of yours kept" : " values of yours kept");
  say(Message::Severity::info, text + ".");
}

/// Sets the values at `paths` as in `wanted` in the running scene. Returns what was done, in words.
Expected<std::string> LiveScene::apply_live(const SceneDesc& wanted, const std::vector<std::string>& paths) {
  const std::uint64_t version = simulation_->model()->version;
  int count = 0;
  for (const std::string& path : paths) {
    const auto value = value_of(wanted, path);
    if (!value || value == value_of(simulation_->scene(), path)) continue;
    const std::int64_t frame = simulation_->frame();
    if (auto done = submit(SetValue{path, *value}); !done) return done.error();
    inputs_.add(SetValue{path, *value}, frame);
    ++count;
  }
  if (simulation_->model()->version != version) {
    forget_past();
    warn_of(Moment::start);
    return std::string("built again");
  }
  warn_of(Moment::setting);
  return std::to_string(count) + (count == 1 ? " value changed live" : " values changed live");
}

Expected<std::string> LiveScene::rebuild(SceneDesc wanted) {
  auto built = build(std::move(wanted));
  if (!built) return built.error();
  settle(kBuild);
  adopt(std::move(*built));
  inputs_.begin(simulation_->scene());
  warn_of(Moment::start);
  if (running_) pace_.start(simulation_->scene().solver.dt);
  return std::string("built again");
}

void LiveScene::set_threads(int threads) {
  options_.threads = threads;
  if (!simulation_) return;
  simulation_->set_threads(threads);
  status_.step_history.clear();  // the times of so many others
  refresh_scene();
}

void LiveScene::adopt(std::unique_ptr<Simulation> simulation) {
  simulation_ = std::move(simulation);
  forget_past();
  refresh_scene();
}

/// After a rebuild or a restart the snapshots belong to another world, the step times to another load.
void LiveScene::forget_past() {
  settle(kState);
  troubles_.forget();
  status_.trouble.clear();
  past_.clear();
  inputs_.start_over();
  status_.step_history.clear();
  status_.stages.clear();
  status_.stage_history.clear();
  status_.state_history.clear();
  status_.contacts = status_.surface_contacts = status_.in_zones = 0;
  since_measured_ = kMeasurePeriod;
}

void LiveScene::refresh_scene() {
  status_.scene = std::make_shared<const SceneDesc>(simulation_->scene());
  status_.name = simulation_->scene().name;
  status_.batches = simulation_->batches();
  status_.threads = simulation_->threads();
  status_.chooses_threads = simulation_->chooses_threads();
  status_.simd = simulation_->simd();
  status_.precision = simulation_->precision();
  status_.triangles = 0;
  for (const ObjectModel& object : simulation_->model()->objects)
    status_.triangles += std::int64_t(object.triangles.size());
}

void LiveScene::toggle_running() {
  if (!simulation_) return;
  if (running_) return pause();
  running_ = true;
  pace_.start(simulation_->scene().solver.dt);
}

void LiveScene::pause() {
  running_ = false;
  since_measured_ = kMeasurePeriod;  // nothing would refresh the numbers later
}

void LiveScene::step_once() {
  if (!simulation_) return;
  pause();
  step();
}

void LiveScene::step_back() {
  if (!simulation_) return;
  pause();
  const auto snapshot = past_.pop();
  if (!snapshot)
    say(Message::Severity::info, "No earlier frame is kept: this is as far back as it goes.");
  else if (!simulation_->restore(snapshot))
    past_.clear();
  else
    inputs_.go_back(simulation_->frame());
}

void LiveScene::restart() {
  if (!simulation_) return;
  look_for_files();
  simulation_->restart();
  forget_past();
  if (running_) pace_.start(simulation_->scene().solver.dt);
}

void LiveScene::restart_as_opened() {
  if (!simulation_) return;
  if (const auto done = rebuild(*status_.original); !done)
    return report_error(done.error().text() + kGoesOn, kBuild);
  look_for_files();
}

void LiveScene::interact(const Command& command, std::uint64_t model_version) {
  if (!simulation_ || simulation_->model()->version != model_version) return;
  const std::int64_t frame = simulation_->frame();
  if (auto done = simulation_->submit(command); !done) return report_error(done.error().text());
  inputs_.add(command, frame);
}

void LiveScene::edit(const SetValue& change) {
  ++status_.edits;
  if (!simulation_) return;
  const std::uint64_t version = simulation_->model()->version;
  const std::int64_t frame = simulation_->frame();
  if (auto done = submit(change); !done) {
    say(Message::Severity::error, done.error().text(), change.path);
    return;
  }
  inputs_.add(change, frame);
  refresh_scene();
  if (simulation_->model()->version != version) {
    forget_past();
    warn_of(Moment::start);
  } else if (change.path.starts_with("solver.")) {
    warn_of(Moment::setting);
  }
}

/// A complaint stands until the next one about the same, settle() or another scene.
void LiveScene::say(Message::Severity severity, std::string text, std::string about) {
  if (!about.empty()) complaints_.insert(about);
  messages_.push_back({severity, std::move(text), std::move(about), status_.loads});
}

/// What was complained of it holds no more.
void LiveScene::settle(const std::string& about) {
  const auto concerned = [&](const std::string& one) { return is_about(one, about); };
  if (std::erase_if(complaints_, concerned) == 0) return;
  messages_.push_back({Message::Severity::info, {}, about, status_.loads});
}

void LiveScene::warn(const Warning& warning, std::string about, Message::Severity severity) {
  say(severity, warning.text, std::move(about));
  messages_.back().remedies = warning.remedies;
}

/// What was said of that moment before goes. A build sets the settings, too.
void LiveScene::warn_of(Moment moment) {
  const std::string& subject = moment == Moment::start ? kStart : kSetting;
  settle(subject);
  const Measures measures = simulation_->measure();
  int count = 0;
  for (const Warning& warning : find_warnings(moment, {*simulation_, measures}))
    warn(warning, subject + "/" + std::to_string(count++));
  if (moment == Moment::start) warn_of(Moment::setting);
}

/// Looks for what is wrong between frames.
void LiveScene::watch_state(bool undone) {
  if (!SceneWatch::due(*simulation_, undone)) return;
  sample();
  const SceneWatch::Change change = troubles_.look({*simulation_, status_.measures, undone});
  for (const std::string& key : change.settled) settle(kState + "/" + key);
  using enum Message::Severity;
  for (const SceneWatch::Found& found : change.raised)
    warn(found.warning, kState + "/" + found.key(), undone ? error : warning);
  status_.trouble.clear();
  const std::vector<const SceneWatch::Found*> standing = troubles_.standing();
  if (standing.empty()) return;
  const std::string& subject = standing.front()->warning.subject;
  status_.trouble =
      (subject.empty() ? "" : subject + " ") + std::string(warning_kinds()[standing.front()->kind].state);
  if (standing.size() > 1) status_.trouble += " and " + std::to_string(standing.size() - 1) + " more";
}

/// A scene starts again from memory, but who deleted or renamed its file, or a mesh, may think it was read.
void LiveScene::look_for_files() {
  const std::vector<std::string> missing = missing_files(simulation_->scene());
  if (missing.empty()) return settle(kGone);
  std::string names;
  for (const std::string& name : missing) names += (names.empty() ? "" : ", ") + name;
  say(Message::Severity::warning,
      names + (missing.size() == 1 ? " is" : " are") + " gone: the scene starts again as it was read before.",
      kGone);
}

bool LiveScene::advance(double elapsed) {
  since_measured_ += elapsed;
  if (!simulation_ || !running_ || (waits_for_pictures_ && picture_missing_)) return false;
  const double dt = simulation_->scene().solver.dt;
  pace_.pass(elapsed, dt);
  if (!pace_.due(dt)) return false;
  if (!step()) return false;
  pace_.stepped(dt);
  return true;
}

double LiveScene::until_due() const {
  if (!simulation_ || !running_ || (waits_for_pictures_ && picture_missing_))
    return std::numeric_limits<double>::infinity();
  return pace_.until_due(simulation_->scene().solver.dt);
}

/// Returns false if the frame was cancelled: nothing has happened then.
bool LiveScene::step() {
  past_.push([this](SnapshotRing::Snapshot unused) { return simulation_->save(std::move(unused)); },
             [this](const SnapshotRing::Snapshot& saved) { return simulation_->bytes(saved); });
  watch_.begin();
  const StepReport report = simulation_->step(&watch_.frame_cancelled());
  watch_.end();
  if (report.cancelled) return past_.pop(), false;
  note(report);
  ++status_.steps;
  picture_missing_ = true;
  if (observer_.stepped) observer_.stepped(*simulation_, report);
  watch_state(report.nonfinite);
  if (!report.nonfinite) return true;
  past_.pop();  // the frame was undone: its snapshot is the present
  pause();
  return true;
}

void LiveScene::note(const StepReport& report) {
  auto& history = status_.step_history;
  if (history.size() == kHistory) history.erase(history.begin());
  history.push_back(float(report.solver_ms));
  status_.contacts = std::int64_t(report.contacts);
  status_.surface_contacts = std::int64_t(report.surface_contacts);
  status_.in_zones = std::int64_t(report.in_zones);
  status_.stages.resize(report.stages.size());
  for (std::size_t i = 0; i < report.stages.size(); ++i) {
    status_.stages[i].name.assign(report.stages[i].name);
    status_.stages[i].ms = report.stages[i].ms;
  }
  status_.stage_history.resize(report.stages.size());
  for (std::size_t i = 0; i < report.stages.size(); ++i) {
    auto& [name, ms] = status_.stage_history[i];
    name.assign(report.stages[i].name);
    if (ms.size() == kHistory) ms.erase(ms.begin());
    ms.push_back(float(report.stages[i].ms));
  }
}

/// Measures the state and remembers it for the plots.
void LiveScene::sample() {
  status_.measures = simulation_->measure();
  status_.batches = simulation_->batches();  // tears and cuts add to some and take from others
  since_measured_ = 0.0;
  const Measures& m = status_.measures;
  const double residual = m.residuals.empty() ? 0.0 : m.residuals.front().abs_c.mean;
  auto& history = status_.state_history;
  const float time = float(simulation_->time());
  if (!history.empty() && history.back().time == time) return;
  std::erase_if(history, [&](const StateSample& s) { return s.time > time; });  // stepped back
  if (history.size() == kSamples) history.erase(history.begin());
  history.push_back({time, float(m.kinetic_energy), float(m.potential_energy), float(m.strain.mean),
                     float(m.strain.max), float(residual), float(m.penetration_max)});
}

void LiveScene::wait_for_pictures(bool wait) {
  waits_for_pictures_ = wait;
  picture_missing_ = false;
}

Expected<InputRecording> LiveScene::recording() const {
  if (!simulation_) return Error{"no scene is open"};
  return inputs_.recording(*simulation_);
}

void LiveScene::save_input(const std::function<Expected<std::string>(const InputRecording&)>& save) {
  const auto input = recording();
  const auto path = input ? save(*input) : Expected<std::string>(input.error());
  using enum Message::Severity;
  messages_.push_back(path ? Message{info, "Saved what you did to " + input->scene + ": " + *path}
                           : Message{error, path.error().text()});
}

void LiveScene::fail(const std::string& reason) {
  pause();
  report_error("Paused: " + reason);
}

void LiveScene::publish(Publication& out) {
  if (simulation_) {
    extractor_.extract(*simulation_, out.frame);
    status_.fixed = extractor_.fixed();
    status_.overlays = overlays_there(*simulation_);
    status_.bodies = std::int64_t(simulation_->body_count());
    status_.intersections.reset();
    if (const OverlayNote& note = out.frame.overlay; note.overlay == Overlay::intersections)
      status_.intersections = note.marks[0].count;
    if (since_measured_ >= kMeasurePeriod) sample();
  }
  status_.state = !simulation_ ? RunState::empty : running_ ? RunState::running : RunState::paused;
  status_.real_time_factor = pace_.factor();
  status_.speed = pace_.speed();
  if (simulation_) status_.threads_at_work = simulation_->threads_at_work();
  status_.heat_map = extractor_.shown();
  status_.step_ms = median(status_.step_history);
  status_.snapshots = past_.size();
  out.status = status_;
}

void LiveScene::close() {
  if (simulation_ && observer_.closing) observer_.closing(*simulation_);
  if (simulation_ && observer_.recorded) observer_.recorded(recording());
}

}  // namespace limber
