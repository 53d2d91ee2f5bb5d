// Writes an archive of NumPy arrays: PART/positions (frames x vertices x 3), PART/faces, the times, ...
#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "app/commands/output_file.hpp"
#include "app/record/format_writers.hpp"
#include "app/record/npz_writer.hpp"
#include "app/record/spool.hpp"
#include "engine/scene/build/scene_model.hpp"

namespace limber {
namespace {

/// One row per frame. Missing rows, and rows shorter than the longest, are filled.
struct Column {
  std::string_view type;                     ///< NumPy's type code
  std::uint64_t width = 1;                   ///< numbers per vertex
  std::string fill;                          ///< bytes of one filler number
  std::map<std::size_t, Spool::Piece> rows;  ///< by the frame's number in the file
  bool of_vertices = true;                   ///< else one entry per frame
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// Orders a fluid's values by particle number, so that each particle keeps its row for the whole run.
template <class Value>
std::vector<Value> by_number(const std::vector<Value>& values, const std::vector<Index>& ids, Index first,
                             Value nothing) {
  std::vector<Value> out(ids.empty() ? 0 : std::size_t(ids.back() - first) + 1, nothing);
  for (std::size_t k = 0; k < ids.size(); ++k) out[std::size_t(ids[k] - first)] = values[k];
  return out;
}

class NpzExport : public FrameWriter {
 public:
  NpzExport(OutputFile file, Spool spool) : file_(std::move(file)), spool_(std::move(spool)) {}

  Expected<void> add(const ExportedFrame& frame) override {
    times_.push_back(frame.time);
    for (const ExportedPart& part : frame.parts) {
      if (int& edition = editions_.try_emplace(part.name, -1).first->second; edition != part.edition)
        add_shape(part), edition = part.edition;
      add_state(part, *frame.model);
      for (const ExportedField& field : part.fields)
        units_[std::string(field.name)] = std::string(field.unit);
    }
    return spool_.check();
  }

  Expected<void> finish() override {
    NpzWriter archive(file_);
    const auto whole = [&](const std::string& name, std::string_view type,
                           const std::vector<std::uint64_t>& shape, const std::string& bytes) {
      return archive.add(name, type, shape, [&](const auto& take) {
        take(bytes);
        return Expected<void>();
      });
    };
    if (auto done = whole("time", "<f8", {times_.size()}, bytes_of(times_)); !done) return done;
    if (auto done = write_units(whole); !done) return done;
    for (const auto& [name, shape] : shapes_)
      if (auto done = archive.add(name, shape.type, {shape.rows, shape.width}, source_of(shape.piece)); !done)
        return done;
    for (const auto& [name, column] : columns_)
      if (auto done = write_column(name, column, archive); !done) return done;
    archive.finish();
    return file_.commit();
  }

 private:
  /// An array that does not change in every frame: faces, tetrahedra, lines, texture coordinates.
  struct Shape {
    std::string_view type;
    std::uint64_t rows, width;
    Spool::Piece piece;
  };

  NpzWriter::Source source_of(Spool::Piece piece) const {
    return
        [this, piece](const std::function<void(std::string_view)>& take) { return spool_.read(piece, take); };
  }

  /// Writes a shape. The names of later, changed shapes contain the number of their first frame, counted from
  /// 0.
  void put_shape(const std::string& name, std::string_view type, std::uint64_t width, std::string bytes) {
    if (bytes.empty()) return;
    std::string& last = last_shapes_[name];
    if (last == bytes) return;
    const std::string number = last.empty() ? "" : "_from_" + std::to_string(times_.size() - 1);
    const std::uint64_t rows = bytes.size() / (width * (type == "<f8" ? 8 : 4));
    shapes_[name + number] = {type, rows, width, spool_.add(bytes)};
    last = std::move(bytes);
  }

  void add_shape(const ExportedPart& part) {
    put_shape(part.name + "/faces", "<i4", 3, bytes_of(part.triangles));
    put_shape(part.name + "/tets", "<i4", 4, bytes_of(part.tets));
    put_shape(part.name + "/uvs", "<f4", 2, bytes_of(part.uvs));
    std::vector<Index> segments;
    for (const std::vector<Index>& line : part.lines)
      for (std::size_t k = 0; k + 1 < line.size(); ++k)
        segments.insert(segments.end(), {line[k], line[k + 1]});
    put_shape(part.name + "/segments", "<i4", 2, bytes_of(segments));
    if (part.rigid) put_shape(part.name + "/vertices", "<f8", 3, bytes_of(part.rigid->positions));
    if (part.radius > 0.0f) put_shape(part.name + "/radius", "<f4", 1, bytes_of(part.radius));
  }

