#include "app/record/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace limber {
namespace {

constexpr std::size_t at_once = std::size_t(4) << 20;  ///< bytes

}  // namespace

Expected<Spool> Spool::create(const std::string& beside, std::string_view option) {
  std::string name = beside + ".XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0)
    return Error{std::string(option) + ": cannot write beside this file, " + std::strerror(errno), beside};
  unlink(name.c_str());
  return Spool(file, beside);
}

Spool::Spool(Spool&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      beside_(std::move(other.beside_)),
      waiting_(std::move(other.waiting_)),
      size_(other.size_),
      failure_(other.failure_) {}

Spool::~Spool() {
  if (file_ >= 0) close(file_);
}

Spool::Piece Spool::add(std::string_view bytes) {
  const Piece piece{size_, bytes.size()};
  if (failure_ != 0) return piece;
  waiting_.append(bytes);
  size_ += bytes.size();
  if (waiting_.size() >= at_once) flush();
  return piece;
}

void Spool::flush() {
  std::string_view left = waiting_;
  while (!left.empty() && failure_ == 0) {
    const ssize_t written = pwrite(file_, left.data(), left.size(), off_t(size_ - left.size()));
    if (written > 0)
      left.remove_prefix(std::size_t(written));
    else if (errno != EINTR)
      failure_ = written == 0 ? ENOSPC : errno;
  }
  waiting_.clear();
}

Expected<void> Spool::read_some(const Piece& piece, std::string& buffer) const {
  buffer.resize(std::size_t(std::min<std::uint64_t>(piece.size, at_once)));
  const std::uint64_t on_disk = size_ - waiting_.size();
  if (piece.offset >= on_disk) {
    buffer = waiting_.substr(std::size_t(piece.offset - on_disk), buffer.size());
    return {};
  }
  buffer.resize(std::size_t(std::min<std::uint64_t>(buffer.size(), on_disk - piece.offset)));
  const ssize_t got = pread(file_, buffer.data(), buffer.size(), off_t(piece.offset));
  if (got <= 0) return Error{"cannot read back what was written beside this file", beside_};
  buffer.resize(std::size_t(got));
  return {};
}

Expected<void> Spool::check() const {
  if (failure_ == 0) return {};
  return Error{
      std::string("cannot write beside this file, ") + std::strerror(failure_) + ", is the disk full?",
      beside_};
}

}  // namespace limber
