// The ways to draw fluids.
#pragma once

namespace limber {

/// Saved pictures draw the surface as a mesh, windows filter ellipsoids. automatic: as a surface in saved
/// pictures, and in a window unless OpenGL runs on the processor.
enum class FluidLook : int { automatic, surface, balls };

}  // namespace limber
