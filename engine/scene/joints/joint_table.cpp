// The settings of a joint.
#include <algorithm>
#include <array>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 6> joint_type_names{"ball",  "hinge",    "slider",
                                                           "fixed", "distance", "universal"};

constexpr std::array joint_table{
    choice<&JointDesc::type>("type", "Type", joint_type_names,
                             "ball: all rotations are free. hinge: rotation about the axis. slider: "
                             "translation along the axis. fixed: no motion. distance: two points keep their "
                             "distance. universal: rotation about two crossed axes.",
                             Effect::rebuild),
    text<&JointDesc::a>(
        "a", "Body a",
        "A body. With copies: name[i] is copy i, counted from 0; the name alone means every copy."),
    text<&JointDesc::b>("b", "Body b",
                        "The other body, named as for a. Empty: the world. If it has as many copies as a, "
                        "copy i is joined to copy i of a."),
    boolean<&JointDesc::chain>("chain", "Chain", "Join each copy of a to the next copy.", Effect::rebuild),
    vector<&JointDesc::at>({"at", "At", "m", -1000, 1000,
                            "Place of the joint at the start, in world coordinates. With copies: that of the "
                            "first copy; it is shifted for the others.",
                            Effect::rebuild}),
    vector<&JointDesc::at_b>(
        {"at_b", "At b", "m", -1000, 1000,
         "Anchor of a distance joint on b at the start, in world coordinates; 'at' is the anchor on a.",
         Effect::rebuild}),
    vector<&JointDesc::axis>(
        {"axis", "Axis", "", -1, 1,
         "Direction at the start, in world coordinates; its length does not matter. Axis of rotation of a "
         "hinge, direction of a slider, middle of a ball's cone, axis of a universal joint in a.",
         Effect::rebuild}),
    vector<&JointDesc::axis_b>(
        {"axis_b", "Axis in b", "", -1, 1,
         "Second axis of a universal joint, in b. Its component along the first axis is ignored.",
         Effect::rebuild}),
    boolean<&JointDesc::collide>("collide", "Collide", "The two bodies collide with each other."),
    boolean<&JointDesc::limited>("limited", "Limited",
                                 "A hinge rotates, or a slider slides, only within its limits."),
    number<&JointDesc::lower_degrees>({"lower_degrees", "Lower limit", "deg", -180, 180,
                                       "Angle of a about the axis relative to b; 0 at the start."}),
    number<&JointDesc::upper_degrees>({"upper_degrees", "Upper limit", "deg", -180, 180,
                                       "Angle of a about the axis relative to b; 0 at the start."}),
    number<&JointDesc::lower>({"lower", "Lower limit", "m", -100, 100,
                               "Displacement of a along the axis relative to b; 0 at the start."}),
    number<&JointDesc::upper>({"upper", "Upper limit", "m", -100, 100,
                               "Displacement of a along the axis relative to b; 0 at the start."}),
    number<&JointDesc::cone_degrees>(
        {"cone_degrees", "Cone", "deg", 0, 180,
         "Largest angle between the axis in a and the axis in b; 180: no limit."}),
    number<&JointDesc::motor_speed>(
        {"motor_speed", "Motor speed", "deg/s", -7200, 7200,
         "Angular velocity of a about the axis relative to b that the motor drives at."}),
    number<&JointDesc::motor_torque>({"motor_torque", "Motor torque", "N m", 0, 1e7,
                                      "Largest torque of the motor; 0: no motor.", Effect::live,
                                      Scale::logarithmic}),
    number<&JointDesc::motor_velocity>(
        {"motor_velocity", "Motor speed", "m/s", -100, 100,
         "Velocity of a along the axis relative to b that the motor drives at."}),
    number<&JointDesc::motor_force>({"motor_force", "Motor force", "N", 0, 1e7,
                                     "Largest force of the motor; 0: no motor.", Effect::live,
                                     Scale::logarithmic}),
    number<&JointDesc::friction_torque>({"friction_torque", "Friction", "N m", 0, 1e7,
                                         "Largest friction torque of a hinge without a motor.", Effect::live,
                                         Scale::logarithmic}),
    number<&JointDesc::friction_force>({"friction_force", "Friction", "N", 0, 1e7,
                                        "Largest friction force of a slider without a motor.", Effect::live,
                                        Scale::logarithmic}),
    number<&JointDesc::length>({"length", "Length", "m", 0, 1000,
                                "Length of a distance joint; 0: the length at the start.", Effect::rebuild}),
    boolean<&JointDesc::rope>("rope", "Rope",
                              "A distance joint that only pulls: its ends may be closer together."),
    number<&JointDesc::compliance>({"compliance", "Compliance", "m/N", 0, 100,
                                    "Displacement per newton, the inverse of the stiffness; 0 is rigid. "
                                    "XPBD: C + alpha lambda / h^2 = 0.",
                                    Effect::live, Scale::logarithmic}),
    number<&JointDesc::angular_compliance>(
        {"angular_compliance", "Bending", "rad/(N m)", 0, 100,
         "Rotation per newton metre about the directions that the joint locks; 0 is rigid.", Effect::live,
         Scale::logarithmic}),
    number<&JointDesc::damping>({"damping", "Damping", "N s/m", 0, 1e6,
                                 "Force per m/s of velocity between the ends, in addition to a compliance.",
                                 Effect::live, Scale::logarithmic}),
    number<&JointDesc::break_force>({"break_force", "Breaks at", "N", 0, 1e9,
                                     "The joint breaks if its force exceeds this; 0: never.", Effect::live,
                                     Scale::logarithmic}),
    number<&JointDesc::thickness>({"thickness", "Thickness", "m", 0, 1,
                                   "Drawn diameter of a distance joint; 0: not drawn.", Effect::rebuild}),
    number<&JointDesc::cord>(
        {"cord", "Cord", "m", 0, 1,
         "Ball joints: diameter of the cords that are drawn from the middle of each body to "
         "the joint; 0: none.",
         Effect::rebuild}),
    vector<&JointDesc::color>(
        {"color", "Colour", "", 0, 1, "Linear RGB of a drawn distance joint, or of cords.", Effect::rebuild}),
};

}  // namespace

std::span<const Field> joint_fields() { return joint_table; }

bool applies(const JointDesc& joint, const Field& field) {
  using enum JointType;
  const auto one_of = [&](std::initializer_list<JointType> types) {
    return std::find(types.begin(), types.end(), joint.type) != types.end();
  };
  const auto named = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), field.name) != names.end();
  };
  if (named({"at_b", "length", "rope", "damping", "thickness"})) return joint.type == distance;
  if (named({"color"})) return one_of({distance, ball});
  if (named({"lower_degrees", "upper_degrees", "motor_speed", "motor_torque", "friction_torque"}))
    return joint.type == hinge;
  if (named({"lower", "upper", "motor_velocity", "motor_force", "friction_force"}))
    return joint.type == slider;
  if (named({"limited"})) return one_of({hinge, slider});
  if (named({"cone_degrees", "cord"})) return joint.type == ball;
  if (named({"axis_b"})) return joint.type == universal;
  if (named({"axis"})) return one_of({ball, hinge, slider, universal});
  if (named({"angular_compliance"})) return one_of({hinge, slider, fixed, universal});
  return true;
}

}  // namespace limber
