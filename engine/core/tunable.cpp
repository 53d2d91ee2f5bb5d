#include "engine/core/tunable.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace limber {
namespace {

/// Reads or writes a member by its bytes: the member of a choice is an enum, which an int lvalue may not
/// alias.
template <class T>
T load(const void* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}
template <class T>
void store(void* address, T value) {
  std::memcpy(address, &value, sizeof value);
}

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

/// Describes the values that a field of this kind accepts.
std::string demand(const Field& field) {
  switch (field.kind) {
    case Field::Kind::boolean:
      return "true or false";
    case Field::Kind::integer:
      return field.automatic ? "a whole number or 'auto'" : "a whole number";
    case Field::Kind::number:
      return "a number";
    case Field::Kind::vector:
      return "three numbers";
    case Field::Kind::choice:
      return "one of its names";
    case Field::Kind::text:
      return "a text";
  }
  return "";
}

std::string range_text(const Field& field) {
  const std::string unit = field.unit.empty() ? "" : " " + std::string(field.unit);
  return to_text(field.min) + " to " + to_text(field.max) + unit;
}

std::string hint_for(const Field& field) {
  switch (field.kind) {
    case Field::Kind::boolean:
    case Field::Kind::text:
      return "";
    case Field::Kind::choice:
      return suggest("", field.options);
    default:
      return range_text(field);
  }
}

Error wrong_type(const Field& field, std::string_view what) {
  return {quoted(field.name) + " must be " + demand(field) + ", not " + std::string(what), "", 0,
          hint_for(field)};
}

Error out_of_range(const Field& field, std::string_view value) {
  return {quoted(field.name) + " = " + std::string(value) + " is out of range", "", 0, range_text(field)};
}

/// Fails unless every component lies in [min, max]; written so that NaN fails too.
Expected<void> check_range(const Field& field, std::initializer_list<double> components, const Value& value) {
  for (const double c : components) {
    if (!std::isfinite(c)) return Error{quoted(field.name) + " must be finite", "", 0, range_text(field)};
    if (!(c >= field.min && c <= field.max)) return out_of_range(field, to_text(value));
  }
  return {};
}

std::string describe(const Value& value) {
  if (std::holds_alternative<bool>(value)) return to_text(value);
  if (std::holds_alternative<std::string>(value)) return "the text " + quoted(std::get<std::string>(value));
  if (std::holds_alternative<glm::dvec3>(value)) return "three numbers";
  return "the number " + to_text(value);
}

Expected<void> set_number(const Field& field, void* member, const Value& value) {
  double number = 0.0;
  if (const long* whole = std::get_if<long>(&value))
    number = static_cast<double>(*whole);
  else if (const double* real = std::get_if<double>(&value))
    number = *real;
  else
    return wrong_type(field, describe(value));
  const Expected<void> in_range = check_range(field, {number}, value);
  if (in_range) store(member, number);
  return in_range;
}

/// Takes a whole number in either spelling: "integer" in a JSON Schema includes 10.0.
Expected<void> set_integer(const Field& field, void* member, const Value& value) {
  double number = 0.5;
  if (const long* whole = std::get_if<long>(&value))
    number = static_cast<double>(*whole);
  else if (const double* real = std::get_if<double>(&value))
    number = *real;
  if (std::isfinite(number) && number != std::floor(number)) return wrong_type(field, describe(value));
  const Expected<void> in_range = check_range(field, {number}, value);
  if (in_range) store(member, static_cast<int>(number));
  return in_range;
}

Expected<void> set_vector(const Field& field, void* member, const Value& value) {
  const glm::dvec3* v = std::get_if<glm::dvec3>(&value);
  if (!v) return wrong_type(field, describe(value));
  const Expected<void> in_range = check_range(field, {v->x, v->y, v->z}, value);
  if (in_range) store(member, *v);
  return in_range;
}

Expected<void> set_choice(const Field& field, void* member, const Value& value) {
  const std::string* name = std::get_if<std::string>(&value);
  if (!name) return wrong_type(field, describe(value));
  const auto found = std::find(field.options.begin(), field.options.end(), *name);
  if (found == field.options.end())
    return Error{quoted(field.name) + " cannot be " + quoted(*name), "", 0, suggest(*name, field.options)};
  store(member, static_cast<int>(found - field.options.begin()));
  return {};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Reads the whole of `text` as a T. Errors: invalid_argument if `text` is no T, result_out_of_range if it is
/// too large. Unlike strtod it does not depend on the locale.
template <class T>
std::errc read_all(std::string_view text, T& out) {
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

std::errc read_vector(std::string_view text, glm::dvec3& out) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (axis == 2)) return std::errc::invalid_argument;
    if (const std::errc error = read_all(text.substr(0, comma), out[axis]); error != std::errc())
      return error;
    if (axis < 2) text.remove_prefix(comma + 1);
  }
  return {};
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string
/// alignment). Case does not count. O(|a| |b|) time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

bool parts_names(char c) { return c == '.' || c == '/' || c == '_' || c == '-'; }

/// Removes the parts (between dots, slashes, ...) that both texts begin or end with: "cat.obj" and "bag.obj"
/// become "cat" and "bag", because a common ending says nothing about similarity.
void drop_common_parts(std::string_view& a, std::string_view& b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t front = 0, back = 0;
  for (std::size_t i = 0; i < shorter && lower(a[i]) == lower(b[i]); ++i)
    if (parts_names(a[i])) front = i + 1;
  a.remove_prefix(front), b.remove_prefix(front);
  for (std::size_t i = 1; i <= shorter - front && lower(a[a.size() - i]) == lower(b[b.size() - i]); ++i)
    if (parts_names(a[a.size() - i])) back = i;
  a.remove_suffix(back), b.remove_suffix(back);
}

/// Edit distance from a word to `name` if the word can be a misspelling of it: at most a third of the letters
/// that can differ are wrong, and at least one is right.
std::optional<std::size_t> slips(std::string_view word, std::string_view name) {
  if (word.empty()) return std::nullopt;
  drop_common_parts(word, name);
  const std::size_t shorter = std::min(word.size(), name.size()), longer = std::max(word.size(), name.size());
  const std::size_t limit = std::max<std::size_t>(1, longer / 3);
  // the distance is at least the difference in length, so long words need no comparison at all
  if (longer - shorter > limit) return std::nullopt;
  const std::size_t distance = edit_distance(word, name);
  const bool near = distance <= limit && (distance < longer || longer == 0);
  return near ? std::optional(distance) : std::nullopt;
}

/// A short list is returned as it is. Of a long list, names that contain `word` come first, then the nearest.
std::vector<std::string_view> nearest_first(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t at_a_glance = 8,
                        compared = 64;  // letters of the word: a file's text may be any length
  std::vector<std::string_view> out(names.begin(), names.end());
  word = word.substr(0, compared);
  if (word.empty() || names.size() <= at_a_glance) return out;
  const auto distance = [&](std::string_view name) {
    return name.find(word) != name.npos ? std::size_t{0} : edit_distance(word, name.substr(0, compared));
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](std::string_view a, std::string_view b) { return distance(a) < distance(b); });
  return out;
}

}  // namespace

