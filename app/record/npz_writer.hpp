// An archive of NumPy arrays (.npz): a ZIP file, with 64-bit sizes, of uncompressed .npy files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/output_file.hpp"

namespace limber {

class NpzWriter {
 public:
  explicit NpzWriter(OutputFile& file) : file_(file) {}

  /// Calls `take` with all bytes of the array, piece by piece. It is called twice: for the checksum, then to
  /// write.
  using Source = std::function<Expected<void>(const std::function<void(std::string_view)>& take)>;

  /// Adds an array. `type`: NumPy's type code, "<f4", "<f8", "<i4", "<i8", "|S40".
  Expected<void> add(const std::string& name, std::string_view type, const std::vector<std::uint64_t>& shape,
                     const Source& source);

  /// Writes the central directory, without which the file is no valid ZIP file.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t checksum;
    std::uint64_t size, offset;
  };
  void put(std::string_view bytes);

  OutputFile& file_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace limber
