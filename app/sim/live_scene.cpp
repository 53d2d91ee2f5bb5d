#include "app/sim/live_scene.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace limber {
namespace {

constexpr std::size_t kHistory = 240;         // steps: four seconds at 60 frames a second
constexpr double kMeasurePeriod = 0.25;       // s; measuring visits every constraint
constexpr std::size_t kBytesPerVertex = 160;  // of a snapshot: position, previous position, velocity, lambdas

double median(const std::vector<float>& values) {
  if (values.empty()) return 0.0;
  std::array<float, kHistory> sorted;
  const auto end = std::copy(values.begin(), values.end(), sorted.begin());
  const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
  std::nth_element(sorted.begin(), middle, end);
  return *middle;
}

}  // namespace

LiveScene::LiveScene(const RunOptions& options, RunObserver observer)
    : options_(options), observer_(std::move(observer)) {
  status_.step_history.reserve(kHistory);
}

void LiveScene::open(Expected<SceneDesc> scene) {
  if (!scene) return report_error(scene.error().text());
  auto original = std::make_shared<const SceneDesc>(*scene);
  auto built = make_simulation(std::move(*scene), options_);
  if (!built) return report_error(built.error().text());
  status_.original = std::move(original);
  ++status_.loads;
  adopt(std::move(*built));
  if (observer_.opened) observer_.opened();
  for (const std::string& note : simulation_->model()->notes)
    messages_.push_back({Message::Severity::warning, note});
  running_ = true;
  pace_.start(simulation_->scene().solver.dt);
}

void LiveScene::set_threads(int threads) {
  options_.threads = threads;
  if (!simulation_) return;
  auto built = make_simulation(simulation_->scene(), options_);
  if (!built) return report_error(built.error().text());
  adopt(std::move(*built));
}

void LiveScene::adopt(std::unique_ptr<Simulation> simulation) {
  simulation_ = std::move(simulation);
  forget_past();
  refresh_scene();
}

/// After a rebuild or a restart the snapshots belong to another world, the step times to another load.
void LiveScene::forget_past() {
  const std::size_t vertices = std::size_t(simulation_->model()->vertex_count);
  past_.reset(vertices * kBytesPerVertex * (simulation_->precision() == Precision::f64 ? 2 : 1));
  status_.step_history.clear();
  status_.stages.clear();
  status_.contacts = 0;
  since_measured_ = kMeasurePeriod;
}

void LiveScene::refresh_scene() {
  status_.scene = std::make_shared<const SceneDesc>(simulation_->scene());
  status_.name = simulation_->scene().name;
  status_.batches = simulation_->batches();
  status_.threads = simulation_->threads();
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
    messages_.push_back(
        {Message::Severity::info, "No earlier frame is kept: this is as far back as it goes."});
  else if (!simulation_->restore(snapshot))
    past_.clear();
}

void LiveScene::restart() {
  if (!simulation_) return;
  simulation_->restart();
  forget_past();
  if (running_) pace_.start(simulation_->scene().solver.dt);
}

void LiveScene::interact(const Command& command, std::uint64_t model_version) {
  if (!simulation_ || simulation_->model()->version != model_version) return;
  if (auto done = simulation_->submit(command); !done) report_error(done.error().text());
}

void LiveScene::edit(const SetValue& change) {
  ++status_.edits;
  if (!simulation_) return;
  const std::uint64_t version = simulation_->model()->version;
  if (auto done = simulation_->submit(change); !done) return report_error(done.error().text());
  if (simulation_->model()->version != version) forget_past();
  refresh_scene();
}

bool LiveScene::advance(double elapsed) {
  since_measured_ += elapsed;
  if (!simulation_ || !running_) return false;
  const double dt = simulation_->scene().solver.dt;
  pace_.pass(elapsed, dt);
  if (!pace_.due(dt)) return false;
  step();
  pace_.stepped(dt);
  return true;
}

double LiveScene::until_due() const {
  if (!simulation_ || !running_) return std::numeric_limits<double>::infinity();
  return pace_.until_due(simulation_->scene().solver.dt);
}

void LiveScene::step() {
  past_.push(simulation_->save());
  const StepReport report = simulation_->step();
  note(report);
  if (observer_.stepped) observer_.stepped(*simulation_, report);
  if (!report.nonfinite) return;
  pause();
  report_error(
      "A value became non-finite: paused at the last good state. Try more substeps, a smaller time step " +
      std::string("or a softer material."));
}

void LiveScene::note(const StepReport& report) {
  auto& history = status_.step_history;
  if (history.size() == kHistory) history.erase(history.begin());
  history.push_back(float(report.solver_ms));
  status_.contacts = report.contacts;
  status_.stages.resize(report.stages.size());
  for (std::size_t i = 0; i < report.stages.size(); ++i) {
    status_.stages[i].name.assign(report.stages[i].name);
    status_.stages[i].ms = report.stages[i].ms;
  }
}

void LiveScene::fail(const std::string& reason) {
  pause();
  report_error("Paused: " + reason);
}

void LiveScene::publish(Publication& out) {
  if (simulation_) {
    extractor_.extract(*simulation_, out.frame);
    status_.fixed = extractor_.fixed();
    if (since_measured_ >= kMeasurePeriod) {
      status_.measures = simulation_->measure();
      since_measured_ = 0.0;
    }
  }
  status_.state = !simulation_ ? RunState::empty : running_ ? RunState::running : RunState::paused;
  status_.real_time_factor = pace_.factor();
  status_.step_ms = median(status_.step_history);
  status_.snapshots = past_.size();
  out.status = status_;
}

void LiveScene::close() {
  if (simulation_ && observer_.closing) observer_.closing(*simulation_);
}

}  // namespace limber
