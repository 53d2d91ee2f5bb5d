// Reads a JSON object through a table of its allowed keys.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/json_document.hpp"

namespace limber {

/// The error with `line` filled in, unless the error already has a more precise line.
Error at_line(Error error, int line);

/// Converts JSON to a Value; a list of three numbers becomes a vector. Fails on JSON that no field can hold.
Expected<Value> to_value(const JsonValue& json, std::string_view key);

/// Reads a list of three finite numbers that is not the value of a setting.
Expected<glm::dvec3> to_vector(const JsonValue& json, std::string_view key);

/// Calls `read` for every item of a list. Fails if `json` is no list. Errors carry the item's line.
using ReadJson = std::function<Expected<void>(const JsonValue&)>;
Expected<void> read_list(const JsonValue& json, std::string_view key, const ReadJson& read);

/// The keys that one kind of object may have, and their readers.
class KeyTable {
 public:
  /// `where` names the object in errors: "solver", "objects.flag".
  explicit KeyTable(std::string where) : where_(std::move(where)) {}

  /// Adds one key for each row; its value is written into `settings`, which must outlive read().
  KeyTable& fields(std::span<const Field> rows, void* settings);
  KeyTable& key(std::string_view name, ReadJson read);
  /// Suggests for an unknown key only keys that `offered` accepts; asked after all known keys were read.
  KeyTable& offer(std::function<bool(std::string_view)> offered);

  /// Reads every member of `json`. Fails if `json` is no object and, with the member's line, on the first
  /// unknown key or bad value.
  Expected<void> read(const JsonValue& json) const;

 private:
  struct Key {
    std::string_view name;
    ReadJson read;
    bool first = false;  ///< read before all other keys, because its value sets others (Field::changed),
                         ///< which may stand before it in the file
  };
  Error unknown(const JsonMember& member) const;

  std::string where_;
  std::vector<Key> keys_;
  std::function<bool(std::string_view)> offered_;  ///< filter of suggestions; empty: all keys
};

}  // namespace limber
