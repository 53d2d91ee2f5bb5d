#include "engine/scene/objects/rod.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/files/obj_lines.hpp"
#include "engine/geometry/rods/rod_curve.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 6> rod_form_names{"line", "helix", "ring", "path", "hair", "lines"};
constexpr std::array<std::string_view, 2> rod_rest_names{"built", "straight"};
constexpr std::array<std::string_view, 3> rod_end_names{"free", "pinned", "clamped"};
constexpr std::array<std::string_view, 9> rod_preset_names{"custom",    "steel_wire",    "nylon_line",
                                                           "hemp_rope", "rubber_band",   "copper_cable",
                                                           "hair",      "raw_spaghetti", "cooked_spaghetti"};

/// Young's modulus, Poisson ratio, density, half the thickness, damping time, friction. Typical values, not
/// measurements of one specimen (sources also in assets/manual/writing_a_scene.md):
/// - steel: music wire of 1 mm, E 200 to 210 GPa; nylon: monofilament of polyamide 6, 0.5 mm, 2 to 3 GPa
/// - hemp: a laid rope of 12 mm. Its strands slide, so the rope (0.2 to 0.6 GPa over the whole section) is
/// far
///   softer than its fibres (30 to 70 GPa)
/// - rubber: a band of soft natural rubber, 2 mm, 1 to 2 MPa; copper: annealed wire of 1.4 mm, 117 GPa
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
  Field row = choice<&ObjectDesc::rod, &RodDesc::preset>(
      "made_of", "Made of", rod_preset_names,
      "Sets typical values of Young's modulus, Poisson ratio, density, thickness, damping and friction; the "
      "manual names their sources ('Writing a scene', Rods). In a scene file, keys beside it and in "
      "'material' "
      "override these numbers.",
      Effect::rebuild);
  row.changed = [](void* settings) {
    ObjectDesc& object = *static_cast<ObjectDesc*>(settings);
    for (const RodPresetRow& row : rod_presets) {
      if (row.preset != object.rod->preset) continue;
      object.material->youngs_modulus = row.youngs_modulus;
      object.material->poisson_ratio = row.poisson_ratio;
      object.material->damping_time = row.damping_time;
      object.material->friction = row.friction;
      object.density = row.density;
      object.rod->radius = row.radius;
    }
  };
  return row;
}