  void add_row(const std::string& name, std::string_view type, std::uint64_t width, std::string fill,
               const std::string& bytes, bool of_vertices) {
    Column& column =
        columns_.try_emplace(name, Column{type, width, std::move(fill), {}, of_vertices}).first->second;
    column.rows[times_.size() - 1] = spool_.add(bytes);
  }

  void add_state(const ExportedPart& part, const SceneModel& model) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    constexpr float few = std::numeric_limits<float>::quiet_NaN();
    if (part.rigid) {
      add_row(part.name + "/position", "<f4", 3, bytes_of(few), bytes_of(part.place), false);
      const glm::vec4 turn(part.turn.x, part.turn.y, part.turn.z, part.turn.w);
      add_row(part.name + "/rotation", "<f4", 4, bytes_of(few), bytes_of(turn), false);
      for (const ExportedField& field : part.fields)
        add_row(part.name + "/" + std::string(field.name), "<f4", 1, bytes_of(few), bytes_of(field.values),
                false);
      return;
    }
    const bool keeps_rows = part.fluid && !part.ids.empty();
    const Index first = keeps_rows ? first_vertex(part, model) : 0;
    const auto laid = [&](const auto& values, auto nothing) {
      return bytes_of(keeps_rows ? by_number(values, part.ids, first, nothing) : values);
    };
    add_row(part.name + "/positions", "<f8", 3, bytes_of(none), laid(part.positions, glm::dvec3(none)), true);
    if (!part.velocities.empty() || part.fluid)
      add_row(part.name + "/velocities", "<f8", 3, bytes_of(none), laid(part.velocities, glm::dvec3(none)),
              true);
    for (const ExportedField& field : part.fields)
      add_row(part.name + "/" + std::string(field.name), "<f4", 1, bytes_of(few), laid(field.values, few),
              true);
  }

  static Index first_vertex(const ExportedPart& part, const SceneModel& model) {
    const auto object = std::ranges::find(model.objects, part.name, &ObjectModel::name);
    return object == model.objects.end() ? 0 : object->first_vertex;
  }

  template <class Whole>
  Expected<void> write_units(const Whole& whole) const {
    std::size_t longest = 1;
    std::vector<std::string> rows;
    for (const auto& [name, unit] : units_) {
      rows.push_back(name + "=" + (unit.empty() ? "1" : unit));
      longest = std::max(longest, rows.back().size());
    }
    std::string bytes;
    for (std::string row : rows) row.resize(longest, '\0'), bytes += row;
    return whole("units", "|S" + std::to_string(longest), {rows.size()}, bytes);
  }

  Expected<void> write_column(const std::string& name, const Column& column, NpzWriter& archive) const {
    const std::uint64_t number = column.type == "<f8" ? 8 : 4, cell = number * column.width;
    std::uint64_t longest = 0;
    for (const auto& [frame, piece] : column.rows) longest = std::max(longest, piece.size / cell);
    std::vector<std::uint64_t> shape{times_.size()};
    if (column.of_vertices) shape.push_back(longest);
    if (column.width > 1) shape.push_back(column.width);
    const auto source = [&](const std::function<void(std::string_view)>& take) -> Expected<void> {
      for (std::size_t frame = 0; frame < times_.size(); ++frame) {
        const auto row = column.rows.find(frame);
        const Spool::Piece piece = row == column.rows.end() ? Spool::Piece{} : row->second;
        if (Expected<void> done = spool_.read(piece, take); !done) return done;
        std::string rest;
        for (std::uint64_t n = piece.size / number; n < longest * column.width; ++n) rest += column.fill;
        if (!rest.empty()) take(rest);
      }
      return {};
    };
    return archive.add(name, column.type, shape, source);
  }

  OutputFile file_;
  Spool spool_;
  std::map<std::string, int> editions_;  ///< editions of the written shapes, by part
  std::vector<double> times_;
  std::map<std::string, std::string> units_, last_shapes_;
  std::map<std::string, Shape> shapes_;
  std::map<std::string, Column> columns_;
};

}  // namespace

Expected<std::unique_ptr<FrameWriter>> create_npz(const ExportPlan& plan) {
  Expected<OutputFile> file = OutputFile::create(plan.path, plan.option);
  if (!file) return file.error();
  Expected<Spool> spool = Spool::create(plan.path, plan.option);
  if (!spool) return spool.error();
  return std::unique_ptr<FrameWriter>(std::make_unique<NpzExport>(std::move(*file), std::move(*spool)));
}

}  // namespace limber
