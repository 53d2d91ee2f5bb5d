#include "app/commands/report.hpp"

#include <algorithm>
#include <cstdio>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands/scene_source.hpp"
#include "app/watch/method_limits.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/report_table.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Spread& spread) {
  return {{"min", spread.min},
          {"median", spread.median},
          {"p95", spread.p95},
          {"max", spread.max},
          {"total", spread.total}};
}
Json to_json(const MeanMax& value) { return {{"mean", value.mean}, {"max", value.max}}; }
Json to_json(const glm::dvec3& value) { return {value.x, value.y, value.z}; }
Json to_json(double value) { return value; }
Json to_json(std::int64_t value) { return value; }
Json to_json(bool value) { return value; }
Json to_json(const Value& value) {
  const auto write = [](const auto& content) -> Json {
    if constexpr (std::is_same_v<std::decay_t<decltype(content)>, glm::dvec3>)
      return {content.x, content.y, content.z};
    else
      return content;
  };
  return std::visit(write, value);
}

std::string hexadecimal(std::uint64_t bits) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(bits));
  return text;
}

std::string method_name(const SolverSettings& solver) {
  for (const Field& field : solver_fields()) {
    if (field.name == "method") return to_text(get(field, &solver));
  }
  return {};
}

/// The given settings by path. If a path was given twice, the last value counts.
Json values_of(std::span<const std::string> set, SceneDesc scene) {
  Json values = Json::object();
  for (const std::string& assignment : set)
    if (const Expected<SettingValue> said = read_setting(scene, assignment); said)
      values[said->setting.path] = to_json(said->value);
  return values;
}

void add_identity(Json& report, const Simulation& simulation, const RunRecorder& run,
                  std::span<const std::string> set) {
  const SceneDesc& scene = simulation.scene();
  report["scene"] = scene.name;
  report["frames"] = run.frames();
  report["dt"] = scene.solver.step->dt;
  report["substeps"] = scene.solver.step->substeps;
  report["substeps_chosen"] = scene.solver.step->automatic;
  report["iterations"] = scene.solver.step->iterations;
  report["iterations_chosen"] = scene.solver.step->automatic_iterations;
  report["method"] = method_name(scene.solver);
  report["method_limits"] = method_limits(simulation);
  report["precision"] = simulation.machine().precision == Precision::f32 ? "f32" : "f64";
  report["simd"] = std::string(to_string(simulation.machine().simd));
  report["threads"] = simulation.machine().threads;
  report["threads_at_work"] = simulation.machine().threads_at_work;
  report["seed"] = scene.seed;
  report["set"] = values_of(set, scene);
}

void add_sizes(Json& report, const Simulation& simulation) {
  const auto model = simulation.model();
  std::size_t triangles = 0, tets = 0;
  for (const ObjectModel& object : model->objects) {
    triangles += object.triangles.size();
    tets += object.tets.size();
  }
  report["particles"] = model->vertex_count;
  report["triangles"] = triangles;
  report["tets"] = tets;
  report["bodies"] = simulation.body_count();
  Json constraints = Json::object(), phases = Json::object();
  for (const BatchCount& batch : simulation.batches()) {
    constraints[std::string(batch.type)] = batch.constraints;
    phases[std::string(batch.type)] = batch.phases;
  }
  report["constraints"] = std::move(constraints);
  report["phases"] = std::move(phases);
}

void add_times(Json& report, const RunRecorder& run) {
  report["contacts"] = to_json(run.contacts());
  report["wall_ms"] = to_json(run.wall_ms());
  Json stages = Json::object();
  for (const auto& [name, median] : run.stage_medians()) stages[name] = median;
  report["stages_ms"] = std::move(stages);
}

