// Temporary data on disk, from which a file is assembled at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// An unnamed file beside the one to be written. It vanishes with the process, however that ends.
class Spool {
 public:
  struct Piece {
    std::uint64_t offset = 0, size = 0;  ///< bytes
  };

  static Expected<Spool> create(const std::string& beside, std::string_view option);
  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&&) = delete;
  ~Spool();

  /// Appends bytes. The first failure is remembered, and later calls do nothing.
  Piece add(std::string_view bytes);
  template <class T>
  Piece add_values(const std::vector<T>& values) {
    return add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }

  /// Calls `take` with the bytes of a piece, in parts of a few MiB.
  template <class Take>
  Expected<void> read(Piece piece, Take take) const {
    std::string buffer;
    while (piece.size > 0) {
      if (Expected<void> done = read_some(piece, buffer); !done) return done;
      take(std::string_view(buffer));
      piece.offset += buffer.size(), piece.size -= buffer.size();
    }
    return {};
  }

  Expected<void> check() const;  ///< fails if anything could not be written

 private:
  Spool(int file, std::string beside) : file_(file), beside_(std::move(beside)) {}
  Expected<void> read_some(const Piece& piece, std::string& buffer) const;
  void flush();

  int file_ = -1;
  std::string beside_, waiting_;  ///< bytes not yet on the disk
  std::uint64_t size_ = 0;
  int failure_ = 0;  ///< errno
};

}  // namespace limber
