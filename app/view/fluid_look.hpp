// The ways to draw fluids.
#pragma once

namespace limber {

/// Saved pictures draw the surface as a mesh, windows filter ellipsoids. automatic: as a surface, except in a
/// window whose OpenGL runs on the processor while the surface takes too long (FluidPace).
enum class FluidLook : int { automatic, surface, balls };

}  // namespace limber
