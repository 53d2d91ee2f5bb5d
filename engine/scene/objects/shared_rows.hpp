// Rows of settings that several object types share. Each type joins those that it needs with its own rows.
#pragma once

#include <array>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

inline constexpr std::array mesh_rows{
    text<&ObjectDesc::mesh>(
        "mesh", "Mesh",
        "A Wavefront OBJ file beside the scene file, in the assets folder or the working folder; "
        "a solid's is closed, a cloth without one is a generated grid, a rod's is its lines."),
    number<&ObjectDesc::size>({"size", "Mesh size", "m", 0, 100,
                               "Longest side of the mesh after scaling, which also centres it; 0 keeps the "
                               "file's units and origin.",
                               Effect::rebuild}),
};
inline constexpr std::array pressure_rows{
    number<&ObjectDesc::pressure>(
        {"pressure", "Pressure", "", 0, 5,
         "k_p of C = V - k_p V0 (Mueller et al. 2006, equation (14)): a closed mesh is held at k_p times the "
         "volume it has at "
         "rest, as a balloon; it gets there by four of those a second. 0 holds none."})
        .about(Topic::pressure),
    number<&ObjectDesc::gas_density>(
        {"gas_density", "Gas density", "kg/m^3", -1, 20,
         "Of what fills it under pressure: in air it is lifted by (rho_air - rho_gas) V g, 0.167 being "
         "helium, "
         "0.946 air at 100 degrees C. Its inertia does not count. Below 0: as the air, no lift."})
        .about(Topic::pressure),
};
inline constexpr std::array<std::string_view, 4> start_names{"rest", "point", "plane", "random"};
inline constexpr std::array start_rows{
    choice<&ObjectDesc::start>("start", "Start", start_names,
                               "Where the vertices start: in place, all in one point, flat in a plane, or "
                               "anywhere in the mesh's box. Its shape has to come back by itself.",
                               Effect::rebuild),
};
/// Rows for copies or, with ObjectTraits::copies_are_particles, for the particles of one object.
inline constexpr std::array lattice_rows{
    vector<&ObjectDesc::copies>(
        {"copies", "Copies", "", 1, 100,
         "How many along x, y and z (whole numbers): centred in x and z, stacked upwards. A cloud has a free "
         "particle in place of each copy, grains a grain.",
         Effect::rebuild}),
    vector<&ObjectDesc::spacing>(
        {"spacing", "Spacing", "m", 0, 100, "Distance between copies along x, y and z.", Effect::rebuild}),
};
inline constexpr std::array mass_rows{
    number<&ObjectDesc::particle_mass>({"particle_mass", "Particle mass", "kg", 1e-4, 1e5,
                                        "Mass of every particle.", Effect::rebuild, Scale::logarithmic}),
};
inline constexpr std::array density_rows{
    number<&ObjectDesc::density>({"density", "Density", "kg/m^3", 0.1, 1e5,
                                  "Mass per volume of a solid, or of each grain's ball.", Effect::rebuild,
                                  Scale::logarithmic}),
};
inline constexpr std::array tumble_rows{
    number<&ObjectDesc::tumble>({"tumble", "Tumble", "deg", 0, 180,
                                 "Random turn of every copy about a random axis, from the scene's seed.",
                                 Effect::rebuild}),
};

}  // namespace limber
