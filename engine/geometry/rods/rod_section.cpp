#include "engine/geometry/rods/rod_section.hpp"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace limber {

RodSection rod_section(double radius, double flatness, double hollow) {
  const double a = flatness * radius, b = radius, pi = glm::pi<double>();
  const double thin = 1.0 - std::pow(hollow, 4.0);
  RodSection out{};
  out.area = pi * a * b * (1.0 - hollow * hollow);
  out.i1 = thin * pi * a * b * b * b / 4.0;
  out.i2 = thin * pi * a * a * a * b / 4.0;
  out.torsion = thin * pi * std::pow(a * b, 3.0) / (a * a + b * b);
  out.polar = out.i1 + out.i2;
  return out;
}

}  // namespace limber