/// Adds the numbers per object and per type of constraint.
void add_lists(Json& report, const Measures& measures, const SceneDesc& scene) {
  Json strains = Json::object();
  for (std::size_t o = 0; o < measures.object_strain.size(); ++o)
    strains[scene.objects[o].name] = to_json(measures.object_strain[o]);
  report["object_strain"] = std::move(strains);
  Json residuals = Json::object();
  for (const Residual& residual : measures.residuals) {
    residuals[std::string(residual.type)] = to_json(residual.abs_c);
  }
  report["residual"] = std::move(residuals);
  Json volumes = Json::object();
  for (const VolumeRatio& volume : measures.volume_ratios)
    volumes[scene.objects[std::size_t(volume.object)].name] = volume.ratio;
  report["volume_ratio"] = std::move(volumes);
  Json forces = Json::object();
  for (std::size_t t = 0; t < measures.tie_force.size(); ++t)
    forces[scene.ties[t].name] = measures.tie_force[t];
  report["tie_force"] = std::move(forces);
  Json end_forces = Json::object(), end_torques = Json::object();
  for (const RodEndForce& end : measures.rod_ends) {
    const std::string& name = scene.objects[std::size_t(end.object)].name;
    const char* const place = end.last ? "last" : "first";
    end_forces[name][place] = end.force, end_torques[name][place] = end.torque;
  }
  report["end_force"] = std::move(end_forces);
  report["end_torque"] = std::move(end_torques);
}

/// Adds the bounding box, its size, and the mean position of each object's vertices and each body's centres.
/// Copies count together as one.
void add_places(Json& report, const Simulation& simulation) {
  struct Place {
    glm::dvec3 low{std::numeric_limits<double>::max()}, high{-std::numeric_limits<double>::max()}, sum{0.0};
    double count = 0.0;
    void add(const glm::dvec3& x) {
      low = glm::min(low, x), high = glm::max(high, x), sum += x, count += 1.0;
    }
  };
  const auto model = simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model->vertex_count));
  simulation.read(reading::Positions{positions});
  std::vector<Index> absent;
  simulation.read(reading::Absent{absent});
  std::vector<bool> present(positions.size(), true);
  for (const Index vertex : absent) present[std::size_t(vertex)] = false;
  std::vector<BodyPose> poses(simulation.body_count());
  simulation.read(reading::Bodies{poses});
  std::vector<std::pair<std::string, Place>> places;
  const auto place_of = [&](const std::string& name) -> Place& {
    for (auto& [known, place] : places)
      if (known == name) return place;
    return places.emplace_back(name, Place{}).second;
  };
  for (const ObjectModel& object : model->objects) {
    Place& place = place_of(object.name);
    for (Index i = object.first_vertex; i < object.first_vertex + object.vertex_count; ++i)
      if (present[std::size_t(i)]) place.add(positions[std::size_t(i)]);
  }
  for (const BodyModel& body : model->bodies) {
    Place& place = place_of(body.name);
    for (Index b = body.first; b < body.first + body.count; ++b) place.add(poses[std::size_t(b)].position);
  }
  Json out = Json::object();
  for (const auto& [name, place] : places)
    if (place.count > 0.0)
      out[name] = {{"low", to_json(place.low)},
                   {"high", to_json(place.high)},
                   {"size", to_json(place.high - place.low)},
                   {"mean", to_json(place.sum / place.count)}};
  report["places"] = std::move(out);
}

void add_measures(Json& report, const Measures& measures, const FrameCounts& frames, const SceneDesc& scene) {
  for (const ReportRow& row : report_table()) {
    Json& value = report[std::string(row.name)];
    if (row.measured(measures, frames))
      value = std::visit([](const auto& read) { return to_json(read); }, row.read(measures, frames));
    if (row.name == "strain") add_lists(report, measures, scene);  // beside the strain of all objects
  }
}

/// A component named as by scalars_of(): x, y, z or length.
std::optional<double> part_of_vector(const Json& node, std::string_view part) {
  if (!node.is_array() || node.size() != 3) return std::nullopt;
  const glm::dvec3 vector(node[0].get<double>(), node[1].get<double>(), node[2].get<double>());
  for (int axis = 0; axis < 3; ++axis)
    if (part == std::string_view(&"xyz"[axis], 1)) return vector[axis];
  return part == "length" ? std::optional(glm::length(vector)) : std::nullopt;
}

/// The value at `path` below `node`, or null if there is none.
const Json* find_below(const Json& node, std::string_view path) {
  const std::size_t dot = path.find('.');
  const auto at = node.is_object() ? node.find(std::string(path.substr(0, dot))) : node.end();
  if (at == node.end()) return nullptr;
  return dot == path.npos ? &*at : find_below(*at, path.substr(dot + 1));
}

