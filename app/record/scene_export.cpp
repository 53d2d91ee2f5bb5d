#include "app/record/scene_export.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <vector>

#include "app/record/format_writers.hpp"
#include "engine/core/tunable.hpp"

namespace limber {
namespace fs = std::filesystem;

const std::array<ExportFormat, 6> export_formats{{
    {".usda", "USD text", create_usd},
    {".glb", "glTF: rigid parts, deforming meshes of at most 121 frames, no fluids", create_glb},
    {".vtu", "a VTK file per frame with a .pvd for ParaView", create_vtk},
    {".pvd", "the same", create_vtk},
    {".ply", "a binary PLY file per frame", create_ply},
    {".npz", "NumPy arrays", create_npz},
}};

namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

bool names_folder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || fs::is_directory(path, error) || fs::path(path).extension().empty();
}

Error unknown_ending(const ExportPlan& plan, const std::string& ending) {
  std::vector<std::string_view> names;
  std::string list;
  for (const ExportFormat& format : export_formats) {
    names.push_back(format.ending);
    list += (list.empty() ? "" : ", ") + std::string(format.ending);
  }
  if (ending == ".obj")
    return Error{plan.option + ": OBJ files go into a folder, one per frame", plan.path, 0,
                 "write " + fs::path(plan.path).replace_extension().string() + "/"};
  std::string hint = suggest(ending, names);
  if (ending == ".usd" || ending == ".usdc" || ending == ".usdz") hint = "did you mean .usda?";
  if (ending == ".gltf") hint = "did you mean .glb?";
  if (ending == ".vtk" || ending == ".vtp") hint = "did you mean .vtu?";
  return Error{plan.option + ": nothing is written as '" + ending + "', but as " + list +
                   ", or OBJ into a folder, which ends in /",
               plan.path, 0, hint};
}

/// The first part with a non-finite position, or null.
const ExportedPart* broken_part(const ExportedFrame& frame) {
  for (const ExportedPart& part : frame.parts)
    for (const glm::dvec3& x : part.positions)
      if (!std::isfinite(x.x + x.y + x.z)) return &part;
  return nullptr;
}

}  // namespace

std::string export_help() {
  std::string text = "write every frame for other programs, by the ending: FOLDER/ (OBJ files)";
  for (const ExportFormat& format : export_formats)
    text += ", " + std::string(format.ending) + " (" + std::string(format.meaning) + ")";
  return text;
}

Expected<SceneExport> SceneExport::create(ExportPlan plan) {
  Expected<std::unique_ptr<FrameWriter>> writer = Error{};
  if (names_folder(plan.path)) {
    writer = create_obj_folder(plan);
  } else {
    const std::string ending = lower_case(fs::path(plan.path).extension().string());
    const auto format = std::ranges::find(export_formats, ending, &ExportFormat::ending);
    if (format == export_formats.end()) return unknown_ending(plan, ending);
    writer = format->create(plan);
  }
  if (!writer) return writer.error();
  return SceneExport(std::move(*writer), plan);
}

Expected<void> SceneExport::add(const Simulation& simulation) {
  const ExportedFrame& frame = gatherer_.gather(simulation, writer_->wants_fields());
  if (const ExportedPart* part = broken_part(frame))
    return Error{"a position of '" + part->name + "' is not finite; the frame was not written", path_};
  ++frames_;
  return writer_->add(frame);
}

Expected<void> SceneExport::finish() { return frames_ > 0 ? writer_->finish() : Expected<void>(); }

}  // namespace limber
