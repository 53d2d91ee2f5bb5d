// Writes Universal Scene Description as text: one prim per part, with its points as time samples.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "app/commands/output_file.hpp"
#include "app/record/format_writers.hpp"
#include "app/record/spool.hpp"

namespace limber {
namespace {

void append(std::string& out, float value) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "nan" : value > 0.0f ? "inf" : "-inf";
    return;
  }
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append(std::string& out, Index value) { out += std::to_string(value); }

template <class Vector>
requires(Vector::length() > 1) void append(std::string& out, const Vector& v) {
  out += '(';
  for (int k = 0; k < Vector::length(); ++k) {
    if (k > 0) out += ", ";
    append(out, float(v[k]));
  }
  out += ')';
}

template <class Value>
std::string list_text(const std::vector<Value>& values) {
  std::string out = "[";
  for (const Value& value : values) {
    if (out.size() > 1) out += ", ";
    append(out, value);
  }
  return out + "]";
}

/// A quaternion as USD writes it, w first.
std::string turn_text(const glm::quat& turn) {
  std::string out;
  append(out, glm::vec4(turn.w, turn.x, turn.y, turn.z));
  return out;
}

/// Lower and upper corner of the drawn part.
std::string extent_text(const std::vector<glm::dvec3>& positions, float radius) {
  if (positions.empty()) return "[(0, 0, 0), (0, 0, 0)]";
  glm::dvec3 low = positions.front(), high = low;
  for (const glm::dvec3& x : positions) low = glm::min(low, x), high = glm::max(high, x);
  return list_text(std::vector<glm::dvec3>{low - double(radius), high + double(radius)});
}

/// An attribute whose values are in the spool. A single value in the first frame becomes the default value.
struct Attribute {
  std::string declaration;  ///< type and name
  std::string metadata;     ///< in parentheses, or empty
  std::vector<std::pair<std::int64_t, Spool::Piece>> samples;
};

struct Prim {
  std::string type, name, fixed;  ///< fixed: text of the attributes that are equal in all frames
  std::map<std::string, std::size_t> numbers;
  std::vector<Attribute> attributes;
  bool visible = true;
  int edition = -1;  ///< edition of the topology written last
};

const char* type_of(const ExportedPart& part) {
  return part.surface || !part.triangles.empty() ? "Mesh" : !part.lines.empty() ? "BasisCurves" : "Points";
}

class UsdWriter : public FrameWriter {
 public:
  UsdWriter(OutputFile file, Spool spool, double rate)
      : file_(std::move(file)), spool_(std::move(spool)), rate_(rate) {}

  Expected<void> add(const ExportedFrame& frame) override {
    if (!first_) first_ = frame.number;
    last_ = now_ = frame.number;
    std::set<std::string> there;
    for (const ExportedPart& part : frame.parts) {
      if (part.is_inside()) continue;
      there.insert(part.name);
      Prim& prim = prim_of(part);
      show(prim, true);
      if (prim.edition != part.edition) write_shape(part, prim), prim.edition = part.edition;
      write_state(part, prim);
    }
    for (auto& [name, prim] : prims_)
      if (!there.contains(name)) show(prim, false);
    return spool_.check();
  }

  Expected<void> finish() override {
    char head[512];
    std::snprintf(head, sizeof head,
                  "#usda 1.0\n(\n    defaultPrim = \"scene\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n"
                  "    startTimeCode = %lld\n    endTimeCode = %lld\n    timeCodesPerSecond = %.9g\n"
                  "    framesPerSecond = %.9g\n)\n\ndef Xform \"scene\"\n{\n",
                  static_cast<long long>(*first_), static_cast<long long>(last_), rate_, rate_);
    file_.write(head);
    for (const std::string& name : order_)
      if (Expected<void> done = write_prim(prims_.at(name)); !done) return done;
    file_.write("}\n");
    return file_.commit();
  }

 private:
  Prim& prim_of(const ExportedPart& part) {
    const auto [found, fresh] = prims_.try_emplace(part.name);
    Prim& prim = found->second;
    if (!fresh) return prim;
    order_.push_back(part.name);
    prim.type = type_of(part);
    prim.name = identifier(part.name);
    prim.visible = now_ == *first_;
    if (now_ != *first_) sample_at(*first_, prim, "token visibility", "\"invisible\"");
    prim.fixed = "        color3f[] primvars:displayColor = " + list_text(std::vector{part.color}) +
                 " (\n            interpolation = \"constant\"\n        )\n";
    if (prim.type == std::string("Mesh"))
      prim.fixed +=
          "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n";
    if (prim.type == std::string("BasisCurves")) prim.fixed += "        uniform token type = \"linear\"\n";
    if (prim.type != std::string("Mesh")) {
      prim.fixed += "        float[] widths = ";
      prim.fixed += list_text(std::vector{2.0f * part.radius}) +
                    " (\n            interpolation = \"constant\"\n        )\n";
    }
    if (part.rigid)
      prim.fixed += "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n";
    return prim;
  }

  /// A unique name that USD accepts.
  std::string identifier(const std::string& name) {
    std::string out;
    for (const unsigned char c : name) out += std::isalnum(c) && c < 128 ? char(c) : '_';
    if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out = "_" + out;
    while (!taken_.insert(out).second) out += '_';
    return out;
  }

