#include "engine/geometry/files/mesh_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace limber {

std::string printable(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return "'" + text + "'";
}

std::optional<double> parse_number(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0.0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<long> parse_integer(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  long value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size()) return {};
  return value;
}

void append_number(std::string& out, double value) {
  char digits[32];
  const auto [end, status] = std::to_chars(std::begin(digits), std::end(digits), value);
  out.append(digits, end);
}

Expected<std::string> read_mesh_file(const std::string& path, std::size_t most_bytes,
                                     const std::string& advice) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);  // fails for folders, devices and pipes
  if (failure || !std::filesystem::is_regular_file(path, failure))
    return Error{std::filesystem::exists(path, failure) ? "not a regular file" : "no such file", path, 0,
                 advice};
  if (size > most_bytes)
    return Error{"the file is larger than " + std::to_string(most_bytes >> 20) + " MiB", path, 0,
                 "simplify the mesh"};
  std::ifstream file(path, std::ios::binary);
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  if (!file) return Error{"the file cannot be read", path, 0, "check its permissions"};
  return text;
}

Expected<void> write_mesh_file(const std::string& text, const std::string& path) {
  const std::string unfinished = path + ".part";
  std::error_code failure;
  {
    std::ofstream file(unfinished, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) failure = std::make_error_code(std::errc::io_error);
  }
  if (!failure) std::filesystem::rename(unfinished, path, failure);
  if (!failure) return {};
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  return Error{"the mesh cannot be written", path, 0, "check that the folder exists and has room"};
}

}  // namespace limber
