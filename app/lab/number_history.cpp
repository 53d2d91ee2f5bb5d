#include "app/lab/number_history.hpp"

#include <algorithm>
#include <limits>

#include "engine/core/report_table.hpp"

namespace limber {
namespace {

/// Calls act(name, unit, value) for every number of the report. Unmeasured numbers are NaN.
template <class Act>
void for_each_number(const Measures& measures, Act act) {
  for (const ReportRow& row : report_table()) {
    const ReportValue value = row.read(measures, FrameCounts());
    const bool measured = row.measured(measures, FrameCounts());
    for (const auto& [name, number] : scalars_of(row, value))
      act(name, row.unit, measured ? float(number) : std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace

const NumberCurve* NumberHistory::find(const std::string& name) const {
  const auto found =
      std::find_if(curves.begin(), curves.end(), [&](const auto& c) { return c.name == name; });
  return found == curves.end() ? nullptr : &*found;
}

const std::vector<std::string>& plottable_numbers() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for_each_number(Measures(),
                    [&](const std::string& name, std::string_view, float) { out.push_back(name); });
    return out;
  }();
  return names;
}

std::shared_ptr<const NumberHistory> with_sample(const std::shared_ptr<const NumberHistory>& history,
                                                 const Measures& measures, float time, std::size_t most) {
  auto out = history ? std::make_shared<NumberHistory>(*history) : std::make_shared<NumberHistory>();
  const auto later = std::lower_bound(out->times.begin(), out->times.end(), time);
  const std::size_t kept = std::size_t(later - out->times.begin());
  const std::size_t dropped = kept + 1 > most ? kept + 1 - most : 0;
  const auto trim = [&](std::vector<float>& values, float next) {
    values.resize(kept);
    values.erase(values.begin(), values.begin() + std::ptrdiff_t(dropped));
    values.push_back(next);
  };
  trim(out->times, time);
  std::size_t at = 0;
  for_each_number(measures, [&](const std::string& name, std::string_view unit, float number) {
    if (at == out->curves.size()) out->curves.push_back({name, std::string(unit), std::vector<float>(kept)});
    trim(out->curves[at++].values, number);
  });
  return out;
}

}  // namespace limber
