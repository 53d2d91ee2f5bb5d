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
                                    "Air acts on surfaces, rods and bodies; still air only brakes."),
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
    choice<&AirField::type>(
        "type", "Type", air_field_names,
        "uniform: everywhere the same; gusts: it swells at random times; vortex: round an axis; "
        "fan: a jet that widens; turbulence: eddies without sources.",
        Effect::rebuild),
    vector<&AirField::velocity>({"velocity", "Velocity", "m/s", -60, 60,
                                 "Of uniform air; of gusts the strongest, which come from its direction."}),
    vector<&AirField::position>({"position", "Position", "m", -1000, 1000,
                                 "A point of the vortex's axis, the middle of the fan's mouth."}),
    vector<&AirField::direction>(
        {"direction", "Direction", "", -1, 1,
         "Axis of the vortex (air goes round it right-handed), way of the fan's jet. Only "
         "the direction counts."}),
    number<&AirField::speed>(
        {"speed", "Speed", "m/s", -60, 60,
         "Of a vortex at its radius, of a fan at its mouth, of turbulence the root mean square."}),
    number<&AirField::radius>({"radius", "Radius", "m", 0.01, 1000,
                               "Where the vortex is fastest; of the fan's mouth.", Effect::live,
                               Scale::logarithmic}),
    number<&AirField::cone_degrees>({"cone_degrees", "Cone", "deg", 0, 80,
                                     "Half the angle by which the fan's jet widens; its momentum stays."}),
    number<&AirField::period>({"period", "Period", "s", 0.05, 100, "Time in which gusts and eddies change.",
                               Effect::live, Scale::logarithmic}),
    number<&AirField::length>({"length", "Length", "m", 0.05, 1000,
                               "Size of the largest eddies; the smallest are a quarter of it.", Effect::live,
                               Scale::logarithmic}),
    integer<&AirField::seed>({"seed", "Seed", "", 0, 1000000, "Another seed, other gusts and eddies."}),
};

constexpr std::array force_field_table{
    choice<&ForceField::type>(
        "type", "Type", force_field_names,
        "uniform: everywhere the same; point: towards a place; vortex: round an axis; box: "
        "the same within a box.",
        Effect::rebuild),
    choice<&ForceField::as>(
        "as", "As", force_unit_names,
        "acceleration: m/s^2, all matter alike; force: N on each particle and body, so that "
        "light ones yield more."),
    number<&ForceField::strength>({"strength", "Strength", "m/s^2 or N", -1000, 1000,
                                   "How strong it is; below 0 it acts the other way."}),
    vector<&ForceField::position>({"position", "Position", "m", -1000, 1000,
                                   "The point drawn to, a point of the axis, the middle of the box."}),
    vector<&ForceField::direction>({"direction", "Direction", "", -1, 1,
                                    "Way of uniform and box, axis of a vortex. Only the direction counts."}),
    number<&ForceField::radius>({"radius", "Radius", "m", 0.01, 1000,
                                 "Of point and vortex: it fades to nothing there.", Effect::live,
                                 Scale::logarithmic}),
    vector<&ForceField::half_extents>({"half_extents", "Half extents", "m", 0.001, 1000, "Of the box."}),
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
