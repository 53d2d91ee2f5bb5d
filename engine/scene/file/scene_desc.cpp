#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"

#include <algorithm>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/colliders/pose_rows.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 5> shape_names{"plane", "sphere", "box", "capsule", "mesh"};
constexpr std::array<std::string_view, 6> body_shape_names{"sphere",   "capsule", "box",
                                                           "cylinder", "hull",    "compound"};
constexpr std::array<std::string_view, 4> airfoil_names{"none", "x", "y", "z"};
constexpr std::array<std::string_view, 3> arrangement_names{"lattice", "pyramid", "line"};

constexpr std::array attachment_table{
    text<&AttachmentDesc::attach_to>(
        "attach_to", "Attached to",
        "A collider or a rigid body (name[0], name[1] ... for copies) that carries the vertices: they keep "
        "their places in its frame. Empty: they follow a motion of their own."),
    boolean<&AttachmentDesc::two_way>(
        "two_way", "Two-way",
        "If attached to a rigid body, the vertices keep their mass and pull the body as much as it pulls "
        "them. Off: they move with the body and do not act on it.",
        Effect::rebuild),
    number<&AttachmentDesc::compliance>({"compliance", "Compliance", "m/N", 0, 10,
                                         "XPBD: alpha of each two-way attachment; a weight m g hangs m g "
                                         "alpha away from the body. 0 is rigid.",
                                         Effect::rebuild, Scale::logarithmic}),
    vector<&AttachmentDesc::amplitude>(
        {"amplitude", "Amplitude", "m", -10, 10,
         "The attached vertices follow rest + amplitude * sin(2 pi t / period).", Effect::rebuild}),
    number<&AttachmentDesc::period>({"period", "Period", "s", 0.05, 1000,
                                     "Duration of one swing of the attached vertices.", Effect::rebuild,
                                     Scale::logarithmic}),
};

constexpr std::string_view look_tip =
    "Material that it is drawn as, in its colour; the simulation does not depend on it. The ground looks "
    "like that of the stage.";

