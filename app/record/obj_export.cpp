// Writes a folder of OBJ files, and TetGen files if there are tetrahedra.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "app/record/format_writers.hpp"
#include "app/record/sequence_folder.hpp"
#include "app/view/rod_pieces.hpp"
#include "engine/geometry/files/obj_writer.hpp"
#include "engine/geometry/files/tetgen_reader.hpp"
#include "engine/scene/build/scene_model.hpp"

namespace limber {
namespace {

class ObjFolder : public FrameWriter {
 public:
  explicit ObjFolder(SequenceFolder folder) : folder_(std::move(folder)) {}
  bool wants_fields() const override { return false; }

  Expected<void> add(const ExportedFrame& frame) override {
    if (frame.edition != edition_) adopt(frame);
    mesh_.positions.clear();
    for (const Index id : order_) mesh_.positions.push_back(frame.vertices[std::size_t(id)]);
    clouds_.resize(lasting_clouds_);
    for (const ExportedPart& part : frame.parts) {
      if (part.ids.empty() || part.fluid) {
        if (part.fluid) clouds_.push_back({part.name, mesh_.positions.size(), part.positions.size(), {}, {}});
        mesh_.positions.insert(mesh_.positions.end(), part.positions.begin(), part.positions.end());
      }
    }
    std::erase_if(clouds_, [](const ObjPoints& cloud) { return cloud.name == "spray" && cloud.count == 0; });
    if (!mesh_.uvs.empty()) mesh_.uvs.resize(mesh_.positions.size(), glm::dvec2(0.0));
    const std::string stem = folder_.next("");
    const Expected<void> written = write_obj(mesh_, groups_, stem + ".obj", clouds_);
    if (!written || tets_.tets.empty()) return written;
    for (std::size_t v = 0; v < tet_vertices_.size(); ++v)
      tets_.positions[v] = frame.vertices[std::size_t(tet_vertices_[v])];
    return write_tetgen(tets_, stem);
  }

 private:
  /// Takes over the data that does not change from frame to frame.
  void adopt(const ExportedFrame& frame) {
    edition_ = frame.edition;
    number_vertices(*frame.model);
    mesh_.triangles.clear();
    mesh_.uvs.assign(has_uvs(*frame.model) ? order_.size() : 0, glm::dvec2(0.0));
    groups_.clear();
    clouds_.clear();
    std::size_t own = order_.size();  // first own point of the part
    for (const ExportedPart& part : frame.parts) {
      if (part.fluid || part.is_inside()) continue;
      const auto number = [&](Index v) {
        return part.ids.empty() ? Index(own) + v : number_[std::size_t(part.ids[std::size_t(v)])];
      };
      if (!part.triangles.empty()) groups_.push_back({part.name, mesh_.triangles.size()});
      for (const auto& [a, b, c] : part.triangles)
        mesh_.triangles.push_back({number(a), number(b), number(c)});
      if (!part.ids.empty())
        for (std::size_t v = 0; v < part.uvs.size(); ++v)
          mesh_.uvs[std::size_t(number(Index(v)))] = glm::dvec2(part.uvs[v]);
      if (part.ids.empty()) own += part.positions.size();
    }
    note_clouds(*frame.model);
    adopt_tets(frame);
  }

  static bool has_uvs(const SceneModel& model) {
    return std::ranges::any_of(model.objects, [](const ObjectModel& object) { return !object.uvs.empty(); });
  }

  /// Numbers the vertices. Fluid particles appear and vanish, so they come last and change no mesh index.
  void number_vertices(const SceneModel& model) {
    std::vector<char> fluid(std::size_t(model.vertex_count), 0);
    for (const ObjectModel& object : model.objects)
      if (object.fluid)
        std::fill_n(fluid.begin() + std::ptrdiff_t(object.first_vertex), object.vertex_count, char(1));
    order_.clear();
    number_.assign(fluid.size(), no_index);
    for (std::size_t id = 0; id < fluid.size(); ++id)
      if (!fluid[id]) number_[id] = Index(order_.size()), order_.push_back(Index(id));
  }

  void note_clouds(const SceneModel& model) {
    for (const ObjectModel& object : model.objects) {
      if (object.fluid || !object.triangles.empty() || object.skin || object.shape) continue;
      for (const RodPiece& piece : pieces_of(object)) {
        ObjPoints line{
            object.name, 0, 0, piece.closed ? ObjPoints::Joined::closed : ObjPoints::Joined::line, {}};
        for (const Index point : piece.points)
          line.points.push_back(std::size_t(number_[std::size_t(point)]));
        clouds_.push_back(std::move(line));
      }
      if (object.rod.segments == 0)
        clouds_.push_back({object.name,
                           std::size_t(number_[std::size_t(object.first_vertex)]),
                           std::size_t(object.vertex_count),
                           ObjPoints::Joined::apart,
                           {}});
    }
    lasting_clouds_ = clouds_.size();
  }

  void adopt_tets(const ExportedFrame& frame) {
    tets_ = {};
    tet_vertices_.clear();
    std::vector<Index> number(frame.vertices.size(), no_index);
    for (const ObjectModel& object : frame.model->objects)
      for (Tet tet : object.tets) {
        for (Index& v : tet) {
          Index& own = number[std::size_t(v)];
          if (own == no_index) own = Index(tet_vertices_.size()), tet_vertices_.push_back(v);
          v = own;
        }
        tets_.tets.push_back(tet);
      }
    tets_.positions.resize(tet_vertices_.size());
  }

  SequenceFolder folder_;
  int edition_ = -1;           ///< edition of all members below
  std::vector<Index> order_;   ///< external ids in file order, without fluids
  std::vector<Index> number_;  ///< per external id: index in order_
  TriMesh mesh_;               ///< the mesh as written
  std::vector<ObjGroup> groups_;
  std::vector<ObjPoints> clouds_;   ///< of grains, particles and rods, then of fluids
  std::size_t lasting_clouds_ = 0;  ///< clouds that are not of fluids
  TetMesh tets_;                    ///< tetrahedra of all objects
  std::vector<Index> tet_vertices_;
};

}  // namespace

Expected<std::unique_ptr<FrameWriter>> create_obj_folder(const ExportPlan& plan) {
  Expected<SequenceFolder> folder = SequenceFolder::create(plan.path, plan.option);
  if (!folder) return folder.error();
  return std::unique_ptr<FrameWriter>(std::make_unique<ObjFolder>(std::move(*folder)));
}

}  // namespace limber
