#include "engine/scene/file/key_table.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include "engine/core/tunable.hpp"

namespace limber {
namespace {

Error misfit(std::string_view key, const std::string& demand, const JsonValue& json) {
  return {"'" + std::string(key) + "' must be " + demand + ", not " + std::string(kind_of(json)), "",
          json.line, ""};
}

bool as_number(const JsonValue& json, double& out) {
  if (const long* whole = std::get_if<long>(&json.content)) {
    out = static_cast<double>(*whole);
    return true;
  }
  const double* real = std::get_if<double>(&json.content);
  if (real) out = *real;
  return real != nullptr;
}

}  // namespace

Error at_line(Error error, int line) {
  if (error.line == 0) error.line = line;
  return error;
}

Expected<glm::dvec3> to_vector(const JsonValue& json, std::string_view key) {
  const JsonArray* items = json.array();
  glm::dvec3 v{0.0};
  bool ok = items && items->size() == 3;
  for (int axis = 0; ok && axis < 3; ++axis)
    ok = as_number((*items)[static_cast<std::size_t>(axis)], v[axis]);
  if (ok) return v;
  if (!items) return misfit(key, "a list of three numbers", json);
  return Error{"'" + std::string(key) + "' must be a list of three numbers", "", json.line,
               "as in [0, 1.5, 0]"};
}

Expected<Value> to_value(const JsonValue& json, std::string_view key) {
  if (const bool* boolean = std::get_if<bool>(&json.content)) return Value(*boolean);
  if (const long* whole = std::get_if<long>(&json.content)) return Value(*whole);
  if (const double* real = std::get_if<double>(&json.content)) return Value(*real);
  if (const std::string* text = json.text()) return Value(*text);
  if (!json.array())
    return Error{"'" + std::string(key) + "' cannot be " + std::string(kind_of(json)), "", json.line, ""};
  const Expected<glm::dvec3> v = to_vector(json, key);
  if (!v) return v.error();
  return Value(*v);
}

Expected<void> read_list(const JsonValue& json, std::string_view key, const ReadJson& read) {
  const JsonArray* items = json.array();
  if (!items) return misfit(key, "a list", json);
  for (const JsonValue& item : *items)
    if (const Expected<void> done = read(item); !done) return at_line(done.error(), item.line);
  return {};
}

/// Joins a list of names to a text with commas.
std::optional<std::string> joined_names(const JsonArray& items) {
  std::string text;
  for (const JsonValue& item : items) {
    const std::string* const name = item.text();
    if (!name) return std::nullopt;
    text += (text.empty() ? "" : ", ") + *name;
  }
  return text;
}

KeyTable& KeyTable::fields(std::span<const Field> rows, void* settings) {
  for (const Field& row : rows) {
    key(row.name, [&row, settings](const JsonValue& json) -> Expected<void> {
      // The field holds no vector, so the message must not be about the length of the list.
      if (json.array() && row.lists_names)
        if (const std::optional<std::string> names = joined_names(*json.array()))
          return set(row, settings, names->empty() ? Value(std::string("none")) : Value(*names));
      if (json.array() && row.kind != Field::Kind::vector)
        return Error{"'" + std::string(row.name) + "' cannot be a list", "", json.line, ""};
      const Expected<Value> value = to_value(json, row.name);
      return value ? set(row, settings, *value) : Expected<void>(value.error());
    });
    keys_.back().first = row.changed != nullptr;
  }
  return *this;
}

KeyTable& KeyTable::key(std::string_view name, ReadJson read) {
  keys_.push_back({name, std::move(read)});
  return *this;
}

KeyTable& KeyTable::offer(std::function<bool(std::string_view)> offered) {
  offered_ = std::move(offered);
  return *this;
}

Error KeyTable::unknown(const JsonMember& member) const {
  std::vector<std::string_view> names;
  for (const Key& k : keys_)
    if (!offered_ || offered_(k.name)) names.push_back(k.name);
  return {"unknown key '" + member.key + "' in " + where_, "", member.line, suggest(member.key, names)};
}

Expected<void> KeyTable::read(const JsonValue& json) const {
  const JsonObject* members = json.object();
  if (!members) return misfit(where_, "an object { ... }", json);
  for (const bool first : {true, false})
    for (const JsonMember& member : *members) {
      const auto known =
          std::find_if(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == member.key; });
      if (known == keys_.end()) return unknown(member);
      if (known->first != first) continue;
      if (const Expected<void> done = known->read(member.value); !done)
        return at_line(done.error(), member.value.line);
    }
  return {};
}

}  // namespace limber