constexpr std::array collider_table{
    choice<&ColliderDesc::shape>("shape", "Shape", shape_names,
                                 "plane: through the position, with normal +y; capsule: along the y axis; "
                                 "mesh: any OBJ, closed or as a shell. The rotation turns all of them.",
                                 Effect::rebuild),
    position_row<ColliderDesc>(),
    rotation_row<ColliderDesc>(),
    number<&ColliderDesc::radius>({"radius", "Radius", "m", 5e-5, 500, "Radius of a sphere or capsule.",
                                   Effect::rebuild, Scale::logarithmic}),
    vector<&ColliderDesc::half_extents>({"half_extents", "Half extents", "m", 5e-5, 500,
                                         "Half the side lengths of a box along its own axes.",
                                         Effect::rebuild, Scale::logarithmic}),
    number<&ColliderDesc::half_length>({"half_length", "Half length", "m", 0, 500,
                                        "Half the distance between a capsule's cap centres.",
                                        Effect::rebuild}),
    text<&ColliderDesc::mesh>("mesh", "Mesh",
                              "For the shape 'mesh': a Wavefront OBJ file beside the scene file, in the "
                              "assets folder or the working folder. Closed, unless it is a shell."),
    number<&ColliderDesc::size>({"size", "Mesh size", "m", 0, 1000,
                                 "Longest side of the mesh after scaling, which also centres it; 0 keeps the "
                                 "file's units and origin.",
                                 Effect::rebuild}),
    text<&ColliderDesc::frames>(
        "frames", "Frames",
        "OBJ files, as in walk_*.obj, with the vertices of the mesh in its poses: the mesh deforms from one "
        "pose to the next. Cloth and grains touch the mesh in its present pose, without a distance field, "
        "and can be attached to it; rigid bodies pass through."),
    number<&ColliderDesc::frame_rate>(
        {"frame_rate", "Frame rate", "1/s", 0.01, 1000,
         "Poses per second; between poses, positions follow Catmull-Rom splines.", Effect::rebuild,
         Scale::logarithmic}),
    boolean<&ColliderDesc::loop>(
        "loop", "Loop",
        "The poses repeat: the first one follows the last one. Off: the mesh stays in the last pose.",
        Effect::rebuild),
    integer<&ColliderDesc::resolution>(
        {"resolution", "Resolution", "cells", 8, 256,
         "Cells of the mesh's signed distance field along its longest side. Details smaller than one cell "
         "are smoothed. Fields are stored in the user's cache folder.",
         Effect::rebuild, Scale::logarithmic}),
    number<&ColliderDesc::shell>({"shell", "Shell", "m", 0, 10,
                                  "Thickness of a mesh that is a sheet with two sides, which an open mesh "
                                  "needs; at least two cells of the distance field. 0: a closed solid.",
                                  Effect::rebuild}),
    number<&ColliderDesc::friction>(
        {"friction", "Friction", "", 0, 2, "Coulomb mu, combined with the material's as sqrt(mu mu)."}),
    number<&ColliderDesc::restitution>({"restitution", "Restitution", "", 0, 1,
                                        "e: normal speed after a bounce over the speed before it. Below a "
                                        "speed of 2 g h it is 0, so that things come to rest."}),
    vector<&ColliderDesc::linear_velocity>({"linear_velocity", "Velocity", "m/s", -100, 100,
                                            "Constant velocity, added to the position at the start.",
                                            Effect::rebuild}),
    vector<&ColliderDesc::angular_velocity>(
        {"angular_velocity", "Spin", "deg/s", -3600, 3600,
         "Constant rotation about an axis through the position; the vector points along the axis. Friction "
         "drags things along that lie on it.",
         Effect::rebuild}),
    vector<&ColliderDesc::amplitude>({"amplitude", "Amplitude", "m", -10, 10,
                                      "The position swings by amplitude * sin(2 pi (t / period + phase)).",
                                      Effect::rebuild}),
    vector<&ColliderDesc::swing>({"swing", "Swing", "deg", -360, 360,
                                  "The collider rotates about the pivot by swing * sin(2 pi (t / period + "
                                  "phase)); the vector points along the axis.",
                                  Effect::rebuild}),
    vector<&ColliderDesc::pivot>(
        {"pivot", "Pivot", "m", -1000, 1000,
         "Point about which the collider swings, in the coordinates of the position.", Effect::rebuild}),
    number<&ColliderDesc::period>({"period", "Swing period", "s", 0.05, 1000, "Duration of one swing.",
                                   Effect::rebuild, Scale::logarithmic}),
    number<&ColliderDesc::phase>({"phase", "Phase", "turns", -1, 1,
                                  "Phase of the swing at the start, in periods; 0.5 is the opposite phase.",
                                  Effect::rebuild}),
    number<&ColliderDesc::start>({"start", "Moves from", "s", 0, 1000,
                                  "Time at which the motion begins; until then the collider stays in place.",
                                  Effect::rebuild}),
    number<&ColliderDesc::swings>({"swings", "Swings", "periods", 0, 10000,
                                   "Number of swing periods after which the motion ends where it is: half a "
                                   "period goes out and comes back. 0: never ends.",
                                   Effect::rebuild}),
    text<&ColliderDesc::parent>("parent", "Parent",
                                "A collider above it in the file that carries it along, as in the limbs of "
                                "one body. Positions are those of the whole at rest."),
    name_list<&ColliderDesc::collides_with>("collides_with", "Collides with", collides_with_tip),
    number<&ColliderDesc::temperature>(
        {"temperature", "Temperature", "deg C", no_temperature, 5000,
         "Temperature that the collider keeps if 'heat' is on. Below -273: it exchanges no heat."}),
    boolean<&ColliderDesc::drains>("drains", "Drains",
                                   "A sink: fluid that touches it is removed and counted."),
    boolean<&ColliderDesc::visible>("visible", "Visible",
                                    "Draw the collider. An invisible one still collides.", Effect::rebuild),
    boolean<&ColliderDesc::glass>("glass", "Glass", "Draw it as transparent glass.", Effect::rebuild),
    vector<&ColliderDesc::color>({"color", "Colour", "", 0, 1, "Linear RGB.", Effect::rebuild}),
    choice<&ColliderDesc::look>("look", "Look", look_names, look_tip, Effect::rebuild),
};

