#include "app/render/surface_style.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace limber {
namespace {

/// Sums over triangles of the squared lengths of dP/du and dP/dv, weighted by uv area, and the uv rectangle.
struct UvMeasure {
  glm::dvec2 squares{0.0};
  double area = 0.0;
  glm::vec2 low{1e30f}, high{-1e30f};

  void add(const std::array<glm::vec2, 3>& uv, const std::array<glm::vec3, 3>& at) {
    for (const glm::vec2& corner : uv) {
      low = glm::min(low, corner);
      high = glm::max(high, corner);
    }
    const glm::vec2 a = uv[1] - uv[0], b = uv[2] - uv[0];
    const float twice_area = a.x * b.y - a.y * b.x;
    if (!(std::abs(twice_area) > 1e-12f)) return;
    const glm::vec3 p = at[1] - at[0], q = at[2] - at[0];
    const glm::vec3 along_u = (p * b.y - q * a.y) / twice_area, along_v = (q * a.x - p * b.x) / twice_area;
    const double weight = std::abs(twice_area);
    const glm::dvec2 found(glm::dot(along_u, along_u), glm::dot(along_v, along_v));
    if (!std::isfinite(found.x) || !std::isfinite(found.y)) return;
    squares += weight * found;
    area += weight;
  }
};

/// A dark pattern for light cloth, a warm light one for other cloth.
glm::vec3 accent_for(glm::vec3 color) {
  const float luminance = glm::dot(color, glm::vec3(0.2126f, 0.7152f, 0.0722f));
  return luminance > 0.42f ? 0.3f * color : glm::mix(glm::vec3(0.80f, 0.62f, 0.25f), color, 0.08f);
}

}  // namespace

SurfaceStyle make_surface_style(const SurfaceDraw& draw, const SurfaceTopology& topology,
                                std::span<const glm::vec3> positions) {
  UvMeasure measure;
  const std::size_t end = std::size_t(draw.first_index) + draw.index_count;
  for (std::size_t i = draw.first_index; i + 2 < end; i += 3) {
    std::array<glm::vec2, 3> uv;
    std::array<glm::vec3, 3> at;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t vertex = topology.indices[i + k];
      uv[k] = vertex < topology.uvs.size() ? topology.uvs[vertex] : glm::vec2(0.0f);
      at[k] = positions[vertex];
    }
    measure.add(uv, at);
  }

  SurfaceStyle style;
  style.accent = accent_for(draw.color);
  if (measure.area <= 0.0) return style;
  style.uv_origin = measure.low;
  style.uv_to_metres = glm::vec2(glm::sqrt(measure.squares / measure.area));
  style.size = (measure.high - measure.low) * style.uv_to_metres;
  const float shorter = std::min(style.size.x, style.size.y);
  if (!(shorter > 0.0f)) return SurfaceStyle{.accent = style.accent};
  // Eight cells along the shorter side, as square as whole numbers allow. A pattern then ends at the cloth's
  // border, and does not jump when the uv scale is measured again after a tear.
  style.cells = glm::max(glm::round(8.0f * style.size / shorter), glm::vec2(1.0f));
  style.thread = shorter / 220.0f;
  return style;
}

}  // namespace limber
