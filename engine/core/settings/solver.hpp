// The settings under `solver` in a scene file. Each part has its own header, so that a change of one part
// recompiles only the sources that read it.
#pragma once

#include <span>
#include <tuple>

#include "engine/core/boxed.hpp"

namespace limber {

struct Field;
// Sources include the header of each part that they read.
struct MethodSettings;
struct StepSettings;
struct MotionSettings;
struct ContactSettings;
struct SleepSettings;
struct FluidSettings;

struct SolverSettings {
  SolverSettings();
  SolverSettings(const SolverSettings&);
  SolverSettings(SolverSettings&&) noexcept;
  SolverSettings& operator=(const SolverSettings&);
  SolverSettings& operator=(SolverSettings&&) noexcept;
  ~SolverSettings();

  Boxed<MethodSettings> method;
  Boxed<StepSettings> step;
  Boxed<MotionSettings> motion;
  Boxed<ContactSettings> contact;
  Boxed<SleepSettings> sleep;
  Boxed<FluidSettings> fluid;

  static constexpr auto all_members =
      std::tuple(&SolverSettings::method, &SolverSettings::step, &SolverSettings::motion,
                 &SolverSettings::contact, &SolverSettings::sleep, &SolverSettings::fluid);
};
/// The rows of all parts, in the order of the inspector.
std::span<const Field> solver_fields();

}  // namespace limber