constexpr std::array body_part_table{
    choice<&BodyPartDesc::shape>("shape", "Shape", body_shape_names,
                                 "capsule, cylinder: along the y axis; hull: the convex hull of an OBJ; "
                                 "compound: several 'parts' that form one body.",
                                 Effect::rebuild),
    position_row<BodyPartDesc>(),
    rotation_row<BodyPartDesc>(),
    number<&BodyPartDesc::radius>({"radius", "Radius", "m", 5e-5, 500,
                                   "Radius of a sphere, capsule or cylinder.", Effect::rebuild,
                                   Scale::logarithmic}),
    vector<&BodyPartDesc::half_extents>({"half_extents", "Half extents", "m", 5e-5, 500,
                                         "Half the side lengths of a box along its own axes.",
                                         Effect::rebuild, Scale::logarithmic}),
    choice<&BodyPartDesc::airfoil>(
        "airfoil", "Airfoil", airfoil_names,
        "Air acts on a thin box or hull as on a card or a wing whose chord is along this axis: lift, stall, "
        "a moving centre of pressure, and added mass of air. The thinnest of its other sides is the "
        "thickness, the third side is the span. 'none': the law of 'wind' for each face.",
        Effect::rebuild),
    number<&BodyPartDesc::half_length>(
        {"half_length", "Half length", "m", 5e-5, 500,
         "Half the height of a cylinder; half the distance between a capsule's cap centres.", Effect::rebuild,
         Scale::logarithmic}),
    text<&BodyPartDesc::mesh>("mesh", "Mesh",
                              "For the shape 'hull': a Wavefront OBJ file beside the scene file, in the "
                              "assets folder or the working folder."),
    number<&BodyPartDesc::size>({"size", "Mesh size", "m", 0, 1000,
                                 "Longest side of the mesh after scaling, which also centres it; 0 keeps the "
                                 "file's units and origin.",
                                 Effect::rebuild}),
};
constexpr std::array own_body_rows{
    number<&BodyDesc::density>(
        {"density", "Density", "kg/m^3", 0.1, 1e5, "Mass per volume.", Effect::rebuild, Scale::logarithmic}),
    boolean<&BodyDesc::fixed>("fixed", "Fixed", "The body never moves (inverse mass zero).", Effect::rebuild),
    vector<&BodyDesc::copies>(
        {"copies", "Copies", "", 1, 200,
         "Number of copies along x, y and z (whole numbers): centred in x and z, stacked upwards.",
         Effect::rebuild}),
    vector<&BodyDesc::spacing>({"spacing", "Spacing", "m", -1000, 1000,
                                "Distance between copies along x, y and z.", Effect::rebuild}),
    choice<&BodyDesc::arrangement>(
        "arrangement", "Arrangement", arrangement_names,
        "lattice: rows and layers. pyramid: every layer has one copy less along x than the layer below. "
        "line: from the position on, each copy one spacing vector after the one before.",
        Effect::rebuild),
    number<&BodyDesc::jitter>({"jitter", "Jitter", "m", 0, 10,
                               "Random offset of every copy at the start, from the scene's seed.",
                               Effect::rebuild}),
    number<&BodyDesc::yaw_jitter>(
        {"yaw_jitter", "Yaw jitter", "deg", 0, 180,
         "Random rotation of every copy about the vertical, in either direction, from the scene's seed.",
         Effect::rebuild}),
    vector<&BodyDesc::velocity>({"velocity", "Velocity", "m/s", -200, 200,
                                 "Velocity of the centre of mass at the start.", Effect::rebuild}),
    vector<&BodyDesc::angular_velocity>({"angular_velocity", "Spin", "deg/s", -36000, 36000,
                                         "Angular velocity at the start; the vector points along the axis.",
                                         Effect::rebuild}),
    number<&BodyDesc::friction>(
        {"friction", "Friction", "", 0, 2,
         "Coulomb mu, combined with that of the other thing in a contact as sqrt(mu_a mu_b)."}),
    number<&BodyDesc::restitution>(
        {"restitution", "Restitution", "", 0, 1,
         "e: normal speed after a bounce over the speed before it; of two bodies the larger e counts. Below "
         "a speed of 2 g h it is 0, so that things come to rest."}),
    number<&BodyDesc::rolling_resistance>(
        {"rolling_resistance", "Rolling resistance", "m", 0, 10,
         "Lever arm of the normal force against rolling; of two bodies the larger one counts."}),
    number<&BodyDesc::temperature>({"temperature", "Temperature", "deg C", no_temperature, 5000,
                                    "Temperature of the whole body at the start, if 'heat' is on. Below "
                                    "-273: it exchanges no heat. A fixed body keeps its temperature.",
                                    Effect::rebuild}),
    number<&BodyDesc::conductivity>({"conductivity", "Conductivity", "W/(m K)", 0, 1000,
                                     "Heat flows between the surface and the middle, at a distance of volume "
                                     "over surface. Wood 0.15, glass 1, steel 50, copper 400.",
                                     Effect::live, Scale::logarithmic}),
    number<&BodyDesc::heat_capacity>({"heat_capacity", "Heat capacity", "J/(kg K)", 1, 20000,
                                      "Heat that warms a kilogram by a kelvin. Metals 130 to 900, wood 1700.",
                                      Effect::rebuild, Scale::logarithmic}),
    name_list<&BodyDesc::collides_with>("collides_with", "Collides with", collides_with_tip),
    vector<&BodyDesc::color>(
        {"color", "Colour", "", 0, 1, "Linear RGB; the colours of copies vary a little.", Effect::rebuild}),
    choice<&BodyDesc::look>("look", "Look", look_names, look_tip, Effect::rebuild),
};
constexpr auto body_table = joined(body_part_table, own_body_rows);

