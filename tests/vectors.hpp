// The worked numeric cases of tests/vectors.json, computed with 50 digits by an independent program.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <glm/vec3.hpp>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace limber::test {

/// A number, a list or named values, as in the file. Access to a missing value throws, and so fails the test.
class Value {
 public:
  Value() = default;
  explicit Value(double number) : number_(number) {}
  explicit Value(std::vector<Value> list) : list_(std::move(list)), is_list_(true) {}
  explicit Value(std::map<std::string, Value, std::less<>> named) : named_(std::move(named)) {}

  const Value& at(std::string_view key) const;
  const Value& operator[](std::string_view key) const { return at(key); }
  /// Exact for literals; the built-in number[pointer] competes with the overload above.
  const Value& operator[](const char* key) const { return at(std::string_view(key)); }
  bool contains(std::string_view key) const { return named_.contains(key); }

  template <std::integral I>
  const Value& at(I i) const {
    return list_.at(std::size_t(i));
  }
  template <std::integral I>
  const Value& operator[](I i) const {
    return at(i);
  }
  bool is_list() const { return is_list_; }
  std::size_t size() const { return list_.size(); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

  /// The value as a number, a vector or an array of them.
  template <class T>
  T get() const {
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<T>(number());
    } else {
      T all{};
      if constexpr (requires { all.resize(0); }) all.resize(size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = at(i).template get<typename T::value_type>();
      return all;
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  operator T() const {  // NOLINT: a number of the file reads like one
    return get<T>();
  }

 private:
  double number() const;

  double number_ = 0.0;
  std::vector<Value> list_;
  std::map<std::string, Value, std::less<>> named_;
  bool is_list_ = false;
};

std::ostream& operator<<(std::ostream& out, const Value& value);

struct VectorCase {
  std::string name;
  Value inputs, expected;
  double tolerance_abs = 0.0,
         tolerance_rel = 0.0;  ///< |a - b| <= tolerance_abs + tolerance_rel |b| in double
};

/// The case called `name`; throws, and so fails the test, if there is none.
VectorCase vector_case(const std::string& name);

/// Three numbers of a case as a vector, and a list of such triples.
template <class Real>
glm::vec<3, Real> to_vec3(const Value& triple) {
  return {triple.at(0).get<Real>(), triple.at(1).get<Real>(), triple.at(2).get<Real>()};
}
template <class Real>
std::vector<glm::vec<3, Real>> to_vec3s(const Value& triples) {
  std::vector<glm::vec<3, Real>> points;
  for (const Value& triple : triples) points.push_back(to_vec3<Real>(triple));
  return points;
}

/// All numbers of a nested list, in order.
void flatten(const Value& value, std::vector<double>& numbers);
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

/// Whether `got` is `wanted`: in double within the case's tolerance, in float (`loose`) within 1e-4 of the
/// largest magnitude, because components that cancel to nearly zero carry the rounding of the large ones.
::testing::AssertionResult near(const VectorCase& c, const std::vector<double>& wanted,
                                const std::vector<double>& got, bool loose);

/// Compares a scalar, a vec3 or a std::vector of either with a number or (nested) list of a case.
template <class Real, class Got>
::testing::AssertionResult matches(const VectorCase& c, const Value& expected, const Got& got) {
  std::vector<double> wanted, numbers;
  flatten(expected, wanted);
  flatten(got, numbers);
  return near(c, wanted, numbers, std::is_same_v<Real, float>);
}

/// Compares `got` with an entry of the case's `expected` block.
template <class Real, class Got>
::testing::AssertionResult matches(const VectorCase& c, const char* key, const Got& got) {
  return matches<Real>(c, c.expected.at(key), got) << " (" << key << ")";
}

}  // namespace limber::test
