// Writes a binary glTF 2.0 file. Rigid parts are moving nodes; deforming parts are meshes with one morph
// target per frame.
#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "app/commands/output_file.hpp"
#include "app/record/format_writers.hpp"
#include "app/record/spool.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_targets = 120;
constexpr int gltf_float = 5126, gltf_index = 5125;                 // component types
constexpr int gltf_points = 0, gltf_lines = 1, gltf_triangles = 4;  // modes
constexpr int vertex_buffer = 34962, index_buffer = 34963;          // targets of views

/// A part in its first frame, and its motion from there.
struct Moving {
  std::string name;
  glm::vec3 color;
  std::shared_ptr<const TriMesh> rigid;
  std::vector<Triangle> triangles;
  std::vector<std::vector<Index>> lines;
  std::vector<glm::vec2> uvs;
  std::vector<glm::vec3> positions;              ///< m, in the first frame
  std::vector<Spool::Piece> targets;             ///< per later frame: displacements from the first
  std::vector<std::array<glm::vec3, 2>> bounds;  ///< of each target
  std::vector<glm::vec3> places;                 ///< m, per frame, of a rigid part
  std::vector<glm::vec4> turns;
};

Json list_of(const glm::vec3& v) { return {v.x, v.y, v.z}; }

std::array<glm::vec3, 2> bounds_of(const std::vector<glm::vec3>& points) {
  std::array<glm::vec3, 2> box{points.front(), points.front()};
  for (const glm::vec3& x : points) box = {glm::min(box[0], x), glm::max(box[1], x)};
  return box;
}

/// The JSON half of the file, and the list of pieces of its binary half.
class Document {
 public:
  explicit Document(Spool& spool) : spool_(spool) {
    json_ = {{"asset", {{"version", "2.0"}, {"generator", "Limber"}}},
             {"scene", 0},
             {"scenes", Json::array({{{"name", "scene"}, {"nodes", Json::array()}}})}};
    for (const char* key : {"nodes", "meshes", "materials", "accessors", "bufferViews"})
      json_[key] = Json::array();
  }

  std::size_t put(const char* key, Json value) {
    json_[key].push_back(std::move(value));
    return json_[key].size() - 1;
  }
  void put_node(Json node) { json_["scenes"][0]["nodes"].push_back(put("nodes", std::move(node))); }

  /// `target`: buffer target of the view; 0 for animation data.
  std::size_t put_accessor(Spool::Piece piece, const char* type, int component, std::size_t count,
                           int target) {
    Json view = {{"buffer", 0}, {"byteOffset", size_}, {"byteLength", piece.size}};
    if (target != 0) view["target"] = target;
    pieces_.push_back(piece);
    size_ += piece.size;
    return put("accessors", {{"bufferView", put("bufferViews", std::move(view))},
                             {"componentType", component},
                             {"count", count},
                             {"type", type}});
  }
  template <class T>
  std::size_t put_values(const std::vector<T>& values, const char* type, int component, int target) {
    return put_accessor(spool_.add_values(values), type, component, values.size(), target);
  }
  void bound(std::size_t accessor, const std::array<glm::vec3, 2>& box) {
    json_["accessors"][accessor]["min"] = list_of(box[0]);
    json_["accessors"][accessor]["max"] = list_of(box[1]);
  }
  std::size_t put_points(const std::vector<glm::vec3>& points) {
    const std::size_t accessor = put_values(points, "VEC3", gltf_float, vertex_buffer);
    bound(accessor, bounds_of(points));
    return accessor;
  }

  Json& json() { return json_; }
  std::uint64_t size() const { return size_; }  ///< of the binary half
  const std::vector<Spool::Piece>& pieces() const { return pieces_; }

 private:
  Spool& spool_;
  Json json_;
  std::uint64_t size_ = 0;
  std::vector<Spool::Piece> pieces_;
};

class GlbWriter : public FrameWriter {
 public:
  GlbWriter(OutputFile file, Spool spool, const ExportPlan& plan)
      : file_(std::move(file)), spool_(std::move(spool)), plan_(plan) {}
  bool wants_fields() const override { return false; }

