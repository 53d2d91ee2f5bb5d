// Overlays: marks over the picture that show contacts and other internals.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <string_view>

namespace limber {

enum class Overlay : int { none, contacts, intersections, zones, particles, joints, tets, wind };

struct OverlayInfo {
  Overlay overlay;
  std::string_view name;   ///< for the command line
  std::string_view label;  ///< for the user interface
};
inline constexpr std::array overlays{
    OverlayInfo{Overlay::none, "none", "None"},
    OverlayInfo{Overlay::contacts, "contacts", "Contacts and their normals"},
    OverlayInfo{Overlay::intersections, "intersections", "Triangles that intersect"},
    OverlayInfo{Overlay::zones, "zones", "Impact zones"},
    OverlayInfo{Overlay::particles, "particles", "Particles of solids"},
    OverlayInfo{Overlay::joints, "joints", "Joints and their axes"},
    OverlayInfo{Overlay::tets, "tets", "Edges of tetrahedra"},
    OverlayInfo{Overlay::wind, "wind", "Streaks of the wind"},
};
constexpr const OverlayInfo& info_of(Overlay overlay) { return overlays[std::size_t(overlay)]; }
constexpr std::optional<Overlay> overlay_named(std::string_view name) {
  for (const OverlayInfo& info : overlays)
    if (info.name == name) return info.overlay;
  return std::nullopt;
}

/// Whether each Overlay has anything to mark.
using OverlaysThere = std::array<bool, overlays.size()>;
/// The next overlay after `overlay` that has marks, or none. An `overlay` without marks counts as none.
constexpr Overlay next_overlay(Overlay overlay, const OverlaysThere& there) {
  const std::size_t shown = there[std::size_t(overlay)] ? std::size_t(overlay) : 0;
  for (std::size_t i = shown + 1; i < overlays.size(); ++i)
    if (there[i]) return overlays[i].overlay;
  return Overlay::none;
}

/// A kind of mark in the picture with its number, drawn or not.
struct MarkCount {
  std::string_view label;
  glm::vec3 color{0.0f};  ///< sRGB
  std::int64_t count = 0;
};

/// The legend of a frame's overlay. For intersections, counts pairs of triangles.
struct OverlayNote {
  Overlay overlay = Overlay::none;
  std::array<MarkCount, 6> marks{};  ///< entries without a label are unused
};

}  // namespace limber
