#include "app/view/tet_section.hpp"

#include <array>

namespace limber {
namespace {

class Cutter {
 public:
  Cutter(const RenderFrame& frame, const ClipPlane& plane, std::vector<SectionVertex>& out)
      : frame_(frame), plane_(plane), out_(out) {}

  void cut(const std::array<std::uint32_t, 4>& tet, const glm::vec3& color) {
    std::array<std::uint32_t, 4> below{}, above{};
    std::size_t lower = 0, upper = 0;
    for (const std::uint32_t v : tet) {
      if (plane_.height(frame_.positions[v]) > 0.0f)
        above[upper++] = v;
      else
        below[lower++] = v;
    }
    if (lower == 0 || upper == 0) return;
    if (lower == 2) {
      const SectionVertex a = crossing(below[0], above[0], color), b = crossing(below[0], above[1], color),
                          c = crossing(below[1], above[1], color), d = crossing(below[1], above[0], color);
      // a-c is a diagonal and no side of the polygon, so no component falls to 0 on it
      add(a, {1, 1, 0}), add(b, {0, 1, 0}), add(c, {0, 1, 1});
      add(a, {1, 0, 1}), add(c, {0, 1, 1}), add(d, {0, 0, 1});
      return;
    }
    const auto& single = lower == 1 ? below : above;
    const auto& triple = lower == 1 ? above : below;
    for (std::size_t k = 0; k < 3; ++k) {
      glm::vec3 edge(0.0f);
      edge[int(k)] = 1.0f;
      add(crossing(single[0], triple[k], color), edge);
    }
  }

 private:
  SectionVertex crossing(std::uint32_t a, std::uint32_t b, const glm::vec3& color) const {
    const glm::vec3 &x = frame_.positions[a], &y = frame_.positions[b];
    const float hx = plane_.height(x), hy = plane_.height(y);
    const float t = hx != hy ? hx / (hx - hy) : 0.5f;
    SectionVertex out{x + t * (y - x), color, glm::vec3(0.0f)};
    if (!frame_.heat.empty()) out.heat = frame_.heat[a] + t * (frame_.heat[b] - frame_.heat[a]);
    return out;
  }
  void add(SectionVertex vertex, const glm::vec3& edge) {
    vertex.edge = edge;
    out_.push_back(vertex);
  }

  const RenderFrame& frame_;
  const ClipPlane& plane_;
  std::vector<SectionVertex>& out_;
};

}  // namespace

void cut_tets(const RenderFrame& frame, const ClipPlane& plane, std::vector<SectionVertex>& corners,
              std::vector<std::uint32_t>& ends) {
  corners.clear();
  ends.clear();
  if (!frame.surfaces) return;
  Cutter cutter(frame, plane, corners);
  for (const TetDraw& solid : frame.surfaces->solids) {
    for (std::uint32_t t = solid.first_tet; t < solid.first_tet + solid.tet_count; ++t)
      cutter.cut(frame.surfaces->tets[t], solid.color);
    ends.push_back(std::uint32_t(corners.size()));
  }
}

}  // namespace limber
