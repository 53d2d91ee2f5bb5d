// The worked numeric cases of tests/vectors.json: what an independent program computed with 50 digits.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/vec3.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace limber::test {

struct VectorCase {
  std::string name;
  nlohmann::json inputs, expected;
  double tolerance_abs = 0.0,
         tolerance_rel = 0.0;  ///< |a - b| <= tolerance_abs + tolerance_rel |b| in double
};

/// The case called `name`; throws, and so fails the test, if there is none.
inline VectorCase vector_case(const std::string& name) {
  static const nlohmann::json file =
      nlohmann::json::parse(std::ifstream(LIMBER_SOURCE_DIR "/tests/vectors.json"));
  for (const auto& c : file.at("cases")) {
    if (c.at("name") != name) continue;
    return {name, c.at("inputs"), c.at("expected"), c.at("tolerance_abs"), c.at("tolerance_rel")};
  }
  throw std::out_of_range("tests/vectors.json has no case '" + name + "'");
}

/// Three numbers of a case as a vector, and a list of such triples.
template <class Real>
glm::vec<3, Real> to_vec3(const nlohmann::json& triple) {
  return {triple.at(0).get<Real>(), triple.at(1).get<Real>(), triple.at(2).get<Real>()};
}
template <class Real>
std::vector<glm::vec<3, Real>> to_vec3s(const nlohmann::json& triples) {
  std::vector<glm::vec<3, Real>> points;
  for (const auto& triple : triples) points.push_back(to_vec3<Real>(triple));
  return points;
}

/// All numbers of a nested list, in order.
inline void flatten(const nlohmann::json& value, std::vector<double>& numbers) {
  if (!value.is_array()) {
    numbers.push_back(value.get<double>());
    return;
  }
  for (const auto& element : value) flatten(element, numbers);
}
template <class Real, class = std::enable_if_t<std::is_arithmetic_v<Real>>>
void flatten(Real value, std::vector<double>& numbers) {
  numbers.push_back(static_cast<double>(value));
}
template <class Real>
void flatten(const glm::vec<3, Real>& v, std::vector<double>& numbers) {
  for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<double>(v[k]));
}
template <class T>
void flatten(const std::vector<T>& values, std::vector<double>& numbers) {
  for (const auto& value : values) flatten(value, numbers);
}

/// Compares a scalar, a vec3 or a std::vector of either with a number or (nested) list of a case. In double
/// the case's own tolerance holds; in float it may grow to 1e-4 of the largest expected magnitude, because
/// components that cancel to nearly zero carry the rounding of the large ones.
template <class Real, class Got>
::testing::AssertionResult matches(const VectorCase& c, const nlohmann::json& expected, const Got& got) {
  std::vector<double> wanted, numbers;
  flatten(expected, wanted);
  flatten(got, numbers);
  if (wanted.size() != numbers.size()) {
    return ::testing::AssertionFailure()
           << c.name << ": got " << numbers.size() << " numbers, expected " << wanted.size();
  }
  double largest = 0.0;
  for (double w : wanted) largest = std::max(largest, std::abs(w));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    double tolerance = c.tolerance_abs + c.tolerance_rel * std::abs(wanted[i]);
    if (std::is_same_v<Real, float>) tolerance = std::max(tolerance, 1e-4 * largest);
    if (std::abs(numbers[i] - wanted[i]) <= tolerance) continue;  // a NaN fails
    return ::testing::AssertionFailure() << c.name << ": number " << i << " is " << numbers[i]
                                         << ", expected " << wanted[i] << " within " << tolerance;
  }
  return ::testing::AssertionSuccess();
}

/// The same for an entry of the case's `expected` block.
template <class Real, class Got>
::testing::AssertionResult matches(const VectorCase& c, const char* key, const Got& got) {
  return matches<Real>(c, c.expected.at(key), got) << " (" << key << ")";
}

}  // namespace limber::test
