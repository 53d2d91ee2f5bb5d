// Helpers of the validation cases: scenes made in code, run in double.
#pragma once

#include <glm/vec3.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

struct SpringDesc;  // engine/scene/objects/points.hpp

inline constexpr double g = 9.81;            // m/s^2
inline constexpr double frame = 1.0 / 60.0;  // s

/// A scene without gravity, damping or colliders, with one object of explicit points. Constraints are solved
/// in the given order. `masses` has one entry per position; 0 fixes the point.
SceneDesc points_scene(const std::vector<glm::dvec3>& positions, const std::vector<double>& masses,
                       std::vector<SpringDesc> springs);

/// A scene with Newton's method and damping, which comes to rest in equilibrium for any stiffness.
SceneDesc still_scene(double gravity);

/// The folder of the shipped meshes. Throws like start() if there is none.
std::string shipped_meshes();

/// The scene's only object.
ObjectDesc& object_of(SceneDesc& scene);

/// Starts `scene` in double on one thread. The cases are code, so a scene that does not build is a
/// programming error: throws std::logic_error with the engine's message.
std::unique_ptr<Simulation> start(SceneDesc scene);

std::vector<glm::dvec3> positions_of(const Simulation& simulation);
std::vector<glm::dvec3> velocities_of(const Simulation& simulation);
void run_frames(Simulation& simulation, int frames);

/// Sets a live value between two frames. Throws like start().
void set_value(Simulation& simulation, const std::string& path, Value value);

}  // namespace limber