Value get(const Field& field, const void* settings) {
  // The row's accessor is shared with set(); reading through it changes nothing.
  const void* member = field.member(const_cast<void*>(settings));
  switch (field.kind) {
    case Field::Kind::boolean:
      return load<bool>(member);
    case Field::Kind::integer:
      return static_cast<long>(load<int>(member));
    case Field::Kind::number:
      return load<double>(member);
    case Field::Kind::vector:
      return load<glm::dvec3>(member);
    case Field::Kind::choice:
      return std::string(field.options[static_cast<std::size_t>(load<int>(member))]);
    case Field::Kind::text:
      return *static_cast<const std::string*>(member);
  }
  return false;
}

namespace {

Expected<void> write(const Field& field, void* member, const Value& value) {
  switch (field.kind) {
    case Field::Kind::boolean:
      if (!std::holds_alternative<bool>(value)) return wrong_type(field, describe(value));
      store(member, std::get<bool>(value));
      return {};
    case Field::Kind::integer:
      return set_integer(field, member, value);
    case Field::Kind::number:
      return set_number(field, member, value);
    case Field::Kind::vector:
      return set_vector(field, member, value);
    case Field::Kind::choice:
      return set_choice(field, member, value);
    case Field::Kind::text:
      if (!std::holds_alternative<std::string>(value)) return wrong_type(field, describe(value));
      *static_cast<std::string*>(member) = std::get<std::string>(value);
      return {};
  }
  return {};
}

}  // namespace