constexpr std::array camera_table{
    vector<&CameraDesc::position>(
        {"position", "Position", "m", -1000, 1000,
         "Place from which the scene is first seen; with the target, the direction of view."}),
    vector<&CameraDesc::target>({"target", "Target", "m", -1000, 1000, "The point that is looked at."}),
    number<&CameraDesc::fov_degrees>(
        {"fov_degrees", "Field of view", "deg", 5, 120, "Vertical opening angle."}),
    boolean<&CameraDesc::fit>(
        "fit", "Fit",
        "Position and target give only the direction of view; the distance is such that everything that "
        "moves is visible, as large as possible. Off: the camera stands exactly at the position."),
};

constexpr std::array view_table{
    choice<&ViewDesc::heat_map>("heat_map", "Heat map", heat_map_words,
                                "Colours of the heat map when the scene opens."),
    choice<&ViewDesc::debug_view>("debug_view", "Debug view", debug_view_words,
                                  "The marks that it opens with."),
    choice<&ViewDesc::stage>("stage", "Stage", stage_words,
                             "Ground, light and background of the scene, in the window and in pictures."),
    boolean<&ViewDesc::paused>("paused", "Paused",
                               "The scene waits at its first frame until the user starts it."),
    boolean<&ViewDesc::plots>("plots", "Plots",
                              "Opens the plots of the comparison: distance, residual per iteration and per "
                              "millisecond."),
};

}  // namespace

// Defined here and not in the header, where every source that includes a scene would compile them again.
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
std::span<const Field> collider_fields() { return collider_table; }
std::span<const Field> body_part_fields() { return body_part_table; }
std::span<const Field> body_fields() { return body_table; }
std::span<const Field> camera_fields() { return camera_table; }
std::span<const Field> view_fields() { return view_table; }

Expected<void> check_camera(const CameraDesc& camera) {
  if (camera.position != camera.target) return {};
  return Error{"the camera stands on its own target", "", 0, "give it another 'position' or 'target'"};
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
  if (field.name == "airfoil") return shape == BodyShape::box || shape == BodyShape::hull;
  if (field.name == "mesh" || field.name == "size") return shape == BodyShape::hull;
  return true;
}

}  // namespace limber
