// Reading a JSON object through a table of the keys it may have.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/json_document.hpp"

namespace limber {

/// The error with its line filled in, unless it already has a more precise one.
Error at_line(Error error, int line);

/// The JSON as a Value; a list of three numbers is a vector. Fails on what no field can hold.
Expected<Value> to_value(const JsonValue& json, std::string_view key);

/// Three numbers that are no setting, each finite.
Expected<glm::dvec3> to_vector(const JsonValue& json, std::string_view key);

/// Calls `read` for every item; fails if `json` is no list. Errors carry the item's line.
using ReadJson = std::function<Expected<void>(const JsonValue&)>;
Expected<void> read_list(const JsonValue& json, std::string_view key, const ReadJson& read);

/// The keys one kind of object may have and what each does.
class KeyTable {
 public:
  /// `where` names the object in errors: "solver", "objects.flag".
  explicit KeyTable(std::string where) : where_(std::move(where)) {}

  /// One key per row, written into `settings`, which must outlive read().
  KeyTable& fields(std::span<const Field> rows, void* settings);
  KeyTable& key(std::string_view name, ReadJson read);
  /// Keys that an unknown one may have been meant as: the keys that `offered` accepts once others were read.
  KeyTable& offer(std::function<bool(std::string_view)> offered);

  /// Reads every member. Fails, with its line, on the first unknown key or bad value, and on no object.
  Expected<void> read(const JsonValue& json) const;

 private:
  struct Key {
    std::string_view name;
    ReadJson read;
    bool first = false;  ///< it sets others as well (Field::changed), which may stand before it
  };
  Error unknown(const JsonMember& member) const;

  std::string where_;
  std::vector<Key> keys_;
  std::function<bool(std::string_view)> offered_;  ///< empty: all
};

}  // namespace limber
