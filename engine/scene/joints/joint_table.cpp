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
    choice<&JointDesc::type>(
        "type", "Type", joint_type_names,
        "ball: all turns are free; hinge: a turn about the axis; slider: a way along it; "
        "fixed: nothing; distance: two points stay as far apart as they are; universal: "
        "turns about two crossed axes.",
        Effect::rebuild),
    text<&JointDesc::a>("a", "Body a",
                        "A body, or with copies name[i], the i-th counted from 0; its bare name means each."),
    text<&JointDesc::b>("b", "Body b",
                        "The other body, as for a. Empty: the world. Of as many copies, each goes with that "
                        "of a of the same number."),
    boolean<&JointDesc::chain>("chain", "Chain", "Joins each copy of a to the next one.", Effect::rebuild),
    vector<&JointDesc::at>(
        {"at", "At", "m", -1000, 1000,
         "Where it is at the start, in the world; of copies at the first, moved along with "
         "the others.",
         Effect::rebuild}),
    vector<&JointDesc::at_b>(
        {"at_b", "At b", "m", -1000, 1000,
         "Where a distance ends at b at the start, in the world; 'at' is its point of a.", Effect::rebuild}),
    vector<&JointDesc::axis>(
        {"axis", "Axis", "", -1, 1,
         "In the world at the start; only the direction counts. What a hinge turns about "
         "and a slider slides along, the middle of a ball's cone, the axis of a "
         "universal joint in a.",
         Effect::rebuild}),
    vector<&JointDesc::axis_b>({"axis_b", "Axis in b", "", -1, 1,
                                "The other axis of a universal joint, in b; as far as it is along the first, "
                                "that counts for nothing.",
                                Effect::rebuild}),
    boolean<&JointDesc::collide>("collide", "Collide", "The two bodies touch each other as any others do."),
    boolean<&JointDesc::limited>("limited", "Limited", "A hinge turns, a slider slides within its limits."),
    number<&JointDesc::lower_degrees>({"lower_degrees", "Lower limit", "deg", -180, 180,
                                       "Of a's turn against b about the axis, from the start."}),
    number<&JointDesc::upper_degrees>({"upper_degrees", "Upper limit", "deg", -180, 180,
                                       "Of a's turn against b about the axis, from the start."}),
    number<&JointDesc::lower>(
        {"lower", "Lower limit", "m", -100, 100, "Of a's way against b along the axis, from the start."}),
    number<&JointDesc::upper>(
        {"upper", "Upper limit", "m", -100, 100, "Of a's way against b along the axis, from the start."}),
    number<&JointDesc::cone_degrees>({"cone_degrees", "Cone", "deg", 0, 180,
                                      "How far the axis in a may turn away from that in b; 180: no limit."}),
    number<&JointDesc::motor_speed>({"motor_speed", "Motor speed", "deg/s", -7200, 7200,
                                     "What the motor aims at, of a against b about the axis."}),
    number<&JointDesc::motor_torque>({"motor_torque", "Motor torque", "N m", 0, 1e7,
                                      "The most that the motor turns with; 0: there is none.", Effect::live,
                                      Scale::logarithmic}),
    number<&JointDesc::motor_velocity>({"motor_velocity", "Motor speed", "m/s", -100, 100,
                                        "What the motor aims at, of a against b along the axis."}),
    number<&JointDesc::motor_force>({"motor_force", "Motor force", "N", 0, 1e7,
                                     "The most that the motor pushes with; 0: there is none.", Effect::live,
                                     Scale::logarithmic}),
    number<&JointDesc::friction_torque>({"friction_torque", "Friction", "N m", 0, 1e7,
                                         "The most that holds a hinge without a motor back.", Effect::live,
                                         Scale::logarithmic}),
    number<&JointDesc::friction_force>({"friction_force", "Friction", "N", 0, 1e7,
                                        "The most that holds a slider without a motor back.", Effect::live,
                                        Scale::logarithmic}),
    number<&JointDesc::length>(
        {"length", "Length", "m", 0, 1000, "Of a distance; 0: what it is at the start.", Effect::rebuild}),
    boolean<&JointDesc::rope>("rope", "Rope", "A distance that pulls only: it may be shorter."),
    number<&JointDesc::compliance>({"compliance", "Compliance", "m/N", 0, 100,
                                    "How far it gives way to a newton, the inverse of its stiffness; 0 is "
                                    "rigid. XPBD: C + alpha lambda / h^2 = 0.",
                                    Effect::live, Scale::logarithmic}),
    number<&JointDesc::angular_compliance>({"angular_compliance", "Bending", "rad/(N m)", 0, 100,
                                            "How far what holds its turn gives way to a newton metre; 0 is "
                                            "rigid.",
                                            Effect::live, Scale::logarithmic}),
    number<&JointDesc::damping>({"damping", "Damping", "N s/m", 0, 1e6,
                                 "Force for each metre a second that the ends come together or part, beside "
                                 "a compliance.",
                                 Effect::live, Scale::logarithmic}),
    number<&JointDesc::break_force>({"break_force", "Breaks at", "N", 0, 1e9,
                                     "It breaks when it pulls or pushes with more; 0: never.", Effect::live,
                                     Scale::logarithmic}),
    number<&JointDesc::thickness>({"thickness", "Thickness", "m", 0, 1,
                                   "Of a distance as it is drawn; 0: not at all.", Effect::rebuild}),
    vector<&JointDesc::color>({"color", "Colour", "", 0, 1, "Linear RGB, of a distance.", Effect::rebuild}),
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
  if (named({"at_b", "length", "rope", "damping", "thickness", "color"})) return joint.type == distance;
  if (named({"lower_degrees", "upper_degrees", "motor_speed", "motor_torque", "friction_torque"}))
    return joint.type == hinge;
  if (named({"lower", "upper", "motor_velocity", "motor_force", "friction_force"}))
    return joint.type == slider;
  if (named({"limited"})) return one_of({hinge, slider});
  if (named({"cone_degrees"})) return joint.type == ball;
  if (named({"axis_b"})) return joint.type == universal;
  if (named({"axis"})) return one_of({ball, hinge, slider, universal});
  if (named({"angular_compliance"})) return one_of({hinge, slider, fixed, universal});
  return true;
}

}  // namespace limber
