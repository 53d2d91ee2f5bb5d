// Errors as values: a bad file or option is an Expected with file, line and a suggestion, never an exit().
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace limber {

/// An error: message, place, and a remedy for the user.
struct Error {
  std::string message;  ///< one sentence, no trailing newline
  std::string file;     ///< file or option the message is about; empty if none
  int line = 0;         ///< 1-based; 0 if unknown
  std::string hint;     ///< nearest valid name or next action; empty if none

  /// "file:line: message (hint)", the one form in which errors reach a person.
  std::string text() const {
    std::string out;
    if (!file.empty()) out += file + (line > 0 ? ":" + std::to_string(line) : std::string()) + ": ";
    out += message;
    if (!hint.empty()) out += " (" + hint + ")";
    return out;
  }
};

/// A value or an Error. `if (!result) return result.error();`
template <class T>
class Expected {
 public:
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& value() {
    assert(*this);
    return std::get<0>(content_);
  }
  const T& value() const {
    assert(*this);
    return std::get<0>(content_);
  }
  const Error& error() const {
    assert(!*this);
    return std::get<1>(content_);
  }

 private:
  std::variant<T, Error> content_;
};

/// Success or an Error, for operations that return nothing.
template <>
class Expected<void> {
 public:
  Expected() = default;
  Expected(Error error) : error_(std::move(error)), ok_(false) {}
  explicit operator bool() const { return ok_; }
  const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace limber
