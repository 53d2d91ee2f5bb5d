// Rows of settings that several object types share. Each type joins those that it needs with its own rows.
#pragma once

#include <array>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

inline constexpr std::array mesh_rows{
    text<&ObjectDesc::mesh>(
        "mesh", "Mesh",
        "A Wavefront OBJ file beside the scene file, in the assets folder or the working folder. For a solid "
        "it must be closed; for a rod it has lines. A cloth without a mesh is a generated grid."),
    number<&ObjectDesc::size>({"size", "Mesh size", "m", 0, 100,
                               "Longest side of the mesh after scaling, which also centres it; 0 keeps the "
                               "file's units and origin.",
                               Effect::rebuild}),
};
inline constexpr std::array pressure_rows{
    number<&ObjectDesc::pressure>({"pressure", "Pressure", "", 0, 5,
                                   "k_p of C = V - k_p V0 (Mueller et al. 2006, equation (14)): a closed "
                                   "mesh is held at k_p times its rest volume, like a balloon. The goal "
                                   "volume changes by at most four rest volumes a second. 0: no pressure."})
        .about(Topic::pressure),
    number<&ObjectDesc::gas_density>(
        {"gas_density", "Gas density", "kg/m^3", -1, 20,
         "Density of the gas inside an object under pressure. In air the object is lifted by (rho_air - "
         "rho_gas) V g: 0.167 is helium, 0.946 air at 100 degrees C. The inertia of the gas is ignored. "
         "Below 0: that of the air, no lift."})
        .about(Topic::pressure),
};
inline constexpr std::array<std::string_view, 4> start_names{"rest", "point", "plane", "random"};
inline constexpr std::array start_rows{
    choice<&ObjectDesc::start>("start", "Start", start_names,
                               "Start positions of the vertices: in place, all at one point, flat in a "
                               "plane, or anywhere in the mesh's box. The shape has to come back by itself.",
                               Effect::rebuild),
};
/// Rows for copies or, with ObjectTraits::copies_are_particles, for the particles of one object.
inline constexpr std::array lattice_rows{
    vector<&ObjectDesc::copies>(
        {"copies", "Copies", "", 1, 100,
         "Number of copies along x, y and z (whole numbers): centred in x and z, stacked upwards. For a "
         "cloud the number of free particles, for grains that of grains.",
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
                                 "Random rotation of every copy about a random axis, from the scene's seed.",
                                 Effect::rebuild}),
};

}  // namespace limber
