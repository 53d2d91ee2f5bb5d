// JSON values with the lines on which they start.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct JsonMember;
using JsonArray = std::vector<struct JsonValue>;
using JsonObject = std::vector<JsonMember>;  ///< in file order, keys unique

/// A JSON value and the line it starts on.
struct JsonValue {
  using Content = std::variant<std::nullptr_t, bool, long, double, std::string, JsonArray, JsonObject>;

  Content content;
  int line;  ///< 1-based

  // Defined below, because a vector of JsonMember can be made, copied and destroyed only where JsonMember is
  // a complete type.
  JsonValue();
  JsonValue(Content content, int line);
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept;
  JsonValue& operator=(const JsonValue& other);
  JsonValue& operator=(JsonValue&& other) noexcept;
  ~JsonValue();

  const JsonArray* array() const { return std::get_if<JsonArray>(&content); }
  const JsonObject* object() const { return std::get_if<JsonObject>(&content); }
  const std::string* text() const { return std::get_if<std::string>(&content); }
  /// The member called `key`; null if there is none or the value is no object.
  const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  int line = 0;  ///< line of the key
  JsonValue value;
};

inline JsonValue::JsonValue() : content(nullptr), line(0) {}
inline JsonValue::JsonValue(Content content, int line) : content(std::move(content)), line(line) {}
inline JsonValue::JsonValue(const JsonValue& other) = default;
inline JsonValue::JsonValue(JsonValue&& other) noexcept = default;
inline JsonValue& JsonValue::operator=(const JsonValue& other) = default;
inline JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;
inline JsonValue::~JsonValue() = default;

/// Kind of a value for messages: "null", "a list", "an object", ...
std::string_view kind_of(const JsonValue& value);

/// Parses one JSON value; // and /* */ comments and a byte order mark are allowed. `name` stands for the file
/// in errors. Fails, with the line, on anything that is not JSON, a repeated key (naming both lines), a
/// number too large for a double, nesting deeper than 64, a NUL byte, and text after the value.
Expected<JsonValue> parse_json(std::string_view text, const std::string& name);

/// Like parse_json(), from a file. Fails on a missing, unreadable or empty file, on a folder, and on more
/// than 16 MiB.
Expected<JsonValue> read_json(const std::string& path);

}  // namespace limber
