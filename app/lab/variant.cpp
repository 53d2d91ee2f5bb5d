#include "app/lab/variant.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "app/view/heat_numbers.hpp"
#include "engine/core/measures.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

constexpr std::size_t most_steps = 240;      // steps: four seconds at 60 frames a second
constexpr std::size_t most_samples = 240;    // states: a minute of running
constexpr std::size_t most_distances = 600;  // frames: ten seconds

double median(const std::vector<float>& values) {
  if (values.empty()) return 0.0;
  std::array<float, most_steps> sorted;
  const auto end = std::copy(values.begin(), values.end(), sorted.begin());
  const auto middle = sorted.begin() + (end - sorted.begin()) / 2;
  std::nth_element(sorted.begin(), middle, end);
  return *middle;
}

template <class T>
void push_bounded(std::vector<T>& list, T value, std::size_t most) {
  if (list.size() == most) list.erase(list.begin());
  list.push_back(std::move(value));
}

}  // namespace

Variant::Variant(std::unique_ptr<Simulation> simulation, std::shared_ptr<const SceneDesc> original,
                 VariantSettings own)
    : simulation_(std::move(simulation)), own_(std::move(own)) {
  status_.step_history.reserve(most_steps);
  status_.original = std::move(original);
  refresh_scene();
}

void Variant::adopt(std::unique_ptr<Simulation> simulation) {
  simulation_ = std::move(simulation);
  if (!start_.empty()) keep_start();
  forget_past();
  refresh_scene();
}

void Variant::set_own(const SetValue& change) {
  std::erase_if(own_, [&](const SetValue& one) { return one.path == change.path; });
  own_.push_back(change);
}

void Variant::keep_start() {
  start_.resize(std::size_t(simulation_->model()->vertex_count));
  simulation_->read(reading::Positions{std::span(start_)});
}

void Variant::refresh_scene() {
  status_.scene = std::make_shared<const SceneDesc>(simulation_->scene());
  status_.name = simulation_->scene().name;
  status_.batches = simulation_->batches();
  status_.threads = simulation_->machine().threads;
  status_.chooses_threads = simulation_->machine().chooses_threads;
  status_.simd = simulation_->machine().simd;
  status_.precision = simulation_->machine().precision;
  status_.triangles = 0;
  for (const ObjectModel& object : simulation_->model()->objects)
    status_.triangles += std::int64_t(object.triangles.size());
}

void Variant::forget_past() {
  troubles_.forget();
  crossings_.forget();
  stopped_ = false;
  status_.trouble.clear();
  status_.step_history.clear();
  status_.stages.clear();
  status_.stage_history.clear();
  status_.state_history.clear();
  status_.numbers.reset();
  status_.variant.distances.clear();
  status_.variant.trace.clear();
  status_.contacts = status_.surface_contacts = status_.in_zones = 0;
  measure_soon();
}

StepReport Variant::step(const CancelFlag& cancel, Trace trace) {
  const auto began = std::chrono::steady_clock::now();
  const bool traced = trace == Trace::made;
  const StepReport report = traced ? simulation_->step(&cancel, &trace_) : simulation_->step(&cancel);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - began;
  tracing_ms_ = traced ? std::max(taken.count() - report.solver_ms, 0.0) : 0.0;
  if (report.cancelled) return report;
  if (traced) status_.variant.trace = trace_;
  if (trace == Trace::none) status_.variant.trace.clear();
  note(report);
  return report;
}

void Variant::note(const StepReport& report) {
  push_bounded(status_.step_history, float(report.solver_ms), most_steps);
  status_.contacts = std::int64_t(report.contacts);
  viscosity_residual_ = report.viscosity_residual;
  status_.surface_contacts = std::int64_t(report.surface_contacts);
  status_.in_zones = std::int64_t(report.in_zones);
  status_.stages.resize(report.stages.size());
  status_.stage_history.resize(report.stages.size());
  for (std::size_t i = 0; i < report.stages.size(); ++i) {
    status_.stages[i].name.assign(report.stages[i].name);
    status_.stages[i].ms = report.stages[i].ms;
    status_.stage_history[i].name.assign(report.stages[i].name);
    push_bounded(status_.stage_history[i].ms, float(report.stages[i].ms), most_steps);
  }
}

SceneWatch::Change Variant::watch(bool undone) {
  crossings_.count(*simulation_, false);
  if (!SceneWatch::due(*simulation_, undone)) return {};
  sample();
  Sight sight{*simulation_, status_.measures, undone, crossings_.last()};
  sight.viscosity_residual = viscosity_residual_;
  SceneWatch::Change change = troubles_.look(sight);
  status_.trouble.clear();
  const std::vector<const SceneWatch::Found*> standing = troubles_.standing();
  if (standing.empty()) return change;
  const std::string& subject = standing.front()->warning.subject;
  status_.trouble =
      (subject.empty() ? "" : subject + " ") + std::string(warning_kinds()[standing.front()->kind].state);
  if (standing.size() > 1) status_.trouble += " and " + std::to_string(standing.size() - 1) + " more";
  return change;
}

/// Measures the state and appends it to the histories for plots.
void Variant::sample() {
  status_.measures = simulation_->measure();
  status_.batches = simulation_->batches();  // tears and cuts change batch sizes
  since_measured_ = 0.0;
  status_.intersections = crossings_.last();
  const Measures& m = status_.measures;
  const double residual = m.residuals.empty() ? 0.0 : m.residuals.front().abs_c.mean;
  auto& history = status_.state_history;
  const float time = float(simulation_->time());
  status_.numbers = with_sample(status_.numbers, m, time, most_samples);
  if (!history.empty() && history.back().time == time) return;
  std::erase_if(history, [&](const StateSample& s) { return s.time > time; });  // after stepping back
  push_bounded(history,
               StateSample{time, float(m.kinetic_energy), float(m.potential_energy), float(m.strain.mean),
                           float(m.strain.max), float(residual), float(m.penetration_max)},
               most_samples);
}