/// Suggests the keys of `node` nearest to `key`, as whole paths that begin with `prefix`. A key that has
/// `rest` below it is suggested with `rest`.
std::string suggest_key(const Json& node, const std::string& key, const std::string& prefix,
                        std::string_view rest = {}) {
  std::vector<std::string> paths;
  if (node.is_object())
    for (const auto& item : node.items()) paths.push_back(item.key());
  const std::vector<std::string_view> keys(paths.begin(), paths.end());
  const std::string near = nearest_name(key, keys);
  if (!near.empty() && !rest.empty() && find_below(node.at(near), rest))
    return "did you mean '" + prefix + near + "." + std::string(rest) + "'?";
  for (std::string& path : paths) path = prefix + path;
  const std::vector<std::string_view> names(paths.begin(), paths.end());
  return suggest(prefix + key, names);
}

}  // namespace

Report::Report(const Simulation& simulation, const RunRecorder& run, std::span<const std::string> set) {
  Json report = Json::object();
  const Measures measures = simulation.measure();
  add_identity(report, simulation, run, set);
  add_sizes(report, simulation);
  add_times(report, run);
  add_measures(report, measures, run.counts(), simulation.scene());
  add_places(report, simulation);
  report["state_hash"] = hexadecimal(simulation.state_hash());
  json_ = std::make_shared<const Json>(std::move(report));
  nonfinite_ = *value("nonfinite") > 0.0;
}

std::string Report::word(const std::string& key) const { return json_->at(key).get<std::string>(); }

std::string Report::text() const { return json_->dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

bool Report::unmeasured(std::string_view path) const {
  const ReportRow* row = report_row(path);
  return row && json_->at(std::string(row->name)).is_null();
}

Expected<double> Report::value(std::string_view path) const {
  const Json* node = json_.get();
  if (unmeasured(path))
    return Error{"'" + std::string(path) + "' was not measured: this run had nothing for it",
                 {},
                 0,
                 std::string(report_row(path)->meaning)};
  for (std::string_view rest = path; !rest.empty();) {
    const std::string prefix(path.substr(0, path.size() - rest.size()));
    const std::size_t dot = rest.find('.');
    const std::string key(rest.substr(0, dot));
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    if (const std::optional<double> part = part_of_vector(*node, key); part && rest.empty()) return *part;
    if (!node->is_object() || !node->contains(key)) {
      return Error{"the report has no value '" + std::string(path) + "'",
                   {},
                   0,
                   suggest_key(*node, key, prefix, rest)};
    }
    node = &(*node)[key];
  }
  if (node->is_boolean()) return node->get<bool>() ? 1.0 : 0.0;
  if (!node->is_number()) return Error{"'" + std::string(path) + "' is not a single number of the report"};
  return node->get<double>();
}

std::string objective_cell(SolverMethod method, const Convergence& state) {
  if (!traits(method).objective) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", state.objective);
  return text;
}

std::string imbalance_cell(SolverMethod method, const Convergence& state) {
  if (!keeps_multipliers(method)) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", state.imbalance);
  return text;
}

SeriesRow series_row(const Simulation& simulation, const StepReport& step, const FrameCounts& counts) {
  const Measures measures = simulation.measure();
  SeriesRow row = {
      {"frame", double(simulation.frame())},
      {"time", simulation.time()},
      {"wall_ms", step.solver_ms},
      {"contacts", double(step.contacts)},
  };
  for (const ReportRow& number : report_table())
    for (auto& [name, value] : scalars_of(number, number.read(measures, counts)))
      row.emplace_back(std::move(name),
                       number.measured(measures, counts) ? std::optional(value) : std::nullopt);
  for (const Residual& residual : measures.residuals) {
    const std::string name = "residual." + std::string(residual.type);
    row.emplace_back(name + ".mean", residual.abs_c.mean);
    row.emplace_back(name + ".max", residual.abs_c.max);
  }
  const SceneDesc& scene = simulation.scene();
  for (std::size_t t = 0; t < measures.tie_force.size(); ++t)
    row.emplace_back("tie_force." + scene.ties[t].name, measures.tie_force[t]);
  for (const RodEndForce& end : measures.rod_ends) {
    const std::string place =
        "." + scene.objects[std::size_t(end.object)].name + (end.last ? ".last" : ".first");
    row.emplace_back("end_force" + place, end.force);
    row.emplace_back("end_torque" + place, end.torque);
  }
  row.emplace_back("surface.contacts", step.surface_contacts);
  row.emplace_back("surface.watched", step.surface_watched);
  row.emplace_back("surface.searches", double(step.surface_searches));
  row.emplace_back("surface.in_zones", step.in_zones);
  row.emplace_back("surface.tangled", step.tangled);
  return row;
}

}  // namespace limber