  Expected<void> add(const ExportedFrame& frame) override {
    if (times_.empty()) {
      if (Expected<void> fits = adopt(frame); !fits) return fits;
      start_ = frame.time;
    } else if (frame.edition != edition_) {
      return refuse(
          "parts or triangles have changed (a tear, or a body that was added), which glTF cannot hold");
    }
    edition_ = frame.edition;
    times_.push_back(float(frame.time - start_));
    std::size_t next = 0;
    for (const ExportedPart& part : frame.parts) {
      if (left_out(part)) continue;
      Moving& moving = parts_[next++];
      if (part.rigid) {
        moving.places.push_back(part.place);
        moving.turns.emplace_back(part.turn.x, part.turn.y, part.turn.z, part.turn.w);
      } else if (times_.size() > 1) {
        if (moving.targets.size() == most_targets) return refuse_deforming(part.name);
        add_target(part, moving);
      }
    }
    return spool_.check();
  }

  Expected<void> finish() override {
    Document document(spool_);
    const std::size_t time = document.put_values(times_, "SCALAR", gltf_float, 0);
    document.json()["accessors"][time]["min"] = {times_.front()};
    document.json()["accessors"][time]["max"] = {times_.back()};
    channels_ = samplers_ = Json::array();
    for (const Moving& moving : parts_) put_part(moving, time, document);
    if (!channels_.empty())
      document.put("animations", {{"name", "simulation"}, {"channels", channels_}, {"samplers", samplers_}});
    if (Expected<void> done = spool_.check(); !done) return done;
    return write(document);
  }

 private:
  static bool left_out(const ExportedPart& part) {
    return part.is_inside() || (part.fluid && part.name == "spray" && part.ids.empty());
  }

  Error refuse(const std::string& why) const {
    return Error{plan_.option + ": " + why, plan_.path, 0, "export as .usda, which can"};
  }
  Error refuse_deforming(const std::string& name) const {
    return refuse("'" + name + "' deforms, and glTF holds at most " + std::to_string(most_targets + 1) +
                  " frames of that");
  }

  Expected<void> adopt(const ExportedFrame& frame) {
    for (const ExportedPart& part : frame.parts) {
      if (left_out(part)) continue;
      if (part.fluid)
        return refuse("particles of the fluid '" + part.name + "' appear and vanish, which glTF cannot hold");
      if (!part.rigid && plan_.frames > int(most_targets) + 1) return refuse_deforming(part.name);
      Moving& moving = parts_.emplace_back();
      moving.name = part.name;
      moving.color = part.color;
      moving.rigid = part.rigid;
      moving.triangles = part.triangles;
      moving.lines = part.lines;
      moving.uvs = part.uvs;
      if (part.rigid)
        for (const glm::dvec3& x : part.rigid->positions) moving.positions.emplace_back(x);
      else
        moving.positions.assign(part.positions.begin(), part.positions.end());
    }
    return {};
  }

  void add_target(const ExportedPart& part, Moving& moving) {
    std::vector<glm::vec3> displacements;
    for (std::size_t v = 0; v < part.positions.size(); ++v)
      displacements.push_back(glm::vec3(part.positions[v]) - moving.positions[v]);
    moving.bounds.push_back(bounds_of(displacements));
    moving.targets.push_back(spool_.add_values(displacements));
  }

  void put_part(const Moving& moving, std::size_t time, Document& document) {
    const std::size_t mesh = moving.rigid ? shared_mesh(moving, document) : put_mesh(moving, document);
    const std::size_t node = document.json()["nodes"].size();
    Json description = {{"name", moving.name}, {"mesh", mesh}};
    if (moving.rigid) {
      const glm::vec4& turn = moving.turns.front();
      description["translation"] = list_of(moving.places.front());
      description["rotation"] = {turn.x, turn.y, turn.z, turn.w};
    }
    document.put_node(std::move(description));
    if (times_.size() < 2) return;
    if (moving.rigid) {
      put_channel(node, "translation", time, document.put_values(moving.places, "VEC3", gltf_float, 0));
      put_channel(node, "rotation", time, document.put_values(moving.turns, "VEC4", gltf_float, 0));
    } else {
      put_channel(node, "weights", time, weights(document));
    }
  }

