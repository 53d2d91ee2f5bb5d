// Writes one binary PLY file per frame: vertices with attributes, triangles, and lines as edges.
#include <cstdint>

#include "app/record/format_writers.hpp"
#include "app/record/frame_series.hpp"
#include "app/record/whole_frame.hpp"
#include "engine/geometry/files/mesh_text.hpp"

namespace limber {
namespace {

template <class T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string header(const ExportedFrame& frame, const WholeFrame& whole, std::size_t edges) {
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment time ";
  append_number(text, frame.time);
  text += " s, lengths in m\n";
  for (std::size_t p = 0; p < frame.parts.size(); ++p)
    text += "comment part " + std::to_string(p) + " " + frame.parts[p].name + "\n";
  for (const WholeField& field : whole.fields)
    if (!field.unit.empty()) text += "comment " + field.name + " in " + field.unit + "\n";
  text += "element vertex " + std::to_string(whole.positions.size()) + "\n";
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "radius"})
    text += std::string("property float ") + name + "\n";
  text += "property int part\n";
  for (const WholeField& field : whole.fields) text += "property float " + field.name + "\n";
  text +=
      "element face " + std::to_string(whole.triangles.size()) + "\nproperty list uchar int vertex_indices\n";
  if (edges > 0)
    text += "element edge " + std::to_string(edges) + "\nproperty int vertex1\nproperty int vertex2\n";
  return text + "end_header\n";
}

std::string ply_text(const ExportedFrame& frame) {
  const WholeFrame whole = whole_frame(frame, false);
  std::size_t edges = 0;
  for (const std::vector<Index>& line : whole.lines) edges += line.size() - 1;
  std::string out = header(frame, whole, edges);
  for (std::size_t v = 0; v < whole.positions.size(); ++v) {
    for (int k = 0; k < 3; ++k) put(out, float(whole.positions[v][k]));
    for (int k = 0; k < 3; ++k) put(out, float(whole.velocities[v][k]));
    put(out, whole.radii[v]);
    put(out, std::int32_t(whole.parts[v]));
    for (const WholeField& field : whole.fields) put(out, field.values[v]);
  }
  for (const Triangle& triangle : whole.triangles) {
    put(out, std::uint8_t(3));
    for (const Index v : triangle) put(out, std::int32_t(v));
  }
  for (const std::vector<Index>& line : whole.lines)
    for (std::size_t k = 0; k + 1 < line.size(); ++k)
      put(out, std::int32_t(line[k])), put(out, std::int32_t(line[k + 1]));
  return out;
}

class PlySeries : public FrameWriter {
 public:
  explicit PlySeries(FrameSeries series) : series_(std::move(series)) {}
  Expected<void> add(const ExportedFrame& frame) override {
    return write_mesh_file(ply_text(frame), series_.next());
  }

 private:
  FrameSeries series_;
};

}  // namespace

Expected<std::unique_ptr<FrameWriter>> create_ply(const ExportPlan& plan) {
  Expected<FrameSeries> series = FrameSeries::create(plan.path, ".ply", plan.option);
  if (!series) return series.error();
  return std::unique_ptr<FrameWriter>(std::make_unique<PlySeries>(std::move(*series)));
}

}  // namespace limber