constexpr std::array rod_form_rows{
    rod_preset_row(),
    choice<&ObjectDesc::rod, &RodDesc::form>(
        "form", "Form", rod_form_names,
        "line: straight along x. helix: about the x axis. ring: closed, in the xz plane. path: through the "
        "'points' of the file, at equal distances along them. hair: 'hairs' rods, combed down a ball at the "
        "object's position. lines: a rod along each 'l' line of the OBJ 'mesh', a ring along a line that "
        "ends at its first vertex. Each rod has 'segments' equal pieces.",
        Effect::rebuild),
};
constexpr std::array rod_length_rows{
    number<&ObjectDesc::rod, &RodDesc::length>(
        {"length", "Length", "m", 1e-3, 1000, "Length along the wire.", Effect::rebuild, Scale::logarithmic}),
};
constexpr std::array rod_shape_rows{
    integer<&ObjectDesc::rod, &RodDesc::segments>({"segments", "Segments", "", 2, 100000,
                                                   "Number of straight pieces of the rod. Each has an "
                                                   "orientation of its own; bending acts between them.",
                                                   Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::radius>({"rod_radius", "Rod radius", "m", 1e-6, 1,
                                                "Half the height of the cross section. Other things touch "
                                                "the rod at this distance from its middle line.",
                                                Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::flatness>({"flatness", "Flatness", "", 0.02, 50,
                                                  "Width over height of the cross section, an ellipse; 1: "
                                                  "round. The height points upwards at the first end.",
                                                  Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::hollow>(
        {"hollow", "Hollow", "", 0, 0.99, "Inner size over outer size of a tube; 0: a full cross section.",
         Effect::rebuild}),
};
constexpr std::array rod_rope_rows{
    boolean<&ObjectDesc::rod, &RodDesc::only_pulls>(
        "only_pulls", "Only pulls",
        "A rope: it resists neither bending nor twist nor compression. Its ends are free or pinned.",
        Effect::rebuild),
};
constexpr std::array rod_coil_rows{
    number<&ObjectDesc::rod, &RodDesc::coil_radius>({"coil_radius", "Coil radius", "m", 1e-4, 100,
                                                     "Radius of a helix, to the middle of the wire.",
                                                     Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::pitch>({"pitch", "Pitch", "m", 0, 100,
                                               "Distance along the axis of a helix per revolution.",
                                               Effect::rebuild}),
};
constexpr std::array rod_hair_rows{
    integer<&ObjectDesc::rod, &RodDesc::hairs>(
        {"hairs", "Hairs", "", 1, 10000,
         "Number of hairs, which grow evenly on the ball. 'segments' and 'length' are those of each hair.",
         Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::head_radius>({"head_radius", "Head radius", "m", 1e-3, 100,
                                                     "Radius of the ball that hairs grow on.",
                                                     Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::rod, &RodDesc::cover>({"cover", "Cover", "deg", 1, 180,
                                               "Angle from the top of the ball down to which hairs grow.",
                                               Effect::rebuild}),
};
constexpr std::array rod_rest_rows{
    choice<&ObjectDesc::rod, &RodDesc::rest>(
        "rest_shape", "Rest shape", rod_rest_names,
        "built: the form at the start is unbent. straight: the unbent form is straight.", Effect::rebuild),
    number<&ObjectDesc::rod, &RodDesc::twist>(
        {"twist", "Twist", "deg", -36000, 36000,
         "Angle by which the whole rod was twisted before its ends were fixed, or joined to a ring.",
         Effect::rebuild}),
};
constexpr std::array rod_end_rows{
    choice<&ObjectDesc::rod, &RodDesc::first_end>(
        "first_end", "First end", rod_end_names,
        "free: not held. pinned: the end point is held. clamped: its direction and its roll are held too, "
        "with the bending and twist of half a segment.",
        Effect::rebuild),
    choice<&ObjectDesc::rod, &RodDesc::last_end>("last_end", "Last end", rod_end_names,
                                                 "The same choices as for the first end.", Effect::rebuild),
    number<&ObjectDesc::rod, &RodDesc::last_spin>(
        {"last_spin", "Last end spins", "deg/s", -36000, 36000,
         "Angular velocity of a clamped last end about the rod's axis.", Effect::rebuild}),
    number<&ObjectDesc::rod, &RodDesc::end_mass>(
        {"end_mass", "End mass", "kg", 0, 1e6, "Mass fastened to the last point.", Effect::rebuild}),
};
constexpr auto rod_table =
    joined(rod_form_rows, rod_length_rows, rod_shape_rows, rod_rope_rows, rod_coil_rows, rod_hair_rows,
           mesh_rows, rod_rest_rows, rod_end_rows, density_rows, lattice_rows);

/// Points of hair number i, m. Roots are spread over the ball like the seeds of a sunflower. A hair follows
/// the ball at a growing distance from it, then hangs straight down beside it.
std::vector<glm::dvec3> hair_points(const RodDesc& rod, int i) {
  const double golden = glm::pi<double>() * (3.0 - std::sqrt(5.0));
  const double lowest = std::cos(glm::radians(rod.cover));
  const double height = 1.0 - (1.0 - lowest) * (i + 0.5) / rod.hairs, round = golden * i;
  const glm::dvec3 out(std::cos(round), 0.0, std::sin(round)), up(0.0, 1.0, 0.0);
  const double step = rod.length / rod.segments, whole = rod.head_radius + rod.radius;
  double angle = std::acos(std::clamp(height, -1.0, 1.0));
  std::vector<glm::dvec3> points{rod.head_radius * (std::sin(angle) * out + std::cos(angle) * up)};
  const double layer = (0.1 + 0.9 * double(rod.hairs - i) / rod.hairs) * 0.12 * rod.head_radius;
  for (int k = 1; k <= rod.segments; ++k) {
    const double lift = whole + layer * std::min(1.0, 0.2 * k);
    const glm::dvec3 before = points.back();
    const double side = std::max(glm::dot(before, out), 0.0);
    glm::dvec3 next;
    if (before.y > 0.0 && side < lift) {  // follow the ball by one step of arc
      angle += step / lift;
      next = lift * (std::sin(angle) * out + std::cos(angle) * up);
    } else {
      next = before - step * up;
    }
    const glm::dvec3 way = next - before;
    points.push_back(before + step / glm::length(way) * way);
  }
  return points;
}

bool is_ring(const RodDesc& rod) { return rod.form == RodForm::ring; }

std::vector<glm::dvec3> rod_points(const ObjectDesc& object) {
  const RodDesc& rod = *object.rod;
  switch (rod.form) {
    case RodForm::line:
    case RodForm::hair:
    case RodForm::lines:
      break;
    case RodForm::helix:
      return helix_points(rod.length, rod.coil_radius, rod.pitch, rod.segments);
    case RodForm::ring:
      return ring_points(rod.length, rod.segments);
    case RodForm::path: {
      std::vector<glm::dvec3> corners;
      for (const PointDesc& point : object.points->list) corners.push_back(point.position);
      return resampled(corners, rod.segments);
    }
  }
  return line_points(rod.length, rod.segments);
}

/// rad, twist that the frames of segments get. For a ring a whole number of revolutions, so that its last
/// frame meets its first one.
double shown_twist(const RodDesc& rod) {
  const double twist = glm::radians(rod.twist), turn = glm::two_pi<double>();
  return is_ring(rod) ? turn * std::round(twist / turn) : twist;
}

/// Rotation vector at rest of a joint over `share` of the rod, from its frames a and b before they are
/// twisted.
glm::dvec3 rod_rest_turn(const RodDesc& rod, const glm::dvec4& a, const glm::dvec4& b, double share) {
  const glm::dvec3 turn = rod.rest == RodRest::built ? rotation_between(a, b) : glm::dvec3(0.0);
  return turn - glm::dvec3(0.0, 0.0, (glm::radians(rod.twist) - shown_twist(rod)) * share);
}

/// Rotates frames about their third axes, by a twist (rad) that grows evenly along the rod: a segment gets
/// the twist at its middle, a clamp that at its end of the rod.
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

using Strands = std::vector<std::vector<glm::dvec3>>;

bool has_strands(const RodDesc& rod) { return rod.form == RodForm::hair || rod.form == RodForm::lines; }

double strand_length(const std::vector<glm::dvec3>& points) {
  double sum = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) sum += glm::distance(points[i - 1], points[i]);
  return sum;
}

/// Polylines of hairs, or of the lines of a file, each in rod.segments pieces.
Expected<Strands> strands_of(const SceneDesc& scene, const ObjectDesc& object) {
  const RodDesc& rod = *object.rod;
  Strands out;
  if (rod.form == RodForm::hair) {
    for (int i = 0; i < rod.hairs; ++i) out.push_back(hair_points(rod, i));
    return out;
  }
  const Expected<std::string> path = find_mesh(scene, object.mesh);
  if (!path) return path.error();
  const Expected<Strands> lines = read_obj_lines(*path);
  if (!lines) return lines.error();
  std::vector<glm::dvec3> corners;
  for (const std::vector<glm::dvec3>& line : *lines) corners.insert(corners.end(), line.begin(), line.end());
  if (object.size > 0.0) normalise(corners, object.size);
  auto at = corners.begin();
  for (const std::vector<glm::dvec3>& line : *lines) {
    const std::vector<glm::dvec3> placed(at, at + std::ptrdiff_t(line.size()));
    at += std::ptrdiff_t(line.size());
    if (strand_length(placed) < 1e-9 * rod.segments)
      return Error{"line " + std::to_string(out.size() + 1) + " has no length", *path, 0, ""};
    out.push_back(resampled(placed, rod.segments));
    if (placed.front() == placed.back()) {
      if (rod.segments < 3) return Error{"a ring needs three 'segments' or more", *path, 0, ""};
      out.back().back() = out.back().front();
    }
  }
  return out;
}

/// Builds rods with equally many segments, one after the other. All have the ends of the first one; a strand
/// whose last point is its first one is a ring.
Expected<void> build_strands(const ObjectDesc& object, const Strands& strands, ObjectGeometry& out) {
  const RodDesc& rod = *object.rod;
  const Index segments = Index(rod.segments);
  RodGeometry& made = out.rod;
  made.section = rod_section(rod.radius, rod.flatness, rod.hollow);
  made.radius = rod.radius, made.flatness = rod.flatness, made.strand = segments;
  made.only_pulls = rod.only_pulls;
  const auto is_closed = [](const std::vector<glm::dvec3>& points) {
    return points.front() == points.back();
  };
  std::vector<Index> first_points;
  for (const std::vector<glm::dvec3>& points : strands) {
    const bool closed = is_closed(points);
    const std::span<const glm::dvec3> own(points.data(), points.size() - (closed ? 1 : 0));
    const std::vector<glm::dvec4> frames = bishop_frames(own, closed);
    made.frames.insert(made.frames.end(), frames.begin(), frames.end());
    const Index first = Index(out.positions.size());
    first_points.push_back(first);
    out.positions.insert(out.positions.end(), own.begin(), own.end());
    out.masses.resize(out.positions.size(), 0.0);
    for (Index k = 0; k < segments; ++k) {
      const Index a = first + k, b = closed && k + 1 == segments ? first : a + 1;
      const double length = glm::distance(points[std::size_t(k)], points[std::size_t(k) + 1]);
      made.segments.push_back({{a, b}, length});
      for (const Index end : {a, b})
        out.masses[std::size_t(end)] += 0.5 * object.density * made.section.area * length;
    }
    if (!closed) out.masses.back() += rod.end_mass;
  }
  const auto join = [&](Index strand, Index a, Index b, double pieces) {
    if (rod.only_pulls) return;
    const double share = pieces / rod.segments;
    made.joints.push_back(
        {{a, b},
         share * strand_length(strands[std::size_t(strand)]),
         rod_rest_turn(rod, made.frames[std::size_t(a)], made.frames[std::size_t(b)], share)});
  };
  const Index count = Index(strands.size());
  for (Index i = 0; i < count; ++i) {
    for (Index k = 0; k + 1 < segments; ++k) join(i, i * segments + k, i * segments + k + 1, 1.0);
    if (is_closed(strands[std::size_t(i)])) join(i, i * segments + segments - 1, i * segments, 1.0);
  }
  const auto hold = [&](Index strand, RodEnd end, bool last) {
    if (end == RodEnd::free || is_closed(strands[std::size_t(strand)])) return;
    const Index point = first_points[std::size_t(strand)] + (last ? segments : 0);
    out.masses[std::size_t(point)] = 0.0;
    if (end == RodEnd::pinned) return;
    const Index near = strand * segments + (last ? segments - 1 : 0), held = Index(made.frames.size());
    made.frames.push_back(made.frames[std::size_t(near)]);
    made.holds.push_back({held, point, 0.0});
    last ? join(strand, near, held, 0.5) : join(strand, held, near, 0.5);
  };
  for (Index i = 0; i < count; ++i) hold(i, rod.first_end, false), hold(i, rod.last_end, true);
  return {};
}

/// Fails if an attachment that acts both ways holds an end which is pinned or clamped: a carrier moves such
/// an end and feels no force from it.
Expected<void> check_ends(const SceneDesc& scene, const ObjectDesc& object) {
  const RodDesc& rod = *object.rod;
  for (const bool last : {false, true}) {
    const RodEnd end = last ? rod.last_end : rod.first_end;
    if (is_ring(rod) || end == RodEnd::free) continue;
    const std::string word = last ? "last" : "first";
    const VertexName names[] = {word, last ? RodDesc::vertex_count(object).value_or(0) - 1 : 0L};
    for (const AttachmentDesc& attachment : object.attachments)
      for (const VertexName& name : attachment.vertices)
        if (std::count(std::begin(names), std::end(names), name) > 0 && !fixes_vertices(scene, attachment))
          return Error{"the " + word + " end is " + std::string(rod_end_names[std::size_t(end)]) + ", so '" +
                           attachment.attach_to + "' can only carry it, not be pulled by it",
                       "", 0, R"("two_way": false in the attachment, or ")" + word + R"(_end": "free")"};
  }
  return {};
}

}  // namespace

std::span<const Field> RodDesc::fields() { return rod_table; }

bool RodDesc::uses(const ObjectDesc& object, const Field& field) {
  const auto stands_in = [&](std::span<const Field> rows) {
    return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == field.name; });
  };
  const RodDesc& rod = *object.rod;
  if (stands_in(rod_rest_rows)) return !rod.only_pulls;
  if (stands_in(rod_coil_rows)) return rod.form == RodForm::helix;
  if (stands_in(rod_hair_rows)) return rod.form == RodForm::hair;
  if (stands_in(mesh_rows)) return rod.form == RodForm::lines;
  if (stands_in(rod_length_rows)) return rod.form != RodForm::path && rod.form != RodForm::lines;
  if (field.name == "last_spin") return !is_ring(rod) && rod.last_end == RodEnd::clamped;
  if (stands_in(rod_end_rows)) return !is_ring(rod);
  return true;
}

std::optional<long> RodDesc::vertex_count(const ObjectDesc& object) {
  if (object.rod->form == RodForm::lines) return std::nullopt;  // unknown until the file has been read
  const long each = long{object.rod->segments} + (is_ring(*object.rod) ? 0 : 1);
  return object.rod->form == RodForm::hair ? each * object.rod->hairs : each;
}

Expected<std::vector<Index>> RodDesc::named(const ObjectDesc& object, std::string_view word) {
  if (object.rod->form == RodForm::hair) {
    const Index each = Index(object.rod->segments) + 1;
    std::vector<Index> out;
    for (Index i = 0; i < Index(object.rod->hairs); ++i)
      out.push_back(i * each + (word == "last" ? each - 1 : word == "middle" ? each / 2 : 0));
    if (word == "first" || word == "last" || word == "middle") return out;
  }
  if (object.rod->form == RodForm::lines)
    return Error{"rods along lines have no vertex '" + std::string(word) + "'", "", 0,
                 "a number from 0: each line has a vertex more than 'segments', a ring as many"};
  const Index last = Index(*vertex_count(object) - 1);
  if (word == "first") return std::vector<Index>{0};
  if (word == "last") return std::vector<Index>{last};
  if (word == "middle") return std::vector<Index>{last / 2};
  return Error{"a rod has no vertex '" + std::string(word) + "'", "", 0,
               "first, middle, last, or a number from 0"};
}

Expected<void> RodDesc::check(const ObjectDesc& object) {
  const RodDesc& rod = *object.rod;
  if (rod.form == RodForm::path && object.points->list.size() < 2)
    return Error{"a rod of the form 'path' needs two 'points' or more", "", 0,
                 R"("points": [{"position": [0, 1, 0]}, {"position": [1, 1, 0]}])"};
  if (rod.form != RodForm::path && !object.points->list.empty())
    return Error{"'points' of a rod need the form 'path'", "", 0, R"("form": "path")"};
  const bool clamped = rod.first_end == RodEnd::clamped || rod.last_end == RodEnd::clamped;
  if (rod.only_pulls && clamped && !is_ring(rod))
    return Error{"a rope has no direction that could be clamped", "", 0,
                 R"("first_end": "pinned" (or "free"), "last_end": the same)"};
  if (rod.only_pulls && rod.twist != 0.0)
    return Error{"'twist' does nothing to a rope", "", 0, R"(leave it out, or leave out "only_pulls")"};
  if (is_ring(rod) && rod.segments < 3) return Error{"a ring needs three 'segments' or more", "", 0, ""};
  if ((rod.form == RodForm::lines) != !object.mesh.empty())
    return Error{object.mesh.empty() ? "a rod of the form 'lines' needs a 'mesh'"
                                     : "the 'mesh' of a rod needs the form 'lines'",
                 "", 0, "an OBJ with lines as 'l 1 2 3'"};
  const std::vector<glm::dvec3> points = rod_points(object);
  constexpr double most_twist = 120.0;  // degrees between two segments; 180 and -180 are the same
  const double segments = double(points.size()) - (is_ring(rod) ? 0.0 : 1.0);
  if (segments > 0.0 && std::abs(rod.twist) > most_twist * segments)
    return Error{
        "'twist' turns its segments by more than 120 degrees against each other", "", 0,
        "at least " + std::to_string(long(std::ceil(std::abs(rod.twist) / most_twist))) + " segments"};
  for (std::size_t i = 1; i < points.size(); ++i)
    if (glm::distance(points[i - 1], points[i]) < 1e-9)
      return Error{"segment " + std::to_string(i - 1) + " of the rod has no length", "", 0,
                   "points one after the other have to lie apart"};
  return {};
}

Expected<void> RodDesc::build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  if (!scene.solver.contact->cloth_collision && has_any(scene.objects, &ObjectTraits::surface))
    out.notes.push_back("solver.cloth_collision is off: rods and surfaces pass through each other");
  if (const Expected<void> carried = check_ends(scene, object); !carried) return carried;
  if (has_strands(*object.rod)) {
    const Expected<Strands> strands = strands_of(scene, object);
    if (!strands) return strands.error();
    return build_strands(object, *strands, out);
  }
  const RodDesc& rod = *object.rod;
  const bool closed = is_ring(rod);
  const RodSection section = rod_section(rod.radius, rod.flatness, rod.hollow);
  out.positions = rod_points(object);
  out.masses.assign(out.positions.size(), 0.0);
  RodGeometry& made = out.rod;
  made.section = section, made.radius = rod.radius, made.flatness = rod.flatness, made.closed = closed;
  made.only_pulls = rod.only_pulls;
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
    if (rod.only_pulls) return;
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
