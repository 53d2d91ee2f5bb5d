// The ways to draw fluids.
#pragma once

namespace limber {

/// automatic: as a surface in saved pictures, and in a window unless OpenGL runs on the processor.
enum class FluidLook : int { automatic, surface, balls };

}  // namespace limber
