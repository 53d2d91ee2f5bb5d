#include "engine/scene/scene_desc.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr std::array<std::string_view, 6> object_type_names{"cloth", "chain",  "points",
                                                            "cloud", "grains", "solid"};
constexpr std::array<std::string_view, 3> spring_action_names{"spring", "rope", "strut"};
constexpr std::array<std::string_view, 4> start_names{"rest", "point", "plane", "random"};
constexpr std::array<std::string_view, 4> pattern_names{"plain", "border", "stripes", "checker"};
constexpr std::array<std::string_view, 5> shape_names{"plane", "sphere", "box", "capsule", "mesh"};
constexpr std::array<std::string_view, 6> body_shape_names{"sphere",   "capsule", "box",
                                                           "cylinder", "hull",    "compound"};
constexpr std::array<std::string_view, 3> arrangement_names{"lattice", "pyramid", "line"};

/// A row for a member of the Pose inside S: the file writes `position` beside the object's own keys.
template <class S, auto Member>
constexpr Field pose_row(NumberSpec spec) {
  Field row = vector<Member>(spec);
  row.member = [](void* settings) -> void* { return &(static_cast<S*>(settings)->pose.*Member); };
  return row;
}
template <class S>
constexpr Field position_row() {
  return pose_row<S, &Pose::position>({"position", "Position", "m", -1000, 1000,
                                       "Translation, applied after the rotation. y is up.", Effect::rebuild});
}
template <class S>
constexpr Field rotation_row() {
  return pose_row<S, &Pose::rotation_degrees>(
      {"rotation_degrees", "Rotation", "deg", -360, 360,
       "Euler angles about x, then y, then z, about the object's own origin.", Effect::rebuild});
}

constexpr std::array attachment_table{
    text<&AttachmentDesc::attach_to>(
        "attach_to", "Attached to",
        "A collider or a rigid body (of copies: name[0], name[1] ...) that carries the vertices: they keep "
        "their place in its frame. Empty: they follow their own motion."),
    boolean<&AttachmentDesc::two_way>("two_way", "Two-way",
                                      "Attached to a rigid body, the vertices stay free and pull the body as "
                                      "much as it pulls them. Off: they go where the body goes.",
                                      Effect::rebuild),
    number<&AttachmentDesc::compliance>({"compliance", "Compliance", "m/N", 0, 10,
                                         "XPBD: alpha of each two-way attachment; a weight m g comes off the "
                                         "body by m g alpha. 0 is rigid.",
                                         Effect::rebuild, Scale::logarithmic}),
    vector<&AttachmentDesc::amplitude>(
        {"amplitude", "Amplitude", "m", -10, 10,
         "The attached vertices follow rest + amplitude * sin(2 pi t / period).", Effect::rebuild}),
    number<&AttachmentDesc::period>({"period", "Period", "s", 0.05, 1000,
                                     "Duration of one swing of the attached vertices.", Effect::rebuild,
                                     Scale::logarithmic}),
};

