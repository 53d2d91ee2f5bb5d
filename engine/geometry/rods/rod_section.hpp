// The section of a rod: an ellipse, round or hollow.
#pragma once

namespace limber {

/// Axis 2 is the height, axis 1 the width; both semi-axes are given for the outside.
struct RodSection {
  double area;     ///< A, m^2
  double i1, i2;   ///< m^4, second moments about axes 1 and 2, for bending about them
  double torsion;  ///< J, m^4, Saint-Venant's; polar moment only where it is round
  double polar;    ///< m^4, i1 + i2: for turns about the axis
};

/// `radius`: half the height, m; `flatness`: width / height; `hollow`: inner size / outer size, 0: full.
/// Hollow ellipses have similar inner ones, for which J is exact (pi a^3 b^3/(a^2 + b^2), less the inner).
RodSection rod_section(double radius, double flatness, double hollow);

}  // namespace limber
