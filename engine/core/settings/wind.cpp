#include "engine/core/settings/wind.hpp"

#include <algorithm>
#include <array>

#include "engine/core/settings/scene_part.hpp"
#include "engine/core/tunable.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 2> air_law_names{"plate", "lift_drag"};
constexpr std::array<std::string_view, 5> air_field_names{"uniform", "gusts", "vortex", "fan", "turbulence"};
constexpr std::array<std::string_view, 4> force_field_names{"uniform", "point", "vortex", "box"};
constexpr std::array<std::string_view, 2> force_unit_names{"acceleration", "force"};

constexpr std::array wind_table =
    all_needing(scene_part::surfaces | scene_part::rods | scene_part::bodies, std::array{
    boolean<&WindSettings::enabled>("enabled", "Air",
                                    "Air acts on surfaces, rods and bodies. Still air slows them down."),
    choice<&WindSettings::law>(
        "law", "Law", air_law_names,
        "plate: pressure along the normal, friction along the sheet. lift_drag: drag along "
        "and lift across the relative wind. Neither adds power."),
    vector<&WindSettings::velocity>(
        {"velocity", "Wind", "m/s", -60, 60, "Velocity of the air, before gusts and fields."}),
    number<&WindSettings::gust_amplitude>({"gust_amplitude", "Gusts", "", 0, 2,
                                           "a in velocity * (1 + a sin(2 pi t / period)): the share by which "
                                           "the wind swells and drops."}),
    number<&WindSettings::gust_period>({"gust_period", "Gust period", "s", 0.05, 100,
                                        "Time from one gust to the next.", Effect::live, Scale::logarithmic}),
    number<&WindSettings::air_density>(
        {"air_density", "Air density", "kg/m^3", 0, 20, "1.225 at sea level; forces grow with it."}),
    number<&WindSettings::drag>(
        {"drag", "Drag", "", 0, 4,
         "C_n of a plate: 1/2 rho C_n A |v| (v.n) along its normal n. For lift_drag C_D: "
         "1/2 rho C_D A |v|^2 s along the relative wind v, s = n.v/|v|."}),
    number<&WindSettings::lift>({"lift", "Lift", "", 0, 4,
                                 "C_L of lift_drag: 1/2 rho C_L A |v|^2 s sqrt(1-s^2) across the relative "
                                 "wind, which it turns without "
                                 "adding power. Plates lift by their drag."}),
    number<&WindSettings::skin_drag>(
        {"skin_drag", "Skin drag", "", 0, 4, "C_t of a plate: 1/2 rho C_t A |v| v_t along itself."}),
    number<&WindSettings::rod_drag>(
        {"rod_drag", "Rod drag", "", 0, 4,
         "C_D of a round rod of diameter d: 1/2 rho C_D d |v_n| v_n a metre, v_n the "
         "wind across it."}),
});

constexpr std::array air_field_table{
    choice<&AirField::type>("type", "Type", air_field_names,
                            "uniform: everywhere the same; gusts: rises and falls at random times; vortex: "
                            "round an axis; fan: a jet that widens; turbulence: eddies without sources.",
                            Effect::rebuild),
    vector<&AirField::velocity>({"velocity", "Velocity", "m/s", -60, 60,
                                 "uniform: velocity of the air. gusts: velocity of the strongest gust; all "
                                 "gusts blow in this direction."}),
    vector<&AirField::position>(
        {"position", "Position", "m", -1000, 1000, "vortex: a point of the axis. fan: centre of the mouth."}),
    vector<&AirField::direction>({"direction", "Direction", "", -1, 1,
                                  "vortex: axis, round which the air goes right-handed. fan: direction of "
                                  "the jet. The length has no effect."}),
    number<&AirField::speed>(
        {"speed", "Speed", "m/s", -60, 60,
         "vortex: speed at its radius. fan: speed at its mouth. turbulence: root mean square."}),
    number<&AirField::radius>(
        {"radius", "Radius", "m", 0.01, 1000,
         "vortex: distance from the axis at which the air is fastest. fan: radius of the mouth.",
         Effect::live, Scale::logarithmic}),
    number<&AirField::cone_degrees>(
        {"cone_degrees", "Cone", "deg", 0, 80,
         "fan: half of the angle by which the jet widens; its momentum stays constant."}),
    number<&AirField::period>({"period", "Period", "s", 0.05, 100, "Time in which gusts and eddies change.",
                               Effect::live, Scale::logarithmic}),
    number<&AirField::length>({"length", "Length", "m", 0.05, 1000,
                               "Size of the largest eddies; the smallest are a quarter of it.", Effect::live,
                               Scale::logarithmic}),
    integer<&AirField::seed>({"seed", "Seed", "", 0, 1000000, "Seed of the random gusts and eddies."}),
};

constexpr std::array force_field_table{
    choice<&ForceField::type>(
        "type", "Type", force_field_names,
        "uniform: everywhere the same; point: towards a place; vortex: round an axis; box: "
        "the same within a box.",
        Effect::rebuild),
    choice<&ForceField::as>("as", "As", force_unit_names,
                            "acceleration: m/s^2, the same for all matter; force: N on each particle and "
                            "body, so that light ones accelerate more."),
    number<&ForceField::strength>({"strength", "Strength", "m/s^2 or N", -1000, 1000,
                                   "Strength of the field; a negative one acts in the opposite direction."}),
    vector<&ForceField::position>(
        {"position", "Position", "m", -1000, 1000,
         "point: the point that attracts. vortex: a point of the axis. box: its centre."}),
    vector<&ForceField::direction>(
        {"direction", "Direction", "", -1, 1,
         "uniform, box: direction of the field. vortex: axis. The length has no effect."}),
    number<&ForceField::radius>({"radius", "Radius", "m", 0.01, 1000,
                                 "point, vortex: distance at which the field has faded to zero.",
                                 Effect::live, Scale::logarithmic}),
    vector<&ForceField::half_extents>(
        {"half_extents", "Half extents", "m", 0.001, 1000, "box: half of its edge lengths."}),
};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::span<const Field> wind_fields() { return wind_table; }
std::span<const Field> air_field_fields() { return air_field_table; }
std::span<const Field> force_field_fields() { return force_field_table; }

bool applies(const AirField& air, const Field& field) {
  switch (air.type) {
    case AirFieldType::uniform:
      return is_one_of(field.name, {"type", "velocity"});
    case AirFieldType::gusts:
      return is_one_of(field.name, {"type", "velocity", "period", "seed"});
    case AirFieldType::vortex:
      return is_one_of(field.name, {"type", "position", "direction", "speed", "radius"});
    case AirFieldType::fan:
      return is_one_of(field.name, {"type", "position", "direction", "speed", "radius", "cone_degrees"});
    case AirFieldType::turbulence:
      return is_one_of(field.name, {"type", "speed", "length", "period", "seed"});
  }
  return true;
}

bool applies(const ForceField& force, const Field& field) {
  if (field.name == "half_extents") return force.type == ForceFieldType::box;
  if (field.name == "radius")
    return force.type == ForceFieldType::point || force.type == ForceFieldType::vortex;
  if (field.name == "position") return force.type != ForceFieldType::uniform;
  if (field.name == "direction") return force.type != ForceFieldType::point;
  return true;
}

}  // namespace limber