// Rows of some object types only, between the type itself and what all types share.
constexpr std::array mesh_rows{
    text<&ObjectDesc::mesh>(
        "mesh", "Mesh",
        "A Wavefront OBJ file beside the scene file, in the assets folder or the working folder; "
        "a solid's is closed, and a cloth without one is a generated grid."),
    number<&ObjectDesc::size>({"size", "Mesh size", "m", 0, 100,
                               "Longest side of the mesh after scaling, which also centres it; 0 keeps the "
                               "file's units and origin.",
                               Effect::rebuild}),
};
constexpr std::array weld_rows{
    // of a cloth with a mesh
    number<&ObjectDesc::weld>(
        {"weld", "Weld slivers", "", 0, 0.2,
         "Edges of the mesh shorter than five times this share of the longest one at their ends are "
         "collapsed, "
         "and those shorter than a thousandth of the median; triangles thinner than it have their longest "
         "side flipped. 0 keeps all of them.",
         Effect::rebuild}),
};
constexpr std::array grid_rows{
    // of a cloth without a mesh
    integer<&ObjectDesc::columns>({"columns", "Columns", "vertices", 2, 1000,
                                   "Grid vertices along u, without a mesh.", Effect::rebuild,
                                   Scale::logarithmic}),
    integer<&ObjectDesc::rows>({"rows", "Rows", "vertices", 2, 1000, "Grid vertices along v, without a mesh.",
                                Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::width>({"width", "Width", "m", 0.01, 100, "Extent of the grid along u.",
                                Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::height>({"height", "Height", "m", 0.01, 100, "Extent of the grid along v.",
                                 Effect::rebuild, Scale::logarithmic}),
    boolean<&ObjectDesc::upright>("upright", "Upright",
                                  "The grid stands in the xy plane; otherwise it lies in the xz plane.",
                                  Effect::rebuild),
};
constexpr std::array cloth_rows{
    number<&ObjectDesc::pressure>(
        {"pressure", "Pressure", "", 0, 5,
         "k_p of C = V - k_p V0 (equation (14)): a closed mesh is held at k_p times the volume it has at "
         "rest, as a balloon; it gets there by four of those a second. 0 holds none."})
        .about(Topic::pressure),
    choice<&ObjectDesc::start>("start", "Start", start_names,
                               "Where the vertices start: in place, all in one point, flat in a plane, or "
                               "anywhere in the mesh's box. Its shape has to come back by itself.",
                               Effect::rebuild),
};
constexpr std::array lattice_rows{
    // of the copies of a cloth or solid, or the particles of a cloud or of grains
    vector<&ObjectDesc::copies>(
        {"copies", "Copies", "", 1, 100,
         "How many along x, y and z (whole numbers): centred in x and z, stacked upwards. A cloud has a free "
         "particle in place of each copy, grains a grain.",
         Effect::rebuild}),
    vector<&ObjectDesc::spacing>(
        {"spacing", "Spacing", "m", 0, 100, "Distance between copies along x, y and z.", Effect::rebuild}),
};
constexpr std::array chain_rows{
    integer<&ObjectDesc::links>({"links", "Links", "", 1, 10000,
                                 "Springs of the chain; it has one particle more, and the first is fixed.",
                                 Effect::rebuild, Scale::logarithmic}),
    number<&ObjectDesc::link_length>({"link_length", "Link length", "m", 1e-3, 10,
                                      "Rest length of every spring.", Effect::rebuild, Scale::logarithmic}),
    vector<&ObjectDesc::direction>({"direction", "Direction", "", -1, 1,
                                    "From the fixed particle along the chain; only the direction counts.",
                                    Effect::rebuild}),
};
constexpr std::array mass_rows{
    number<&ObjectDesc::particle_mass>({"particle_mass", "Particle mass", "kg", 1e-4, 1e5,
                                        "Mass of every particle.", Effect::rebuild, Scale::logarithmic}),
};
constexpr std::array particle_rows{
    number<&ObjectDesc::density>({"density", "Density", "kg/m^3", 0.1, 1e5,
                                  "Mass per volume of a solid, or of each grain's ball.", Effect::rebuild,
                                  Scale::logarithmic}),
};
constexpr std::array solid_rows{
    number<&ObjectDesc::stiffness>(
        {"stiffness", "Stiffness", "", 0, 1,
         "k of shape matching (Mueller et al. 2005): the share of each particle's way to its place in the "
         "shape that a substep takes. 1 is rigid."}),
    number<&ObjectDesc::tumble>({"tumble", "Tumble", "deg", 0, 180,
                                 "Random turn of every copy about a random axis, from the scene's seed.",
                                 Effect::rebuild}),
};
constexpr std::array every_object_rows{
    position_row<ObjectDesc>(),
    rotation_row<ObjectDesc>(),
    number<&ObjectDesc::jitter>(
        {"jitter", "Jitter", "m", 0, 1,
         "Random offset of every vertex at the start, from the scene's seed. It breaks the "
         "symmetry of a perfect fall.",
         Effect::rebuild}),
    vector<&ObjectDesc::velocity>(
        {"velocity", "Velocity", "m/s", -100, 100, "Of every particle at the start.", Effect::rebuild}),
    choice<&ObjectDesc::spring_action>(
        "spring_action", "Springs act", spring_action_names,
        "spring: keep their length. rope: are at most that long and push nothing. strut: at least that long.",
        Effect::rebuild),
    boolean<&ObjectDesc::tethers>("tethers", "Tethers",
                                  "Binds every vertex to its nearest fixed one by a rope as long as the way "
                                  "along the edges (Kim et al. "
                                  "2012), so that the edges at the pins hardly stretch.",
                                  Effect::rebuild),
    number<&ObjectDesc::tether_slack>({"tether_slack", "Tether slack", "", 1, 3,
                                       "Length of a tether as a multiple of the way along the edges.",
                                       Effect::rebuild}),
    vector<&ObjectDesc::color>({"color", "Colour", "", 0, 1, "Linear RGB of the front.", Effect::rebuild}),
    vector<&ObjectDesc::back_color>(
        {"back_color", "Back colour", "", 0, 1, "Linear RGB of the back.", Effect::rebuild}),
    choice<&ObjectDesc::pattern>("pattern", "Pattern", pattern_names, "Drawn from the two colours over uv.",
                                 Effect::rebuild),
};

constexpr std::array<Field, 1> type_row{choice<&ObjectDesc::type>(
    "type", "Type", object_type_names,
    "cloth: a mesh or grid; chain: particles on a line; points: given one by one; cloud: free particles on "
    "a lattice; grains: balls on a lattice that touch each other; solid: a closed mesh filled with such "
    "balls "
    "that keep its shape.",
    Effect::rebuild)};
constexpr auto object_table = joined(type_row, mesh_rows, weld_rows, grid_rows, cloth_rows, lattice_rows,
                                     chain_rows, mass_rows, particle_rows, solid_rows, every_object_rows);

constexpr std::array collider_table{
    choice<&ColliderDesc::shape>("shape", "Shape", shape_names,
                                 "plane: through the position, normal +y; capsule: axis y; mesh: any OBJ, "
                                 "closed or as a shell. All are turned by the rotation.",
                                 Effect::rebuild),
    position_row<ColliderDesc>(),
    rotation_row<ColliderDesc>(),
    number<&ColliderDesc::radius>(
        {"radius", "Radius", "m", 1e-3, 100, "Of a sphere or capsule.", Effect::rebuild, Scale::logarithmic}),
    vector<&ColliderDesc::half_extents>({"half_extents", "Half extents", "m", 1e-4, 100,
                                         "Half the sides of a box along its own axes.", Effect::rebuild,
                                         Scale::logarithmic}),
    number<&ColliderDesc::half_length>({"half_length", "Half length", "m", 0, 100,
                                        "Half the distance between a capsule's cap centres.",
                                        Effect::rebuild}),
    text<&ColliderDesc::mesh>("mesh", "Mesh",
                              "A Wavefront OBJ file, closed unless it is a shell, beside the scene file, in "
                              "the assets folder or the "
                              "working folder, for the shape 'mesh'."),
    number<&ColliderDesc::size>({"size", "Mesh size", "m", 0, 100,
                                 "Longest side of the mesh after scaling, which also centres it; 0 keeps the "
                                 "file's units and origin.",
                                 Effect::rebuild}),
    text<&ColliderDesc::frames>("frames", "Frames",
                                "OBJ files with the vertices of the mesh in its poses, as in walk_*.obj: it "
                                "changes its shape from one to the "
                                "next. Cloth and grains touch it as it is, without a distance field, and may "
                                "be sewn on; rigid bodies pass "
                                "through."),
    number<&ColliderDesc::frame_rate>({"frame_rate", "Frame rate", "1/s", 0.01, 1000,
                                       "Frames per second; in between, positions follow Catmull-Rom splines.",
                                       Effect::rebuild, Scale::logarithmic}),
    boolean<&ColliderDesc::loop>("loop", "Loop", "The first frame follows the last. Off: the last one stays.",
                                 Effect::rebuild),
    integer<&ColliderDesc::resolution>(
        {"resolution", "Resolution", "cells", 8, 256,
         "Cells of the mesh's signed distance field along its longest side; its surface is smoothed over one "
         "of them. Fields are kept in the user's cache folder.",
         Effect::rebuild, Scale::logarithmic}),
    number<&ColliderDesc::shell>(
        {"shell", "Shell", "m", 0, 10,
         "Makes a mesh a sheet of this thickness with two sides, as an open one needs; at least two cells of "
         "the distance field. 0: a closed solid.",
         Effect::rebuild}),
    number<&ColliderDesc::friction>(
        {"friction", "Friction", "", 0, 2,
         "Coulomb mu, combined with the material's as sqrt(mu_cloth mu_collider)."}),
    number<&ColliderDesc::restitution>(
        {"restitution", "Restitution", "", 0, 1,
         "e: the normal speed after a bounce over that before it, line (16); off below 2 g h, so that things "
         "come to rest."}),
    vector<&ColliderDesc::linear_velocity>({"linear_velocity", "Velocity", "m/s", -100, 100,
                                            "Steady motion from the position at the start.",
                                            Effect::rebuild}),
    vector<&ColliderDesc::angular_velocity>({"angular_velocity", "Spin", "deg/s", -3600, 3600,
                                             "Steady turning about an axis through the position; the vector "
                                             "points along the axis. Friction drags "
                                             "along what lies on it.",
                                             Effect::rebuild}),
    vector<&ColliderDesc::amplitude>({"amplitude", "Amplitude", "m", -10, 10,
                                      "The position swings by amplitude * sin(2 pi (t / period + phase)).",
                                      Effect::rebuild}),
    vector<&ColliderDesc::swing>({"swing", "Swing", "deg", -360, 360,
                                  "Turns about the pivot by swing * sin(2 pi (t / period + phase)); the "
                                  "vector points along the axis.",
                                  Effect::rebuild}),
    vector<&ColliderDesc::pivot>({"pivot", "Pivot", "m", -1000, 1000,
                                  "The joint that it swings about, in the coordinates of the position.",
                                  Effect::rebuild}),
    number<&ColliderDesc::period>({"period", "Swing period", "s", 0.05, 1000, "Duration of one swing.",
                                   Effect::rebuild, Scale::logarithmic}),
    number<&ColliderDesc::phase>({"phase", "Phase", "turns", -1, 1,
                                  "Where in its swing it is at the start; half a turn is the opposite.",
                                  Effect::rebuild}),
    text<&ColliderDesc::parent>("parent", "Parent",
                                "A collider above it in the file that carries it along: limbs of one body. "
                                "All are placed as the body is at rest."),
    boolean<&ColliderDesc::visible>("visible", "Visible", "Draw it; an invisible collider still collides.",
                                    Effect::rebuild),
    boolean<&ColliderDesc::glass>("glass", "Glass", "Draw it as a pane: one sees what is behind it.",
                                  Effect::rebuild),
    vector<&ColliderDesc::color>({"color", "Colour", "", 0, 1, "Linear RGB.", Effect::rebuild}),
};

constexpr std::array body_part_table{
    choice<&BodyPartDesc::shape>("shape", "Shape", body_shape_names,
                                 "capsule, cylinder: along the y axis; hull: the convex hull of an OBJ; "
                                 "compound: several 'parts' that are one body.",
                                 Effect::rebuild),
    position_row<BodyPartDesc>(),
    rotation_row<BodyPartDesc>(),
    number<&BodyPartDesc::radius>({"radius", "Radius", "m", 1e-3, 100, "Of a sphere, capsule or cylinder.",
                                   Effect::rebuild, Scale::logarithmic}),
    vector<&BodyPartDesc::half_extents>({"half_extents", "Half extents", "m", 1e-3, 100,
                                         "Half the sides of a box along its own axes.", Effect::rebuild,
                                         Scale::logarithmic}),
    number<&BodyPartDesc::half_length>(
        {"half_length", "Half length", "m", 1e-3, 100,
         "Half the height of a cylinder; half the distance between a capsule's cap centres.", Effect::rebuild,
         Scale::logarithmic}),
    text<&BodyPartDesc::mesh>("mesh", "Mesh",
                              "A Wavefront OBJ file beside the scene file, in the assets folder or the "
                              "working folder, for the shape 'hull'."),
    number<&BodyPartDesc::size>({"size", "Mesh size", "m", 0, 100,
                                 "Longest side of the mesh after scaling, which also centres it; 0 keeps the "
                                 "file's units and origin.",
                                 Effect::rebuild}),
};
constexpr std::array own_body_rows{
    number<&BodyDesc::density>(
        {"density", "Density", "kg/m^3", 0.1, 1e5, "Mass per volume.", Effect::rebuild, Scale::logarithmic}),
    boolean<&BodyDesc::fixed>("fixed", "Fixed", "Nothing moves it (inverse mass zero).", Effect::rebuild),
    vector<&BodyDesc::copies>(
        {"copies", "Copies", "", 1, 200,
         "How many along x, y and z (whole numbers): centred in x and z, stacked upwards.", Effect::rebuild}),
    vector<&BodyDesc::spacing>(
        {"spacing", "Spacing", "m", -100, 100, "Distance between copies along x, y and z.", Effect::rebuild}),
    choice<&BodyDesc::arrangement>("arrangement", "Arrangement", arrangement_names,
                                   "lattice: rows and layers; pyramid: every layer has one copy less along "
                                   "x than the one below; line: from the position on, one after the other by "
                                   "the whole of the spacing.",
                                   Effect::rebuild),
    number<&BodyDesc::jitter>({"jitter", "Jitter", "m", 0, 10,
                               "Random offset of every copy at the start, from the scene's seed.",
                               Effect::rebuild}),
    number<&BodyDesc::yaw_jitter>({"yaw_jitter", "Yaw jitter", "deg", 0, 180,
                                   "Random turn of every copy about the vertical, either way, from the "
                                   "scene's seed.",
                                   Effect::rebuild}),
    vector<&BodyDesc::velocity>(
        {"velocity", "Velocity", "m/s", -200, 200, "Of the centre of mass at the start.", Effect::rebuild}),
    vector<&BodyDesc::angular_velocity>({"angular_velocity", "Spin", "deg/s", -36000, 36000,
                                         "At the start; the vector points along the axis.", Effect::rebuild}),
    number<&BodyDesc::friction>({"friction", "Friction", "", 0, 2,
                                 "Coulomb mu, combined with that of what it touches as sqrt(mu_a mu_b)."}),
    number<&BodyDesc::restitution>(
        {"restitution", "Restitution", "", 0, 1,
         "e: the normal speed after a bounce over that before it; of two bodies the larger one acts. Off "
         "below 2 g h, so that things come to rest."}),
    number<&BodyDesc::rolling_resistance>(
        {"rolling_resistance", "Rolling resistance", "m", 0, 10,
         "Lever arm of the normal force against rolling; of two bodies the larger one acts."}),
    vector<&BodyDesc::color>(
        {"color", "Colour", "", 0, 1, "Linear RGB; copies vary a little.", Effect::rebuild}),
};
constexpr auto body_table = joined(body_part_table, own_body_rows);

constexpr std::array camera_table{
    vector<&CameraDesc::position>(
        {"position", "Position", "m", -1000, 1000, "Where the scene is first seen from."}),
    vector<&CameraDesc::target>(
        {"target", "Target", "m", -1000, 1000, "The point in the middle of the picture."}),
    number<&CameraDesc::fov_degrees>(
        {"fov_degrees", "Field of view", "deg", 5, 120, "Vertical opening angle."}),
};

}  // namespace

// Here, because everybody who holds a scene would compile them again.
ObjectDesc::ObjectDesc() = default;
ObjectDesc::ObjectDesc(const ObjectDesc&) = default;
ObjectDesc::ObjectDesc(ObjectDesc&&) noexcept = default;
ObjectDesc& ObjectDesc::operator=(const ObjectDesc&) = default;
ObjectDesc& ObjectDesc::operator=(ObjectDesc&&) noexcept = default;
ObjectDesc::~ObjectDesc() = default;

BodyDesc::BodyDesc() = default;
BodyDesc::BodyDesc(const BodyDesc&) = default;
BodyDesc::BodyDesc(BodyDesc&&) noexcept = default;
BodyDesc& BodyDesc::operator=(const BodyDesc&) = default;
BodyDesc& BodyDesc::operator=(BodyDesc&&) noexcept = default;
BodyDesc::~BodyDesc() = default;

SceneDesc::SceneDesc() = default;
SceneDesc::SceneDesc(const SceneDesc&) = default;
SceneDesc::SceneDesc(SceneDesc&&) noexcept = default;
SceneDesc& SceneDesc::operator=(const SceneDesc&) = default;
SceneDesc& SceneDesc::operator=(SceneDesc&&) noexcept = default;
SceneDesc::~SceneDesc() = default;

std::span<const Field> attachment_fields() { return attachment_table; }
std::span<const Field> object_fields() { return object_table; }
std::span<const Field> collider_fields() { return collider_table; }
std::span<const Field> body_part_fields() { return body_part_table; }
std::span<const Field> body_fields() { return body_table; }
std::span<const Field> camera_fields() { return camera_table; }

Expected<void> check_camera(const CameraDesc& camera) {
  if (camera.position != camera.target) return {};
  return Error{"the camera stands on its own target", "", 0, "give it another 'position' or 'target'"};
}

bool applies(const ObjectDesc& object, const Field& field) {
  const auto named = [&](const Field& row) { return row.name == field.name; };
  const auto in = [&](std::span<const Field> rows) { return std::any_of(rows.begin(), rows.end(), named); };
  const ObjectType type = object.type;
  const bool lattice = type == ObjectType::cloud || type == ObjectType::grains;
  if (field.name == "size" && object.mesh.empty()) return false;
  if (in(mesh_rows)) return type == ObjectType::cloth || type == ObjectType::solid;
  if (in(weld_rows)) return type == ObjectType::cloth && !object.mesh.empty();
  if (in(grid_rows)) return type == ObjectType::cloth && object.mesh.empty();
  if (in(cloth_rows)) return type == ObjectType::cloth;
  if (in(lattice_rows)) return type == ObjectType::cloth || type == ObjectType::solid || lattice;
  if (in(particle_rows)) return is_particles(type);
  if (in(solid_rows)) return type == ObjectType::solid;
  for (const std::string_view of_springs : {"spring_action", "tethers", "tether_slack"})
    if (field.name == of_springs) return !is_particles(type);
  for (const std::string_view of_sheets : {"back_color", "pattern"})
    if (field.name == of_sheets) return !is_particles(type);
  if (in(chain_rows)) return type == ObjectType::chain;
  if (in(mass_rows)) return type == ObjectType::chain || type == ObjectType::cloud;
  return true;
}

std::string misplaced(const ObjectDesc& object, std::string_view key) {
  const std::string type = std::get<std::string>(get(object_fields().front(), &object));
  const auto fits = [&](std::string_view mesh) {
    ObjectDesc other = object;
    other.mesh = mesh;
    const auto fields = object_fields();
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field& field) { return field.name == key && applies(other, field); });
  };
  const std::string said = "'" + std::string(key) + "' means nothing ";
  if (object.mesh.empty() && fits("a mesh")) return said + "without a 'mesh'";
  if (!object.mesh.empty() && fits("")) return said + "beside a 'mesh', which replaces the grid";
  return said + "for the type '" + type + "'";
}

bool applies_to_material(const ObjectDesc& object, const Field& field) {
  const auto named = [&](const Field& row) { return row.name == field.name; };
  const auto in = [&](std::span<const Field> rows) { return std::any_of(rows.begin(), rows.end(), named); };
  if (in(sheet_material_fields())) return !is_particles(object.type);
  if (in(grain_material_fields())) return object.type == ObjectType::grains;
  return true;
}

bool applies(const ColliderDesc& collider, const Field& field) {
  const ColliderShape shape = collider.shape;
  if (field.name == "radius") return shape == ColliderShape::sphere || shape == ColliderShape::capsule;
  if (field.name == "half_extents") return shape == ColliderShape::box;
  if (field.name == "half_length") return shape == ColliderShape::capsule;
  for (const std::string_view of_mesh : {"mesh", "size", "resolution", "shell", "frames"})
    if (field.name == of_mesh) return shape == ColliderShape::mesh;
  for (const std::string_view of_frames : {"frame_rate", "loop"})
    if (field.name == of_frames) return shape == ColliderShape::mesh && !collider.frames.empty();
  return true;
}

bool applies(const BodyPartDesc& body, const Field& field) {
  const BodyShape shape = body.shape;
  const bool round = shape == BodyShape::capsule || shape == BodyShape::cylinder;
  if (field.name == "radius") return round || shape == BodyShape::sphere;
  if (field.name == "half_length") return round;
  if (field.name == "half_extents") return shape == BodyShape::box;
  if (field.name == "mesh" || field.name == "size") return shape == BodyShape::hull;
  return true;
}

}  // namespace limber