  void sample_at(std::int64_t time, Prim& prim, const std::string& declaration, const std::string& value,
                 const std::string& metadata = {}) {
    const auto [found, fresh] = prim.numbers.try_emplace(declaration, prim.attributes.size());
    if (fresh) prim.attributes.push_back({declaration, metadata, {}});
    prim.attributes[found->second].samples.emplace_back(time, spool_.add(value));
  }
  void sample(Prim& prim, const std::string& declaration, const std::string& value,
              const std::string& metadata = {}) {
    sample_at(now_, prim, declaration, value, metadata);
  }

  void show(Prim& prim, bool visible) {
    if (prim.visible == visible) return;
    prim.visible = visible;
    sample(prim, "token visibility", visible ? "\"inherited\"" : "\"invisible\"");
  }

  void write_shape(const ExportedPart& part, Prim& prim) {
    if (prim.edition >= 0 && part.rigid) return;
    if (part.surface || !part.triangles.empty()) {
      std::vector<Index> corners;
      for (const Triangle& triangle : part.triangles)
        corners.insert(corners.end(), triangle.begin(), triangle.end());
      sample(prim, "int[] faceVertexCounts", list_text(std::vector<Index>(part.triangles.size(), 3)));
      sample(prim, "int[] faceVertexIndices", list_text(corners));
      if (!part.uvs.empty())
        sample(prim, "texCoord2f[] primvars:st", list_text(part.uvs), "interpolation = \"vertex\"");
    }
    if (!part.lines.empty()) {
      std::vector<Index> counts;
      for (const std::vector<Index>& line : part.lines) counts.push_back(Index(line.size()));
      sample(prim, "int[] curveVertexCounts", list_text(counts));
    }
    if (part.rigid) {
      sample(prim, "point3f[] points", list_text(part.rigid->positions));
      sample(prim, "float3[] extent", extent_text(part.rigid->positions, 0.0f));
    }
  }

  void write_state(const ExportedPart& part, Prim& prim) {
    for (const ExportedField& field : part.fields) {
      std::string name = "float[] primvars:";
      sample(prim, name + std::string(field.name),
             list_text(part.lines.empty() ? field.values : along(part, field.values)),
             std::string("interpolation = \"") + (part.rigid ? "constant" : "vertex") + "\"" +
                 (field.unit.empty() ? "" : "\n            doc = \"" + std::string(field.unit) + "\""));
    }
    if (part.rigid) {
      std::string place;
      append(place, part.place);
      sample(prim, "double3 xformOp:translate", place);
      sample(prim, "quatf xformOp:orient", turn_text(part.turn));
      return;
    }
    sample(prim, "float3[] extent", extent_text(part.positions, part.radius));
    sample(prim, "point3f[] points",
           list_text(part.lines.empty() ? part.positions : along(part, part.positions)));
    if (!part.velocities.empty() || part.is_points())
      sample(prim, "vector3f[] velocities",
             list_text(part.lines.empty() ? part.velocities : along(part, part.velocities)));
    if (part.is_points() && !part.ids.empty()) sample(prim, "int64[] ids", list_text(part.ids));
  }

  /// Values along curves. Points of curves are listed curve by curve, so a vertex of two lines is written
  /// twice.
  template <class Value>
  static std::vector<Value> along(const ExportedPart& part, const std::vector<Value>& values) {
    std::vector<Value> out;
    for (const std::vector<Index>& line : part.lines)
      for (const Index v : line) out.push_back(values[std::size_t(v)]);
    return out;
  }

  Expected<void> write_prim(const Prim& prim) {
    file_.write("    def " + prim.type + " \"" + prim.name + "\"\n    {\n" + prim.fixed);
    const auto put = [&](std::string_view bytes) { file_.write(bytes); };
    for (const Attribute& attribute : prim.attributes) {
      const std::string metadata =
          attribute.metadata.empty() ? "" : " (\n            " + attribute.metadata + "\n        )";
      const bool constant = attribute.samples.size() == 1 && attribute.samples[0].first == *first_;
      if (!constant && !metadata.empty()) file_.write("        " + attribute.declaration + metadata + "\n");
      file_.write("        " + attribute.declaration + (constant ? " = " : ".timeSamples = {\n"));
      for (const auto& [time, piece] : attribute.samples) {
        if (!constant) file_.write("            " + std::to_string(time) + ": ");
        if (Expected<void> done = spool_.read(piece, put); !done) return done;
        file_.write(constant ? metadata + "\n" : ",\n");
      }
      if (!constant) file_.write("        }\n");
    }
    file_.write("    }\n\n");
    return {};
  }

  OutputFile file_;
  Spool spool_;
  double rate_;
  std::optional<std::int64_t> first_;  ///< frame number
  std::int64_t last_ = 0, now_ = 0;
  std::map<std::string, Prim> prims_;  ///< by the name of the part
  std::vector<std::string> order_;
  std::set<std::string> taken_;
};

}  // namespace

Expected<std::unique_ptr<FrameWriter>> create_usd(const ExportPlan& plan) {
  Expected<OutputFile> file = OutputFile::create(plan.path, plan.option);
  if (!file) return file.error();
  Expected<Spool> spool = Spool::create(plan.path, plan.option);
  if (!spool) return spool.error();
  return std::unique_ptr<FrameWriter>(
      std::make_unique<UsdWriter>(std::move(*file), std::move(*spool), 1.0 / plan.dt));
}

}  // namespace limber
