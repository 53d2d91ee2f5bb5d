#include "engine/core/settings/heat.hpp"

#include <array>

#include "engine/core/tunable.hpp"

namespace limber {
namespace {

constexpr std::array heat_table{
    boolean<&HeatSettings::enabled>("enabled", "Heat",
                                    "Objects, and bodies that are given a temperature, conduct and exchange "
                                    "heat. Fluids whose material 'melts' freeze and melt.",
                                    Effect::rebuild),
    number<&HeatSettings::speed>({"speed", "Speed", "", 0, 100000,
                                  "Multiplies all rates of heat transfer, so that ice that needs minutes "
                                  "melts in seconds. 1: as in nature.",
                                  Effect::live, Scale::logarithmic}),
    number<&HeatSettings::ambient>(
        {"ambient", "Ambient", "deg C", -273, 5000,
         "Temperature of the air. Fluids with an expansion rise where they are warmer."}),
    number<&HeatSettings::exchange>(
        {"exchange", "Exchange with air", "W/(m^2 K)", 0, 100000,
         "Heat transfer coefficient between free surfaces and the air: still air 5 to 10, wind 50. It acts "
         "in series with conduction through half a particle.",
         Effect::live, Scale::logarithmic}),
    number<&HeatSettings::contact>(
        {"contact", "Exchange in contact", "W/(m^2 K)", 0, 1e7,
         "Heat transfer coefficient of contacts, also with colliders that have a temperature. It acts in "
         "series with conduction through half a particle. Particles of fluids and grains conduct heat among "
         "each other as one medium.",
         Effect::live, Scale::logarithmic}),
};

}  // namespace

std::span<const Field> heat_fields() { return heat_table; }

}  // namespace limber
