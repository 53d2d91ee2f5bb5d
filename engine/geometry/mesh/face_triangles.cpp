#include "engine/geometry/mesh/face_triangles.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "engine/geometry/mesh/polygon.hpp"

namespace limber {
namespace {

using EdgeKey = std::uint64_t;
EdgeKey key_of(Index a, Index b) {
  return std::uint64_t(std::min(a, b)) << 32 | std::uint32_t(std::max(a, b));
}

class FaceTriangulation {
 public:
  explicit FaceTriangulation(const Faces& faces) : faces_(faces), cuts_(faces.ends.size()) {}

  std::vector<FaceTriangle> run() {
    for (std::size_t f = 0; f < cuts_.size(); ++f) triangulate_polygon(corners_of(f), cuts_[f]);
    if (has_diagonals()) part_diagonals();
    std::vector<FaceTriangle> triangles;
    for (std::size_t f = 0; f < cuts_.size(); ++f)
      for (const auto& [a, b, c] : cuts_[f])
        triangles.push_back(
            {{begin(f) + std::size_t(a), begin(f) + std::size_t(b), begin(f) + std::size_t(c)}, f});
    return triangles;
  }

 private:
  using Cuts = std::vector<std::array<int, 3>>;

  std::size_t begin(std::size_t f) const { return f == 0 ? 0 : faces_.ends[f - 1]; }
  int size(std::size_t f) const { return int(faces_.ends[f] - begin(f)); }
  std::span<const glm::dvec3> corners_of(std::size_t f) const {
    return faces_.corners.subspan(begin(f), std::size_t(size(f)));
  }
  Index vertex(std::size_t f, int corner) const { return faces_.vertices[begin(f) + std::size_t(corner)]; }

  bool has_diagonals() const { return faces_.corners.size() > 3 * faces_.ends.size(); }

  /// Calls act(key) for every diagonal that the face is cut along.
  template <class Act>
  void each_diagonal(std::size_t f, const Act& act) const {
    const int n = size(f);
    for (const auto& cut : cuts_[f])
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = cut[k], b = cut[(k + 1) % 3];
        // each diagonal has a triangle on both sides, which run along it in opposite directions
        if (a < b && b - a != 1 && b - a != n - 1) act(key_of(vertex(f, a), vertex(f, b)));
      }
  }

  void list_edges() {
    edges_.reserve(faces_.corners.size());
    for (std::size_t f = 0; f < cuts_.size(); ++f)
      for (int k = 0; k < size(f); ++k) edges_.push_back(key_of(vertex(f, k), vertex(f, (k + 1) % size(f))));
    std::sort(edges_.begin(), edges_.end());
  }
  bool is_edge(EdgeKey key) const { return std::binary_search(edges_.begin(), edges_.end(), key); }

  /// The first face with a diagonal keeps it; later faces with the same diagonal, and faces whose diagonal is
  /// an edge, are cut again.
  void part_diagonals() {
    list_edges();
    std::vector<std::size_t> again;
    for (std::size_t f = 0; f < cuts_.size(); ++f) {
      bool free = true;
      each_diagonal(f, [&](EdgeKey key) { free = free && !owner_.contains(key) && !is_edge(key); });
      if (!free) again.push_back(f);
      if (free) each_diagonal(f, [&](EdgeKey key) { owner_.emplace(key, f); });
    }
    for (std::size_t f : again)
      if (!cut_anew(f, no_key)) make_way_for(f);
  }

  /// Cuts the face again along diagonals that are neither edges, nor diagonals of another face, nor `barred`.
  /// Returns false, with the face unchanged, if there are none.
  bool cut_anew(std::size_t f, EdgeKey barred) {
    const auto allowed = [&](int i, int j) {
      const EdgeKey key = key_of(vertex(f, i), vertex(f, j));
      const auto owner = owner_.find(key);
      return key != barred && !is_edge(key) && (owner == owner_.end() || owner->second == f);
    };
    Cuts cuts;
    if (!triangulate_polygon(corners_of(f), cuts, allowed)) return false;
    each_diagonal(f, [&](EdgeKey key) {
      const auto owner = owner_.find(key);
      if (owner != owner_.end() && owner->second == f) owner_.erase(owner);
    });
    cuts_[f] = std::move(cuts);
    each_diagonal(f, [&](EdgeKey key) { owner_.emplace(key, f); });
    return true;
  }

  /// Gives the owner of a diagonal that this face could use another diagonal.
  void make_way_for(std::size_t f) {
    const int n = size(f);
    for (int i = 0; i < n; ++i)
      for (int j = i + 2; j < n; ++j) {
        const EdgeKey key = key_of(vertex(f, i), vertex(f, j));
        const auto owner = owner_.find(key);
        if (owner == owner_.end() || owner->second == f || is_edge(key)) continue;
        if (cut_anew(owner->second, key) && cut_anew(f, no_key)) return;
      }
  }

  static constexpr EdgeKey no_key = ~EdgeKey(0);
  const Faces& faces_;
  std::vector<Cuts> cuts_;                          // per face, numbers of its corners
  std::vector<EdgeKey> edges_;                      // of all faces, sorted
  std::unordered_map<EdgeKey, std::size_t> owner_;  // of each diagonal: its face
};

}  // namespace

std::vector<FaceTriangle> triangulate_faces(const Faces& faces) { return FaceTriangulation(faces).run(); }

}  // namespace limber