  void put_channel(std::size_t node, const char* path, std::size_t time, std::size_t values) {
    samplers_.push_back({{"input", time}, {"output", values}, {"interpolation", "LINEAR"}});
    channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  /// Writes the weights of morph targets: in frame k only target k has weight 1; in the first frame none.
  std::size_t weights(Document& document) {
    if (weights_) return *weights_;
    const std::size_t targets = times_.size() - 1;
    std::vector<float> rows(times_.size() * targets, 0.0f);
    for (std::size_t frame = 1; frame < times_.size(); ++frame) rows[frame * targets + frame - 1] = 1.0f;
    weights_ = document.put_values(rows, "SCALAR", gltf_float, 0);
    return *weights_;
  }

  /// The mesh of a body's geometry. Copies share it, but each colour needs its own mesh, because materials
  /// belong to meshes.
  std::size_t shared_mesh(const Moving& moving, Document& document) {
    const auto key =
        std::make_pair(moving.rigid.get(), std::array{moving.color.x, moving.color.y, moving.color.z});
    const auto found = meshes_.find(key);
    if (found != meshes_.end()) return found->second;
    return meshes_[key] = put_mesh(moving, document);
  }

  std::size_t put_mesh(const Moving& moving, Document& document) {
    const std::size_t material = document.put(
        "materials", {{"name", moving.name},
                      {"doubleSided", true},
                      {"pbrMetallicRoughness",
                       {{"baseColorFactor", {moving.color.x, moving.color.y, moving.color.z, 1.0}},
                        {"metallicFactor", 0.0},
                        {"roughnessFactor", 0.7}}}});
    Json primitive = {{"attributes", Json::object()}, {"material", material}};
    primitive["mode"] = !moving.triangles.empty() ? gltf_triangles
                        : !moving.lines.empty()   ? gltf_lines
                                                  : gltf_points;
    primitive["attributes"]["POSITION"] = document.put_points(moving.positions);
    if (!moving.uvs.empty()) {
      std::vector<glm::vec2> uvs = moving.uvs;
      for (glm::vec2& uv : uvs) uv.y = 1.0f - uv.y;  // glTF's v points down from the upper left corner
      primitive["attributes"]["TEXCOORD_0"] = document.put_values(uvs, "VEC2", gltf_float, vertex_buffer);
    }
    std::vector<std::uint32_t> indices;
    for (const Triangle& triangle : moving.triangles)
      indices.insert(indices.end(), triangle.begin(), triangle.end());
    for (const std::vector<Index>& line : moving.lines)
      for (std::size_t k = 0; k + 1 < line.size(); ++k)
        indices.insert(indices.end(), {std::uint32_t(line[k]), std::uint32_t(line[k + 1])});
    if (!indices.empty())
      primitive["indices"] = document.put_values(indices, "SCALAR", gltf_index, index_buffer);
    for (std::size_t k = 0; k < moving.targets.size(); ++k) {
      const std::size_t target = document.put_accessor(moving.targets[k], "VEC3", gltf_float,
                                                       moving.positions.size(), vertex_buffer);
      document.bound(target, moving.bounds[k]);
      primitive["targets"].push_back({{"POSITION", target}});
    }
    return document.put("meshes", {{"name", moving.name}, {"primitives", Json::array({primitive})}});
  }

  Expected<void> write(Document& document) {
    document.json()["buffers"] = Json::array({{{"byteLength", document.size()}}});
    std::string text = document.json().dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::uint64_t whole = 12 + 8 + text.size() + 8 + document.size();
    if (whole > 0xffffffffu) return refuse("it would be larger than the 4 GiB that a binary glTF file holds");
    const auto put = [&](std::uint32_t number) {
      file_.write({reinterpret_cast<const char*>(&number), sizeof number});
    };
    for (const std::uint32_t number :
         {0x46546c67u, 2u, std::uint32_t(whole), std::uint32_t(text.size()), 0x4e4f534au})
      put(number);
    file_.write(text);
    put(std::uint32_t(document.size()));
    put(0x004e4942u);
    for (const Spool::Piece& piece : document.pieces())
      if (auto done = spool_.read(piece, [&](std::string_view bytes) { file_.write(bytes); }); !done)
        return done;
    return file_.commit();
  }

  OutputFile file_;
  Spool spool_;
  ExportPlan plan_;
  int edition_ = -1;
  double start_ = 0.0;        ///< s, of the first frame
  std::vector<float> times_;  ///< s, from the first frame
  std::vector<Moving> parts_;
  Json channels_, samplers_;
  std::optional<std::size_t> weights_;  ///< accessor of the weights
  std::map<std::pair<const TriMesh*, std::array<float, 3>>, std::size_t> meshes_;
};

}  // namespace

Expected<std::unique_ptr<FrameWriter>> create_glb(const ExportPlan& plan) {
  Expected<OutputFile> file = OutputFile::create(plan.path, plan.option);
  if (!file) return file.error();
  Expected<Spool> spool = Spool::create(plan.path, plan.option);
  if (!spool) return spool.error();
  return std::unique_ptr<FrameWriter>(std::make_unique<GlbWriter>(std::move(*file), std::move(*spool), plan));
}

}  // namespace limber
