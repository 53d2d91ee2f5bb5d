#include "app/lab/session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"

namespace limber {
namespace {

/// Saved states of all variants at one time.
using States = std::vector<SnapshotRing::Snapshot>;

}  // namespace

Session::Session(const RunOptions& options, RunObserver observer, WorkWatch* watch)
    : options_(options), observer_(std::move(observer)), watch_(watch ? *watch : own_watch_) {}

/// Later simulations share the worker threads of the first.
Expected<std::unique_ptr<Simulation>> Session::build(SceneDesc scene) {
  return watch_.build([&] { return make_simulation(std::move(scene), options_); });
}

/// Submits a command. A setting may rebuild the world, so the watch is told.
Expected<void> Session::submit(Variant& variant, const Command& command) {
  watch_.begin();
  auto done = variant.simulation().submit(command);
  watch_.end();
  return done;
}

void Session::open(Expected<SceneDesc> scene, std::optional<SceneDesc> as_the_file_says,
                   std::vector<VariantSettings> own, std::shared_ptr<const InputRecording> recording) {
  if (!scene) return report_error(scene.error().text());
  auto original = std::make_shared<const SceneDesc>(as_the_file_says ? std::move(*as_the_file_says) : *scene);
  const Precision precision = options_.precision;
  if (recording) options_.precision = recording->precision;
  auto built = build_variants(*scene, std::move(original), own);
  options_.precision = precision;
  if (!built && watch_.build_cancelled()) return;  // for another scene, or for the end
  if (!built) return report_error(built.error().text());
  if (!inputs_.empty() && observer_.left) save_input(observer_.left);
  ++loads_;
  variants_ = std::move(*built);
  follow_variants();
  forget_past();
  unlink_differences();
  inputs_.begin(first().simulation().scene());
  if (observer_.opened) observer_.opened();
  complaints_.clear();  // complaints about the previous scene
  warn_of(Moment::start);
  running_ = !first().simulation().scene().view->paused;
  pace_.start(first().simulation().scene().solver.step->dt);
  play(std::move(recording));
}

void Session::set_threads(int threads) {
  options_.threads = threads;
  std::shared_ptr<Workers> workers;
  for (const auto& variant : variants_) {
    variant->simulation().set_threads(threads, workers);
    workers = variant->simulation().machine().workers;
    variant->status().step_history.clear();  // step times of another number of threads
    variant->refresh_scene();
  }
}

void Session::show(HeatMap map) {
  heat_map_ = map;
  for (const auto& variant : variants_) variant->extractor().show(map);
}

void Session::show(const HeatLook& look) {
  heat_look_ = look;
  for (const auto& variant : variants_) variant->extractor().show(look);
}

void Session::show(Overlay overlay) {
  overlay_ = overlay;
  for (const auto& variant : variants_) variant->extractor().show(overlay);
}

/// Drops snapshots and step times after a rebuild or a restart, because they belong to another world.
void Session::forget_past() {
  settle(Subject::state);
  for (const auto& variant : variants_) variant->forget_past();
  past_.clear();
  inputs_.start_over();
}

void Session::toggle_running() {
  if (variants_.empty()) return;
  if (running_) return pause();
  running_ = true;
  if (all_stopped()) resume_stopped();
  pace_.start(first().simulation().scene().solver.step->dt);
}

void Session::pause() {
  running_ = false;
  for (const auto& variant : variants_) variant->measure_soon();  // no later step refreshes the numbers
}

void Session::step_once() {
  if (variants_.empty()) return;
  pause();
  if (all_stopped()) resume_stopped();
  step();
}

void Session::step_back() {
  if (variants_.empty()) return;
  pause();
  const SnapshotRing::Snapshot snapshot = past_.pop();
  if (!snapshot) return say(Message::Severity::info, "No earlier frame is kept.");
  const States& states = *static_cast<const States*>(snapshot.get());
  for (std::size_t k = 0; k < variants_.size(); ++k) {
    if (k >= states.size() || !variants_[k]->simulation().restore(states[k])) return past_.clear();
    variants_[k]->refresh_scene();  // to the values of that frame
  }
  resume_stopped();
  follow_variants();
  inputs_.go_back(first().simulation().frame());
  if (replay_) {
    const auto& inputs = replay_->recording->inputs;
    const std::int64_t now = first().simulation().frame();
    replay_->next = std::size_t(std::count_if(
        inputs.begin(), inputs.end(), [&](const RecordedInput& input) { return input.frame <= now; }));
  }
}

void Session::restart() {
  if (variants_.empty()) return;
  if (replay_) return restart_as_opened();  // settings changed by the recording must be reset
  look_for_files();
  for (const auto& variant : variants_) variant->simulation().restart();
  forget_past();
  if (running_) pace_.start(first().simulation().scene().solver.step->dt);
}

void Session::restart_as_opened() {
  if (variants_.empty()) return;
  std::vector<SceneDesc> wanted;
  for (const auto& variant : variants_) {
    wanted.push_back(*variant->status().original);
    apply_changes(variant->own_settings(), wanted.back());
  }
  if (const auto done = rebuild(std::move(wanted)); !done)
    return report_error(done.error().text() + goes_on_, Subject::build);
  if (replay_) replay_->next = 0;
  look_for_files();
}

void Session::interact(const Command& command, std::uint64_t model_version, std::size_t from) {
  if (from >= variants_.size()) return;
  if (variants_[from]->simulation().model()->version != model_version) return;
  take_over();
  for (std::size_t k = 0; k < variants_.size(); ++k) {
    Variant& variant = *variants_[k];
    const Command own = k == from ? command : counterpart(command, *variants_[from], variant);
    const std::int64_t frame = variant.simulation().frame();
    if (auto done = variant.simulation().submit(own); !done)
      report_error(called(k) + done.error().text());
    else if (k == 0)
      inputs_.add(own, frame);
  }
}

void Session::edit(const SetValue& change, std::size_t number) {
  ++edits_;
  if (variants_.empty()) return;
  take_over();
  number = std::min(number, variants_.size() - 1);
  const bool linked = !unlinked_->contains(change.path);
  bool built_again = false, done = true;
  for (std::size_t k = 0; k < variants_.size() && done; ++k) {
    if (!linked && k != number) continue;
    const std::uint64_t version = variants_[k]->simulation().model()->version;
    done = set_in(*variants_[k], k, change);
    built_again |= variants_[k]->simulation().model()->version != version;
  }
  if (!done) return;
  if (!linked && number > 0) variants_[number]->set_own(change);
  resume_stopped();
  follow_variants();
  if (built_again) {
    for (const auto& variant : variants_) {
      if (alone()) break;
      variant->simulation().restart();  // all variants share one clock
      variant->keep_start();
    }
    forget_past();
    warn_of(Moment::start);
  } else {
    warn_of(Moment::setting);
  }
}

bool Session::set_in(Variant& variant, std::size_t number, const SetValue& change) {
  const std::int64_t frame = variant.simulation().frame();
  if (auto done = submit(variant, change); !done) {
    say(Message::Severity::error, called(number) + done.error().text(), change.path, number);
    return false;
  }
  if (number == 0) inputs_.add(change, frame);
  variant.refresh_scene();
  if (variant.simulation().frame() == 0 && !variant.start().empty()) variant.keep_start();
  return true;
}

bool Session::advance(double elapsed) {
  for (const auto& variant : variants_) variant->pass(elapsed);
  if (variants_.empty() || !running_) return false;
  if (waits_for_pictures_ && picture_missing_) return pace_.wait(elapsed), false;
  const double dt = first().simulation().scene().solver.step->dt;
  pace_.pass(elapsed, dt);
  if (!pace_.due(dt)) return false;
  if (!step()) return false;
  pace_.stepped(dt);
  return true;
}

double Session::until_due() const {
  if (variants_.empty() || !running_ || (waits_for_pictures_ && picture_missing_))
    return std::numeric_limits<double>::infinity();
  return pace_.until_due(first().simulation().scene().solver.step->dt);
}

bool Session::all_stopped() const {
  return std::all_of(variants_.begin(), variants_.end(), [](const auto& v) { return v->stopped(); });
}

void Session::resume_stopped() {
  for (const auto& variant : variants_) variant->set_stopped(false);
}

/// Computes one frame of the first variant that is not stopped, and steps the others to the same end time.
/// Returns false if the frame was cancelled; the state is then unchanged.
bool Session::step() {
  if (!feed_replay()) return true;
  past_.push(
      [this](SnapshotRing::Snapshot unused) {
        auto states = std::static_pointer_cast<States>(std::const_pointer_cast<void>(unused));
        unused.reset();
        if (!states) states = std::make_shared<States>();
        states->resize(variants_.size());
        for (std::size_t k = 0; k < variants_.size(); ++k)
          (*states)[k] = variants_[k]->simulation().save(std::move((*states)[k]));
        return states;
      },
      [this](const SnapshotRing::Snapshot& saved) {
        const States& states = *static_cast<const States*>(saved.get());
        std::size_t bytes = 0;
        for (std::size_t k = 0; k < states.size(); ++k) bytes += variants_[k]->simulation().bytes(states[k]);
        return bytes;
      });
  const bool done = step_variants();
  if (!done) {
    const SnapshotRing::Snapshot start = past_.pop();
    const States& states = *static_cast<const States*>(start.get());
    for (std::size_t k = 0; k < variants_.size() && !alone(); ++k)
      variants_[k]->simulation().restore(states[k]);
    return false;
  }
  ++steps_;
  picture_missing_ = true;
  for (std::size_t k = 1; k < variants_.size(); ++k)
    variants_[k]->note_distance(meter_.between(variants_[k]->simulation(), first().simulation()));
  if (!all_stopped()) return true;
  if (alone()) past_.pop();  // the frame was undone, so its snapshot equals the present state
  pause();
  return true;
}

bool Session::step_variants() {
  const auto leads =
      std::find_if(variants_.begin(), variants_.end(), [](const auto& v) { return !v->stopped(); });
  if (leads == variants_.end()) return true;
  const Simulation& leading = (*leads)->simulation();
  const double end = leading.time() + leading.scene().solver.step->dt;
  using Trace = Variant::Trace;
  const Trace trace = !traced_ ? Trace::none : budget_.due() || !running_ ? Trace::made : Trace::kept;
  for (std::size_t k = 0; k < variants_.size(); ++k)
    if (!variants_[k]->stopped() && !step_to(end, *variants_[k], k, trace)) return false;
  budget_.frame_done();
  return true;
}

/// Steps the variant until its time is nearest to `end`. A variant that lags behind takes several frames.
bool Session::step_to(double end, Variant& variant, std::size_t number, Variant::Trace trace) {
  Simulation& simulation = variant.simulation();
  const double dt = simulation.scene().solver.step->dt;
  const int most = 1 + int(std::ceil(first().simulation().scene().solver.step->dt / dt));
  for (int i = 0; i < most && simulation.time() + 0.5 * dt < end; ++i) {
    watch_.begin();
    const StepReport report = variant.step(watch_.frame_cancelled(), trace);
    watch_.end();
    budget_.traced(variant.tracing_ms());
    if (report.cancelled) return false;
    if (number == 0 && observer_.stepped) observer_.stepped(simulation, report);
    variant.set_stopped(report.nonfinite);
    watch_state(number, report.nonfinite);
    if (report.nonfinite) break;
  }
  return true;
}

void Session::wait_for_pictures(bool wait) {
  waits_for_pictures_ = wait;
  picture_missing_ = false;
}

Expected<InputRecording> Session::recording() const {
  if (variants_.empty()) return Error{"no scene is open"};
  return inputs_.recording(first().simulation());
}

void Session::save_input(const std::function<Expected<std::string>(const InputRecording&)>& save) {
  const auto input = recording();
  const auto path = input ? save(*input) : Expected<std::string>(input.error());
  using enum Message::Severity;
  messages_.push_back(path ? Message{info, "Saved what you did to " + input->scene + ": " + *path}
                           : Message{error, path.error().text()});
}

void Session::fail(const std::string& reason) {
  pause();
  report_error("Paused: " + reason);
}

/// Writes the status that all variants share.
void Session::write_shared(RunStatus& status) const {
  status.state = variants_.empty() ? RunState::empty : running_ ? RunState::running : RunState::paused;
  status.real_time_factor = pace_.factor();
  status.speed = pace_.speed();
  status.heat_map = heat_map_;
  status.snapshots = past_.size();
  status.loads = loads_;
  status.steps = steps_;
  status.edits = edits_;
  status.unlinked = unlinked_;
  status.replay_frames = replay_ ? replay_->recording->frames : 0;
}

void Session::publish(Publication& out) {
  if (!variants_.empty()) first().publish(out);
  write_shared(out.status);
}

/// Publishes all variants with one heat map scale that covers the last pictures of all of them.
void Session::publish(Publications& out) {
  float most = 0.0f;
  for (const auto& variant : variants_) most = std::max(most, variant->extractor().largest_heat());
  for (const auto& variant : variants_) variant->extractor().cover_heat(alone() ? 0.0f : most);
  out.variants.resize(std::max<std::size_t>(variants_.size(), 1));
  publish(out.variants.front());
  for (std::size_t k = 1; k < variants_.size(); ++k) {
    variants_[k]->publish(out.variants[k]);
    write_shared(out.variants[k].status);
  }
}

void Session::close() {
  if (variants_.empty()) return;
  if (observer_.closing) observer_.closing(first().simulation());
  if (observer_.recorded) observer_.recorded(recording());
}

}  // namespace limber
