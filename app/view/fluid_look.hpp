// How fluids are drawn.
#pragma once

namespace limber {

/// Automatic: as a surface in pictures to keep always, and in a window unless OpenGL is done by software.
enum class FluidLook : int { automatic, surface, balls };

}  // namespace limber