bool is_automatic(const Field& field, const void* settings) {
  return field.automatic && load<bool>(field.automatic(const_cast<void*>(settings)));
}

Value said(const Field& field, const void* settings) {
  return is_automatic(field, settings) ? Value(std::string(automatic_word)) : get(field, settings);
}

Expected<void> set(const Field& field, void* settings, const Value& value) {
  if (field.automatic) {
    const std::string* word = std::get_if<std::string>(&value);
    const bool chosen = word && *word == automatic_word;
    const Expected<void> done = chosen ? Expected<void>() : write(field, field.member(settings), value);
    if (done) store(field.automatic(settings), chosen);
    if (done && field.changed) field.changed(settings);
    return done;
  }
  const Expected<void> done = write(field, field.member(settings), value);
  if (done && field.changed) field.changed(settings);
  return done;
}

Expected<Value> parse(const Field& field, std::string_view text) {
  const std::string_view word = trimmed(text);
  std::errc error = std::errc::invalid_argument;
  double real = 0.0;
  glm::dvec3 v{0.0};
  if (field.automatic && word == automatic_word) return Value(std::string(word));
  switch (field.kind) {
    case Field::Kind::boolean:
      if (word == "true" || word == "false") return Value(word == "true");
      break;
    case Field::Kind::integer:
      if (long whole = 0; read_all(word, whole) == std::errc()) return Value(whole);
      error = read_all(word, real);  // 1e3
      if (error == std::errc() && real == std::floor(real)) return Value(real);
      break;
    case Field::Kind::number:
      error = read_all(word, real);
      if (error == std::errc()) return Value(real);
      break;
    case Field::Kind::vector:
      error = read_vector(word, v);
      if (error == std::errc()) return Value(v);
      break;
    case Field::Kind::choice:
      return Value(std::string(word));
    case Field::Kind::text:
      return Value(std::string(text));
  }
  return error == std::errc::result_out_of_range ? out_of_range(field, word)
                                                 : wrong_type(field, quoted(word));
}

std::string to_text(const Value& value) {
  struct Writer {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(long whole) const { return std::to_string(whole); }
    std::string operator()(double real) const {
      // The shortest text that reads back as the same double, without an exponent where people write none.
      const double size = std::abs(real);
      const bool plain = size == 0.0 || (size >= 1e-4 && size < 1e9);
      char digits[40];
      char* end = digits + sizeof digits;
      const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
      return {digits, std::to_chars(digits, end, real, format).ptr};
    }
    std::string operator()(const glm::dvec3& v) const {
      return (*this)(v.x) + "," + (*this)(v.y) + "," + (*this)(v.z);
    }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Writer{}, value);
}

std::string nearest_name(std::string_view word, std::span<const std::string_view> names) {
  std::string_view nearest;
  std::size_t smallest = 0;
  for (const std::string_view name : names) {
    const std::optional<std::size_t> distance = slips(word, name);
    if (!distance || (!nearest.empty() && *distance >= smallest)) continue;
    nearest = name;
    smallest = *distance;
  }
  return std::string(nearest);
}

std::string suggest(std::string_view word, std::span<const std::string_view> names) {
  const std::string near = nearest_name(word, names);
  if (!near.empty()) return "did you mean " + quoted(near) + "?";
  if (names.empty()) return "there are none";
  std::string out = "valid names: ";
  const std::vector<std::string_view> ordered = nearest_first(word, names);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    constexpr std::size_t longest = 160;  // bytes, about two lines of a terminal
    if (i > 0 && out.size() + ordered[i].size() > longest)
      return out + " and " + std::to_string(ordered.size() - i) + " more";
    out += (i > 0 ? ", " : "") + std::string(ordered[i]);
  }
  return out;
}

}  // namespace limber
