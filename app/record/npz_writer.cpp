#include "app/record/npz_writer.hpp"

#include <zlib.h>

namespace limber {
namespace {

constexpr std::uint16_t zip64_version = 45;
constexpr std::uint16_t first_of_1980 = 0x0021;  ///< a fixed date instead of the clock, so that the same run
                                                 ///< gives the same file
constexpr std::uint32_t in_extra = 0xffffffff;   ///< marks a number stored in the ZIP64 field

template <class... Numbers>
std::string packed(Numbers... numbers) {
  std::string out;
  (out.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  return out;
}

/// The .npy header, version 1.0: magic, length, a Python dictionary padded with blanks to a multiple of 64.
std::string npy_header(std::string_view type, const std::vector<std::uint64_t>& shape) {
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t n : shape) text += std::to_string(n) + ", ";
  text += "), }";
  const std::size_t before = 10;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + packed(std::uint16_t(text.size())) + text;
}

}  // namespace

void NpzWriter::put(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

Expected<void> NpzWriter::add(const std::string& name, std::string_view type,
                              const std::vector<std::uint64_t>& shape, const Source& source) {
  const std::string header = npy_header(type, shape);
  Entry entry{name + ".npy", 0, 0, written_};
  const auto count = [&](std::string_view bytes) {
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
    entry.checksum = std::uint32_t(crc32_z(entry.checksum, data, bytes.size()));
    entry.size += bytes.size();
  };
  count(header);
  if (Expected<void> done = source(count); !done) return done;
  put(packed(std::uint32_t(0x04034b50), zip64_version, std::uint16_t(0), std::uint16_t(0), std::uint16_t(0),
             first_of_1980, entry.checksum, in_extra, in_extra, std::uint16_t(entry.name.size()),
             std::uint16_t(20)) +
      entry.name + packed(std::uint16_t(1), std::uint16_t(16), entry.size, entry.size));
  put(header);
  if (Expected<void> done = source([&](std::string_view bytes) { put(bytes); }); !done) return done;
  entries_.push_back(std::move(entry));
  return {};
}

void NpzWriter::finish() {
  const std::uint64_t start = written_;
  for (const Entry& entry : entries_)
    put(packed(std::uint32_t(0x02014b50), zip64_version, zip64_version, std::uint16_t(0), std::uint16_t(0),
               std::uint16_t(0), first_of_1980, entry.checksum, in_extra, in_extra,
               std::uint16_t(entry.name.size()), std::uint16_t(28), std::uint16_t(0), std::uint16_t(0),
               std::uint16_t(0), std::uint32_t(0), in_extra) +
        entry.name + packed(std::uint16_t(1), std::uint16_t(24), entry.size, entry.size, entry.offset));
  const std::uint64_t end = written_, count = entries_.size();
  put(packed(std::uint32_t(0x06064b50), std::uint64_t(44), zip64_version, zip64_version, std::uint32_t(0),
             std::uint32_t(0), count, count, end - start, start));
  put(packed(std::uint32_t(0x07064b50), std::uint32_t(0), end, std::uint32_t(1)));
  put(packed(std::uint32_t(0x06054b50), std::uint16_t(0), std::uint16_t(0), std::uint16_t(0xffff),
             std::uint16_t(0xffff), in_extra, in_extra, std::uint16_t(0)));
}

}  // namespace limber
