#include "engine/scene/objects/rod.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/rods/rod_curve.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/scene/object_check.hpp"
#include "engine/scene/object_desc.hpp"
#include "engine/scene/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"
#include "engine/scene/scene_desc.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 4> rod_form_names{"line", "helix", "ring", "path"};
constexpr std::array<std::string_view, 2> rod_rest_names{"built", "straight"};
constexpr std::array<std::string_view, 3> rod_end_names{"free", "pinned", "clamped"};
constexpr std::array<std::string_view, 9> rod_preset_names{"custom",    "steel_wire",    "nylon_line",
                                                           "hemp_rope", "rubber_band",   "copper_cable",
                                                           "hair",      "raw_spaghetti", "cooked_spaghetti"};

/// Young's modulus, Poisson ratio, density, half the thickness, damping time, friction. Typical, not measured
/// on one thing:
///
/// - steel: music wire, E 200 to 210 GPa, of 1 mm; nylon: monofilament of polyamide 6 (2 to 3 GPa), of 0.5 mm
/// - hemp: a laid rope of 12 mm. Its strands slide, so it stretches and bends far more easily than fibres (30
/// to
///   70 GPa): 0.2 to 0.6 GPa over the whole section
/// - rubber: soft natural rubber (1 to 2 MPa), a band of 2 mm; copper: annealed wire, 117 GPa, of 1.4 mm
/// - hair: 3 to 5 GPa, 1,320 kg/m^3, 80 um (Robbins, Chemical and Physical Behavior of Human Hair, 2012)
/// - spaghetti: raw, 3.8 GPa, 1.7 mm (Audoly and Neukirch 2005); cooked, of the order of 0.1 MPa, 2.2 mm
struct RodPresetRow {
  RodPreset preset;
  double youngs_modulus, poisson_ratio;  ///< Pa
  double density;                        ///< kg/m^3
  double radius;                         ///< m
  double damping_time;                   ///< s
  double friction;
};
constexpr std::array rod_presets{
    RodPresetRow{RodPreset::steel_wire, 2.05e11, 0.29, 7850, 0.5e-3, 1e-5, 0.2},
    RodPresetRow{RodPreset::nylon_line, 2.5e9, 0.39, 1140, 0.25e-3, 1e-4, 0.2},
    RodPresetRow{RodPreset::hemp_rope, 4e8, 0.3, 900, 6e-3, 2e-3, 0.5},
    RodPresetRow{RodPreset::rubber_band, 1.5e6, 0.49, 1100, 1e-3, 1e-3, 0.9},
    RodPresetRow{RodPreset::copper_cable, 1.17e11, 0.34, 8960, 0.7e-3, 1e-4, 0.3},
    RodPresetRow{RodPreset::hair, 4e9, 0.35, 1320, 40e-6, 1e-3, 0.3},
    RodPresetRow{RodPreset::raw_spaghetti, 3.8e9, 0.3, 1500, 0.85e-3, 1e-4, 0.3},
    RodPresetRow{RodPreset::cooked_spaghetti, 1e5, 0.45, 1100, 1.1e-3, 5e-3, 0.2},
};

constexpr Field rod_preset_row() {
  Field row =
      choice<&ObjectDesc::rod, &RodDesc::preset>("made_of", "Made of", rod_preset_names,
                                                 "Typical Young's modulus, Poisson ratio, density, "
                                                 "thickness, damping and friction. In a scene file, keys "
                                                 "beside it and in 'material' override its numbers.",
                                                 Effect::rebuild);
  row.changed = [](void* settings) {
    ObjectDesc& object = *static_cast<ObjectDesc*>(settings);
    for (const RodPresetRow& row : rod_presets) {
      if (row.preset != object.rod.preset) continue;
      object.material->youngs_modulus = row.youngs_modulus;
      object.material->poisson_ratio = row.poisson_ratio;
      object.material->damping_time = row.damping_time;
      object.material->friction = row.friction;
      object.density = row.density;
      object.rod.radius = row.radius;
    }
  };
  return row;
}

