#include "engine/core/settings/wind.hpp"

#include <array>

#include "engine/core/tunable.hpp"

namespace limber {
namespace {

constexpr std::array wind_table{
    boolean<&WindSettings::enabled>("enabled", "Air", "Air acts on every triangle; still air only brakes."),
    vector<&WindSettings::velocity>(
        {"velocity", "Wind", "m/s", -60, 60, "Velocity of the air, before gusts."}),
    number<&WindSettings::gust_amplitude>({"gust_amplitude", "Gusts", "", 0, 2,
                                           "a in velocity * (1 + a sin(2 pi t / period)): the share by which "
                                           "the wind swells and drops."}),
    number<&WindSettings::gust_period>({"gust_period", "Gust period", "s", 0.05, 100,
                                        "Time from one gust to the next.", Effect::live, Scale::logarithmic}),
    number<&WindSettings::air_density>(
        {"air_density", "Air density", "kg/m^3", 0, 20, "1.225 at sea level; forces grow with it."}),
    number<&WindSettings::drag>({"drag", "Drag", "", 0, 4,
                                 "C_D: a triangle of area A at angle s = n.v/|v| is dragged by "
                                 "1/2 rho C_D A |v|^2 s along the relative wind v."}),
    number<&WindSettings::lift>(
        {"lift", "Lift", "", 0, 4,
         "C_L: lifted by 1/2 rho C_L A |v|^2 s sqrt(1-s^2) across the relative wind."}),
};

}  // namespace

std::span<const Field> wind_fields() { return wind_table; }

}  // namespace limber
