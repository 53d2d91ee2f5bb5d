// Writes one .vtu file per frame, XML followed by raw arrays, and a .pvd file with all times.
#include <cstdint>
#include <filesystem>

#include "app/commands/output_file.hpp"
#include "app/record/format_writers.hpp"
#include "app/record/frame_series.hpp"
#include "app/record/whole_frame.hpp"
#include "engine/geometry/files/mesh_text.hpp"

namespace limber {
namespace {

enum CellType : std::uint8_t { vtk_vertex = 1, vtk_polyline = 4, vtk_triangle = 5, vtk_tetra = 10 };

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

/// XML elements of arrays, and their bytes for the appended block, each preceded by an eight-byte count.
class Arrays {
 public:
  template <class T>
  std::string add(const std::string& type, const std::string& name, int components,
                  const std::vector<T>& values) {
    std::string element = "<DataArray type=\"" + type + "\" Name=\"" + escaped(name) + "\"";
    if (components > 1) element += " NumberOfComponents=\"" + std::to_string(components) + "\"";
    element += " format=\"appended\" offset=\"" + std::to_string(bytes_.size()) + "\"/>\n";
    const std::uint64_t size = values.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes_.append(reinterpret_cast<const char*>(values.data()), size);
    return element;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

struct Cells {
  std::vector<std::int64_t> corners, ends;
  std::vector<std::uint8_t> types;
  std::vector<std::int32_t> parts;

  template <class Corners>
  void add(const Corners& of_cell, CellType type, int part) {
    corners.insert(corners.end(), of_cell.begin(), of_cell.end());
    ends.push_back(std::int64_t(corners.size()));
    types.push_back(type);
    parts.push_back(part);
  }
};

Cells cells_of(const WholeFrame& whole) {
  Cells cells;
  for (std::size_t i = 0; i < whole.triangles.size(); ++i)
    cells.add(whole.triangles[i], vtk_triangle, whole.triangle_parts[i]);
  for (std::size_t i = 0; i < whole.tets.size(); ++i) cells.add(whole.tets[i], vtk_tetra, whole.tet_parts[i]);
  for (std::size_t i = 0; i < whole.lines.size(); ++i)
    cells.add(whole.lines[i], vtk_polyline, whole.line_parts[i]);
  for (std::size_t i = 0; i < whole.points.size(); ++i)
    cells.add(std::array{whole.points[i]}, vtk_vertex, whole.point_parts[i]);
  return cells;
}

std::string vtu_text(const ExportedFrame& frame) {
  const WholeFrame whole = whole_frame(frame, true);
  const Cells cells = cells_of(whole);
  Arrays arrays;
  std::string time, names;
  append_number(time, frame.time);
  for (const ExportedPart& part : frame.parts) {
    for (const unsigned char c : part.name) names += std::to_string(int(c)) + ' ';
    names += "0 ";
  }
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">" +
      time + "</DataArray>\n<Array type=\"String\" Name=\"parts\" NumberOfTuples=\"" +
      std::to_string(frame.parts.size()) + "\" format=\"ascii\">" + names +
      "</Array>\n</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(whole.positions.size()) +
      "\" NumberOfCells=\"" + std::to_string(cells.types.size()) + "\">\n<PointData>\n";
  text += arrays.add("Float64", "velocity [m/s]", 3, whole.velocities);
  text += arrays.add("Float32", "radius [m]", 1, whole.radii);
  for (const WholeField& field : whole.fields)
    text += arrays.add("Float32", field.name + (field.unit.empty() ? "" : " [" + field.unit + "]"), 1,
                       field.values);
  text += "</PointData>\n<CellData>\n" + arrays.add("Int32", "part", 1, cells.parts) +
          "</CellData>\n<Points>\n" + arrays.add("Float64", "position [m]", 3, whole.positions) +
          "</Points>\n<Cells>\n" + arrays.add("Int64", "connectivity", 1, cells.corners) +
          arrays.add("Int64", "offsets", 1, cells.ends) + arrays.add("UInt8", "types", 1, cells.types) +
          "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  return text + arrays.bytes() + "\n</AppendedData>\n</VTKFile>\n";
}

class VtkSeries : public FrameWriter {
 public:
  VtkSeries(FrameSeries series, OutputFile list) : series_(std::move(series)), list_(std::move(list)) {}

  Expected<void> add(const ExportedFrame& frame) override {
    const std::string path = series_.next();
    std::string time;
    append_number(time, frame.time);
    entries_ += "<DataSet timestep=\"" + time + "\" part=\"0\" file=\"" +
                escaped(std::filesystem::path(path).filename().string()) + "\"/>\n";
    return write_mesh_file(vtu_text(frame), path);
  }

  Expected<void> finish() override {
    list_.write("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n" +
                entries_ + "</Collection>\n</VTKFile>\n");
    return list_.commit();
  }

 private:
  FrameSeries series_;
  OutputFile list_;
  std::string entries_;
};

}  // namespace

Expected<std::unique_ptr<FrameWriter>> create_vtk(const ExportPlan& plan) {
  Expected<FrameSeries> series = FrameSeries::create(plan.path, ".vtu", plan.option);
  if (!series) return series.error();
  Expected<OutputFile> list =
      OutputFile::create(std::filesystem::path(plan.path).replace_extension(".pvd").string(), plan.option);
  if (!list) return list.error();
  return std::unique_ptr<FrameWriter>(std::make_unique<VtkSeries>(std::move(*series), std::move(*list)));
}

}  // namespace limber