constexpr std::array rod_form_rows{
    rod_preset_row(),
    choice<&ObjectDesc::rod, &RodDesc::form>("form", "Form", rod_form_names,
                                             "line: straight along x. helix: about the x axis. ring: closed, "
                                             "in the plane of x and z. path: through "
                                             "the 'points' of the file, at equal distances along them.",
                                             Effect::rebuild),
};
constexpr std::array rod_length_rows{
    number<&ObjectDesc::rod, &RodDesc::length>(
        {"length", "Length", "m", 1e-3, 1000, "Along the wire.", Effect::rebuild, Scale::logarithmic}),
};
constexpr std::array rod_shape_rows{
    integer<&ObjectDesc::rod, &RodDesc::segments>(
        {"segments", "Segments", "", 2, 100000,
         "Straight pieces that the rod consists of, each with a frame of its own; bending acts between them.",
         Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::radius>({"rod_radius", "Rod radius", "m", 1e-6, 1,
                                                "Half the height of its section. What touches it keeps this "
                                                "far from its middle.",
                                                Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::flatness>(
        {"flatness", "Flatness", "", 0.02, 50,
         "Width over height of the section, an ellipse; 1: round. Its height points up at the first end.",
         Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::hollow>(
        {"hollow", "Hollow", "", 0, 0.99, "Inner size over outer size of a tube; 0: full.", Effect::rebuild}),
};
constexpr std::array rod_coil_rows{
    number<&ObjectDesc::rod, &RodDesc::coil_radius>({"coil_radius", "Coil radius", "m", 1e-4, 100,
                                                     "Of a helix, to the middle of the wire.",
                                                     Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::pitch>(
        {"pitch", "Pitch", "m", 0, 100, "Of a helix: how far a turn leads along its axis.", Effect::rebuild}),
};
constexpr std::array rod_rest_rows{
    choice<&ObjectDesc::rod, &RodDesc::rest>(
        "rest_shape", "Rest shape", rod_rest_names,
        "built: unbent in the form that it has at the start. straight: it wants to be straight.",
        Effect::rebuild),
    number<&ObjectDesc::rod, &RodDesc::twist>(
        {"twist", "Twist", "deg", -36000, 36000,
         "By how much the whole rod was twisted before its ends were fixed, or joined to a ring.",
         Effect::rebuild}),
};
constexpr std::array rod_end_rows{
    choice<&ObjectDesc::rod, &RodDesc::first_end>(
        "first_end", "First end", rod_end_names,
        "free; pinned: its point is held; clamped: its direction and its roll as well, by half a segment's "
        "bending and twist.",
        Effect::rebuild),
    choice<&ObjectDesc::rod, &RodDesc::last_end>("last_end", "Last end", rod_end_names,
                                                 "As of the first end.", Effect::rebuild),
    number<&ObjectDesc::rod, &RodDesc::last_spin>({"last_spin", "Last end spins", "deg/s", -36000, 36000,
                                                   "How fast a clamped last end is turned about the rod.",
                                                   Effect::rebuild}),
    number<&ObjectDesc::rod, &RodDesc::end_mass>(
        {"end_mass", "End mass", "kg", 0, 1e6, "Fastened to the last point.", Effect::rebuild}),
};
constexpr auto rod_table = joined(rod_form_rows, rod_length_rows, rod_shape_rows, rod_coil_rows,
                                  rod_rest_rows, rod_end_rows, density_rows, lattice_rows);

bool is_ring(const RodDesc& rod) { return rod.form == RodForm::ring; }

std::vector<glm::dvec3> rod_points(const ObjectDesc& object) {
  const RodDesc& rod = object.rod;
  switch (rod.form) {
    case RodForm::line:
      break;
    case RodForm::helix:
      return helix_points(rod.length, rod.coil_radius, rod.pitch, rod.segments);
    case RodForm::ring:
      return ring_points(rod.length, rod.segments);
    case RodForm::path: {
      std::vector<glm::dvec3> corners;
      for (const PointDesc& point : object.points.list) corners.push_back(point.position);
      return resampled(corners, rod.segments);
    }
  }
  return line_points(rod.length, rod.segments);
}

/// rad, what frames show of the twist: of a ring whole turns, so that its first frame follows its last one.
double shown_twist(const RodDesc& rod) {
  const double twist = glm::radians(rod.twist), turn = glm::two_pi<double>();
  return is_ring(rod) ? turn * std::round(twist / turn) : twist;
}

/// The rotation vector at rest of a joint over `share` of the rod; the frames are those before it was
/// twisted.
glm::dvec3 rod_rest_turn(const RodDesc& rod, const glm::dvec4& a, const glm::dvec4& b, double share) {
  const glm::dvec3 turn = rod.rest == RodRest::built ? rotation_between(a, b) : glm::dvec3(0.0);
  return turn - glm::dvec3(0.0, 0.0, (glm::radians(rod.twist) - shown_twist(rod)) * share);
}

/// Turns the frames of segments about themselves, evenly along the rod; a held one with its neighbour's half.
void twist_frames(double twist, RodGeometry& rod) {
  double whole = 0.0, along = 0.0;
  for (const RodGeometry::Segment& segment : rod.segments) whole += segment.length;
  const auto turn = [&](std::size_t frame, double share) {
    rod.frames[frame] = rolled(rod.frames[frame], twist * share);
  };
  for (std::size_t i = 0; i < rod.segments.size(); ++i) {
    turn(i, (along + 0.5 * rod.segments[i].length) / whole);
    along += rod.segments[i].length;
  }
  for (const RodGeometry::Hold& hold : rod.holds) turn(hold.frame, hold.point == 0 ? 0.0 : 1.0);
}

}  // namespace

std::span<const Field> RodDesc::fields() { return rod_table; }

bool RodDesc::uses(const ObjectDesc& object, const Field& field) {
  const auto stands_in = [&](std::span<const Field> rows) {
    return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == field.name; });
  };
  const RodDesc& rod = object.rod;
  if (stands_in(rod_coil_rows)) return rod.form == RodForm::helix;
  if (stands_in(rod_length_rows)) return rod.form != RodForm::path;
  if (field.name == "last_spin") return !is_ring(rod) && rod.last_end == RodEnd::clamped;
  if (stands_in(rod_end_rows)) return !is_ring(rod);
  return true;
}

std::optional<long> RodDesc::vertex_count(const ObjectDesc& object) {
  return long{object.rod.segments} + (is_ring(object.rod) ? 0 : 1);
}

Expected<std::vector<Index>> RodDesc::named(const ObjectDesc& object, std::string_view word) {
  const Index last = Index(*vertex_count(object) - 1);
  if (word == "first") return std::vector<Index>{0};
  if (word == "last") return std::vector<Index>{last};
  if (word == "middle") return std::vector<Index>{last / 2};
  return Error{"a rod has no vertex '" + std::string(word) + "'", "", 0,
               "first, middle, last, or a number from 0"};
}

Expected<void> RodDesc::check(const ObjectDesc& object) {
  const RodDesc& rod = object.rod;
  if (rod.form == RodForm::path && object.points.list.size() < 2)
    return Error{"a rod of the form 'path' needs two 'points' or more", "", 0,
                 R"("points": [{"position": [0, 1, 0]}, {"position": [1, 1, 0]}])"};
  if (rod.form != RodForm::path && !object.points.list.empty())
    return Error{"'points' of a rod need the form 'path'", "", 0, R"("form": "path")"};
  if (is_ring(rod) && rod.segments < 3) return Error{"a ring needs three 'segments' or more", "", 0, ""};
  const std::vector<glm::dvec3> points = rod_points(object);
  for (std::size_t i = 1; i < points.size(); ++i)
    if (glm::distance(points[i - 1], points[i]) < 1e-9)
      return Error{"segment " + std::to_string(i - 1) + " of the rod has no length", "", 0,
                   "points one after the other have to lie apart"};
  return {};
}

Expected<void> RodDesc::build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  if (!scene.solver.contact->cloth_collision && has_any(scene.objects, &ObjectTraits::surface))
    out.notes.push_back("solver.cloth_collision is off: rods and surfaces pass through each other");
  const RodDesc& rod = object.rod;
  const bool closed = is_ring(rod);
  const RodSection section = rod_section(rod.radius, rod.flatness, rod.hollow);
  out.positions = rod_points(object);
  out.masses.assign(out.positions.size(), 0.0);
  RodGeometry& made = out.rod;
  made.section = section, made.radius = rod.radius, made.flatness = rod.flatness, made.closed = closed;
  made.frames = bishop_frames(out.positions, closed);
  const std::size_t points = out.positions.size(), segments = made.frames.size();
  double whole = 0.0;
  for (std::size_t i = 0; i < segments; ++i) {
    const Index next = Index((i + 1) % points);
    const double length = glm::distance(out.positions[i], out.positions[next]);
    made.segments.push_back({{Index(i), next}, length});
    for (const Index end : {Index(i), next}) out.masses[end] += 0.5 * object.density * section.area * length;
    whole += length;
  }
  const auto length_of = [&](std::size_t i) { return made.segments[i].length; };
  const auto join = [&](std::size_t a, std::size_t b, double length) {
    made.joints.push_back(
        {{Index(a), Index(b)}, length, rod_rest_turn(rod, made.frames[a], made.frames[b], length / whole)});
  };
  for (std::size_t i = 0; i + 1 < segments; ++i) join(i, i + 1, 0.5 * (length_of(i) + length_of(i + 1)));
  if (closed) {
    join(segments - 1, 0, 0.5 * (length_of(segments - 1) + length_of(0)));
    twist_frames(shown_twist(rod), made);
    return {};
  }
  out.masses.back() += rod.end_mass;
  const auto hold = [&](RodEnd end, bool last) {
    if (end == RodEnd::free) return;
    out.masses[last ? points - 1 : 0] = 0.0;
    if (end == RodEnd::pinned) return;
    const std::size_t near = last ? segments - 1 : 0, held = made.frames.size();
    const glm::dvec4 frame = made.frames[near];
    made.frames.push_back(frame);
    made.holds.push_back(
        {Index(held), Index(last ? points - 1 : 0), last ? glm::radians(rod.last_spin) : 0.0});
    last ? join(near, held, 0.5 * length_of(near)) : join(held, near, 0.5 * length_of(near));
  };
  hold(rod.first_end, false);
  hold(rod.last_end, true);
  twist_frames(shown_twist(rod), made);
  return {};
}

}  // namespace limber
