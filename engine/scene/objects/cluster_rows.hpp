// Rows of the clusters of an object: solids consist of them, a cloth may be one object with them.
#pragma once

#include <array>

#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/solid.hpp"

namespace limber {

inline constexpr std::array stiffness_rows{
    number<&ObjectDesc::solid, &SolidDesc::stiffness>(
        {"stiffness", "Stiffness", "", 0, 1,
         "k of shape matching (Mueller et al. 2005): share of the way to its goal position that a particle "
         "moves per substep. 1 is rigid."}),
};
inline constexpr std::array cluster_rows{
    number<&ObjectDesc::solid, &SolidDesc::cluster_size>(
        {"cluster_size", "Cluster size", "m", 0, 100,
         "Side of overlapping boxes, each of which is a cluster that keeps its shape, so that the solid can "
         "bend. 0: one cluster for the whole solid; for a cloth none.",
         Effect::rebuild}),
};
inline constexpr std::array overlap_rows{
    number<&ObjectDesc::solid, &SolidDesc::overlap>(
        {"overlap", "Overlap", "", 0.2, 0.8,
         "Share of a cluster that also belongs to the next one. With little overlap the solid bends only "
         "between stiff pieces.",
         Effect::rebuild}),
};
inline constexpr std::array soft_rows{
    number<&ObjectDesc::solid, &SolidDesc::youngs_modulus>(
        {"youngs_modulus", "Young's modulus", "Pa", 0, 1e9,
         "Stiffness of the clusters, independent of substeps and iterations. With eight or more clusters "
         "along a bar its sag is that of tetrahedra within 20 %; parts only one or two particles thick and "
         "clusters wider than a part are stiffer. Of a cloth: of a sheet as thick as membrane_thickness. 0: "
         "'stiffness' is used, per substep."}),
};
inline constexpr std::array linear_rows{
    number<&ObjectDesc::solid, &SolidDesc::linear>(
        {"linear", "Linear mode", "", 0, 1,
         "beta of Mueller et al. 2005: the goals of a cluster are transformed by (1 - beta) R + beta F, "
         "where F is its linear deformation. A larger beta lets it stretch and shear more; with 1 nothing "
         "restores its shape."}),
};
inline constexpr std::array quadratic_rows{
    number<&ObjectDesc::solid, &SolidDesc::quadratic>(
        {"quadratic", "Quadratic mode", "", 0, 1,
         "Share of the bending and twisting within a cluster that its goals follow (Mueller et al. 2005, "
         "section 4.4): 0 keeps each cluster straight, with 1 nothing resists its bending. Needs clusters of "
         "at least ten particles that are three particles thick.",
         Effect::rebuild}),
};
inline constexpr std::array elastic_rows{
    number<&ObjectDesc::solid, &SolidDesc::poisson_ratio>(
        {"poisson_ratio", "Poisson ratio", "", 0, 0.45,
         "How much a compressed solid bulges: 0.45 nearly keeps its volume and needs more substeps."}),
    number<&ObjectDesc::solid, &SolidDesc::damping_time>(
        {"damping_time", "Damping time", "s", 0, 1,
         "A strain rate e of a cluster adds the stress of the strain e times damping_time. Rigid motion is "
         "not damped."}),
};
inline constexpr std::array yield_rows{
    number<&ObjectDesc::solid, &SolidDesc::yield>(
        {"yield", "Yield strain", "", 0, 1,
         "Strain beyond which the deformation of a cluster becomes permanent, at constant volume (Mueller et "
         "al. 2005, section 4.5). 0: never yields."}),
};
inline constexpr std::array flow_rows{
    number<&ObjectDesc::solid, &SolidDesc::creep>({"creep", "Creep rate", "1/s", 0, 1e4,
                                                   "Rate at which deformation beyond the yield strain "
                                                   "becomes permanent: 63 % of it after 1/creep seconds.",
                                                   Effect::live, Scale::linear}),
    number<&ObjectDesc::solid, &SolidDesc::hardening>(
        {"hardening", "Hardening", "", 0, 100, "Increase of the yield strain per unit of plastic strain."}),
    number<&ObjectDesc::solid, &SolidDesc::max_plastic>(
        {"max_plastic", "Most plastic strain", "", 0, 10,
         "Largest plastic strain: a bound on how far a cluster's rest shape can depart from its first one."}),
};

}  // namespace limber
