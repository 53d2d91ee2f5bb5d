// The cross-section of a rod: an ellipse, which may be hollow.
#pragma once

namespace limber {

/// Properties of a cross-section with the width along axis 1 and the height along axis 2.
struct RodSection {
  double area;     ///< A, m^2
  double i1, i2;   ///< m^4, second moments about axes 1 and 2, for bending about them
  double torsion;  ///< J, m^4: Saint-Venant's torsion constant; equals `polar` only if the section is round
  double polar;    ///< m^4, i1 + i2: for rotation about the rod
};

/// `radius`: half the height, m; `flatness`: width / height; `hollow`: inner size / outer size, 0: full. The
/// hole is an ellipse of the same shape, for which J = (1 - hollow^4) pi a^3 b^3 / (a^2 + b^2) is exact, with
/// the half axes a = flatness * radius and b = radius.
RodSection rod_section(double radius, double flatness, double hollow);

}  // namespace limber