void Variant::note_distance(const Distance& from_first) {
  auto& history = status_.variant.distances;
  const float time = float(simulation_->time());
  std::erase_if(history, [&](const DistanceSample& s) { return s.time >= time; });  // after stepping back
  if (from_first.compared == 0) return;
  push_bounded(history, DistanceSample{time, float(from_first.rms), float(from_first.max)}, most_distances);
}

void Variant::publish(Publication& out) {
  extractor_.extract(*simulation_, out.frame);
  status_.fixed = extractor_.fixed();
  status_.overlays = overlays_there(*simulation_);
  status_.heat_maps = heat_maps_there(*simulation_->model());
  status_.bodies = std::int64_t(simulation_->body_count());
  if (const OverlayNote& note = out.frame.overlay; note.overlay == Overlay::intersections)
    status_.intersections = note.marks[0].count;
  if (since_measured_ >= measure_period_) sample();
  status_.threads_at_work = simulation_->machine().threads_at_work;
  status_.heat_map = extractor_.shown();
  status_.step_ms = median(status_.step_history);
  status_.variant.stopped = stopped_;
  out.status = status_;
}

namespace {

/// Vertex of `to` that corresponds to `vertex`: the same number if the meshes are equal, else the vertex of
/// the same object whose start was nearest.
Index counterpart(Index vertex, const Variant& from, const Variant& to) {
  const SceneModel &here = *from.simulation().model(), &there = *to.simulation().model();
  const auto whole = [](const SceneModel& model) {
    return model.vertex_count - Index(model.split_from.size());
  };
  while (vertex >= whole(here) && vertex < here.vertex_count)
    vertex = here.split_from[std::size_t(vertex - whole(here))];
  if (whole(here) == whole(there)) return vertex;
  const auto holds = [&](const ObjectModel& object) {
    return vertex >= object.first_vertex && vertex < object.first_vertex + object.vertex_count;
  };
  const auto object = std::find_if(here.objects.begin(), here.objects.end(), holds);
  const std::size_t place = std::size_t(object - here.objects.begin());
  if (place >= there.objects.size() || from.start().empty() || to.start().empty()) return vertex;
  const glm::vec3 wanted = from.start()[std::size_t(vertex)];
  const ObjectModel& other = there.objects[place];
  float nearest = std::numeric_limits<float>::infinity();
  Index found = other.first_vertex;
  for (Index i = other.first_vertex; i < other.first_vertex + other.vertex_count; ++i)
    if (const float far = glm::distance(to.start()[std::size_t(i)], wanted); far < nearest)
      nearest = far, found = i;
  return found;
}

/// Moves `point` with a body: from the body's pose in `from` to its pose in `to`.
glm::dvec3 counterpart(std::size_t body, const glm::dvec3& point, const Variant& from, const Variant& to) {
  std::vector<BodyPose> here(from.simulation().body_count()), there(to.simulation().body_count());
  from.simulation().read(reading::Bodies{here});
  to.simulation().read(reading::Bodies{there});
  if (body >= here.size() || body >= there.size()) return point;
  const glm::vec3 own = (glm::vec3(point) - here[body].position) * here[body].rotation;
  return glm::dvec3(there[body].position + there[body].rotation * own);
}

}  // namespace

Command counterpart(const Command& command, const Variant& from, const Variant& to) {
  Command other = command;
  if (auto* grab = std::get_if<GrabVertex>(&other)) grab->vertex = counterpart(grab->vertex, from, to);
  if (auto* twist = std::get_if<TwistRod>(&other)) twist->vertex = counterpart(twist->vertex, from, to);
  if (auto* pin = std::get_if<SetPinned>(&other)) pin->vertex = counterpart(pin->vertex, from, to);
  if (auto* grab = std::get_if<GrabBody>(&other))
    grab->point = counterpart(std::size_t(grab->body), grab->point, from, to);
  return other;
}

namespace {

/// Text of a differing setting: "pbd" for a word, "substeps 10" for a number.
std::string difference_text(const Setting& setting, const Value& value) {
  std::string name = setting.path.substr(setting.path.rfind('.') + 1), text = to_text(value);
  const std::size_t first = setting.path.find('.');
  const std::string owner =
      setting.path.starts_with("solver.")
          ? std::string()
          : setting.path.substr(first + 1, setting.path.find('.', first + 1) - first - 1) + " ";
  std::replace(name.begin(), name.end(), '_', ' ');
  std::replace(text.begin(), text.end(), '_', ' ');
  return owner + (std::holds_alternative<std::string>(value) ? text : name + " " + text);
}

}  // namespace

std::vector<std::string> differences(const std::vector<const SceneDesc*>& scenes) {
  std::vector<std::string> out(scenes.size());
  if (scenes.size() < 2) return out;
  std::vector<SceneDesc> copies;
  for (const SceneDesc* scene : scenes) copies.push_back(*scene);
  for (const Setting& setting : list_settings(copies.front())) {
    std::vector<std::pair<Setting, Value>> values;
    for (SceneDesc& copy : copies)
      if (const auto found = find_setting(copy, setting.path))
        values.emplace_back(*found, get(*found->field, found->settings));
    const auto differs = [&](const auto& one) { return one.second != values.front().second; };
    if (values.size() < copies.size() || std::none_of(values.begin(), values.end(), differs)) continue;
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] += (out[k].empty() ? "" : ", ") + difference_text(values[k].first, values[k].second);
  }
  return out;
}

}  // namespace limber
