#include "tests/vectors.hpp"
#include "tests/source_folder.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace limber::test {
namespace {

Value value_of(const nlohmann::json& json) {
  if (json.is_array()) {
    std::vector<Value> list;
    for (const auto& element : json) list.push_back(value_of(element));
    return Value(std::move(list));
  }
  if (json.is_object()) {
    std::map<std::string, Value, std::less<>> named;
    for (const auto& [key, element] : json.items()) named.emplace(key, value_of(element));
    return Value(std::move(named));
  }
  // text is there for readers only
  return Value(json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

const Value& Value::at(std::string_view key) const {
  const auto found = named_.find(key);
  if (found == named_.end()) throw std::out_of_range("no value called '" + std::string(key) + "'");
  return found->second;
}

double Value::number() const {
  if (is_list_ || !named_.empty()) throw std::out_of_range("a list where a number is wanted");
  return number_;
}

std::ostream& operator<<(std::ostream& out, const Value& value) { return out << value.get<double>(); }

VectorCase vector_case(const std::string& name) {
  static const nlohmann::json file = nlohmann::json::parse(std::ifstream(test::source("tests/vectors.json")));
  for (const auto& c : file.at("cases"))
    if (c.at("name") == name)
      return {name, value_of(c.at("inputs")), value_of(c.at("expected")), c.at("tolerance_abs"),
              c.at("tolerance_rel")};
  throw std::out_of_range("tests/vectors.json has no case '" + name + "'");
}

void flatten(const Value& value, std::vector<double>& numbers) {
  if (!value.is_list()) {
    numbers.push_back(value.get<double>());
    return;
  }
  for (const Value& element : value) flatten(element, numbers);
}

::testing::AssertionResult near(const VectorCase& c, const std::vector<double>& wanted,
                                const std::vector<double>& got, bool loose) {
  if (wanted.size() != got.size())
    return ::testing::AssertionFailure()
           << c.name << ": got " << got.size() << " numbers, expected " << wanted.size();
  double largest = 0.0;
  for (double w : wanted) largest = std::max(largest, std::abs(w));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    double tolerance = c.tolerance_abs + c.tolerance_rel * std::abs(wanted[i]);
    if (loose) tolerance = std::max(tolerance, 1e-4 * largest);
    if (std::abs(got[i] - wanted[i]) <= tolerance) continue;  // a NaN fails
    return ::testing::AssertionFailure() << c.name << ": number " << i << " is " << got[i] << ", expected "
                                         << wanted[i] << " within " << tolerance;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace limber::test
