#include "engine/geometry/field/field_cache.hpp"

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <system_error>
#include <type_traits>

namespace limber {
namespace {

namespace fs = std::filesystem;
using FieldPointer = std::shared_ptr<const SignedDistanceField>;

/// FNV-1a, byte by byte.
class Hash {
 public:
  template <class T>
  void add(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const unsigned char*>(values);
    for (std::size_t b = 0; b < count * sizeof(T); ++b) value_ = (value_ ^ bytes[b]) * 1099511628211ull;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ull;
};

/// Header of a cached file; every number in it is checked before use.
struct Header {
  char magic[16] = "limber field 1\n";  ///< gets a new number whenever the values change
  std::uint64_t key = 0;
  std::uint64_t vertices = 0, triangles = 0;
  glm::dvec3 origin{0.0};
  double cell = 0.0;
  glm::ivec3 nodes{0};
  std::int32_t resolution = 0;
  std::uint64_t checksum = 0;  ///< checksum of the values
};
static_assert(std::is_trivially_copyable_v<Header>);

std::uint64_t checksum(const std::vector<float>& values) {
  Hash hash;
  hash.add(values.data(), values.size());
  return hash.value();
}

Header make_key(const TriMesh& mesh, int resolution, double shell) {
  Hash hash;
  hash.add(mesh.positions.data(), mesh.positions.size());
  hash.add(mesh.triangles.data(), mesh.triangles.size());
  hash.add(&resolution, 1);
  if (shell > 0.0) hash.add(&shell, 1);
  Header key;
  key.key = hash.value();
  key.vertices = mesh.positions.size();
  key.triangles = mesh.triangles.size();
  key.resolution = resolution;
  return key;
}

std::string file_of(const Header& key, const std::string& folder) {
  char name[48];
  std::snprintf(name, sizeof name, "field-%016llx-%d.sdf", static_cast<unsigned long long>(key.key),
                key.resolution);
  return (fs::path(folder) / name).string();
}

bool fits(const Header& found, const Header& key) {
  return std::string_view(found.magic, sizeof found.magic) == std::string_view(key.magic, sizeof key.magic) &&
         found.key == key.key && found.vertices == key.vertices && found.triangles == key.triangles &&
         found.resolution == key.resolution && found.cell > 0.0 && std::isfinite(found.cell);
}

/// Reads a field; null unless the file is whole and belongs to `key`.
FieldPointer read_field(const Header& key, const std::string& file, double shell) {
  std::ifstream in(file, std::ios::binary);
  Header header;
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header) || !fits(header, key)) return nullptr;
  const std::int64_t most = header.resolution + 4 + 2 * field_padding + std::int64_t(shell / header.cell);
  for (int k = 0; k < 3; ++k)
    if (header.nodes[k] < 2 || header.nodes[k] > most || !std::isfinite(header.origin[k])) return nullptr;
  auto field = std::make_shared<SignedDistanceField>();
  field->origin = header.origin;
  field->cell = header.cell;
  field->nodes = header.nodes;
  field->values.resize(std::size_t(header.nodes.x) * std::size_t(header.nodes.y) *
                       std::size_t(header.nodes.z));
  const auto bytes = std::streamsize(field->values.size() * sizeof(float));
  if (!in.read(reinterpret_cast<char*>(field->values.data()), bytes)) return nullptr;
  if (in.peek() != std::ifstream::traits_type::eof() || checksum(field->values) != header.checksum)
    return nullptr;
  return field;
}

/// Writes a field under another name first, then renames it. A failure leaves no file and is no error.
void write_field(Header header, const SignedDistanceField& field, const std::string& file) {
  header.origin = field.origin;
  header.cell = field.cell;
  header.nodes = field.nodes;
  header.checksum = checksum(field.values);
  static std::atomic<int> writes{0};
  const std::string part = file + "." + std::to_string(::getpid()) + "-" + std::to_string(++writes) + ".part";
  std::error_code code;
  fs::create_directories(fs::path(file).parent_path(), code);
  std::ofstream out(part, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  out.write(reinterpret_cast<const char*>(field.values.data()),
            std::streamsize(field.values.size() * sizeof(float)));
  out.close();
  if (out) fs::rename(part, file, code);
  if (!out || code) fs::remove(part, code);
}

}  // namespace

std::string user_cache_folder() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    return fs::path(value ? value : "");
  };
  // relative paths are ignored (XDG Base Directory Specification)
  if (const fs::path cache = folder("XDG_CACHE_HOME"); cache.is_absolute())
    return (cache / "limber").string();
  if (const fs::path home = folder("HOME"); home.is_absolute()) return (home / ".cache" / "limber").string();
  return "";
}

Expected<FieldPointer> cached_distance_field(const TriMesh& mesh, int resolution, const std::string& folder,
                                             double shell, const std::function<bool(double)>& progress) {
  static std::mutex mutex;
  static std::map<std::pair<std::uint64_t, int>, std::weak_ptr<const SignedDistanceField>> alive;
  const Header key = make_key(mesh, resolution, shell);
  const std::pair name(key.key, resolution);
  // held while building too, so that two scenes with one field build it once
  const std::lock_guard lock(mutex);
  if (FieldPointer field = alive[name].lock()) return field;

  FieldPointer field = folder.empty() ? nullptr : read_field(key, file_of(key, folder), shell);
  if (!field) {
    Pool pool(default_thread_count());
    Expected<SignedDistanceField> built = build_distance_field(mesh, resolution, pool, shell, progress);
    if (!built) return built.error();
    field = std::make_shared<const SignedDistanceField>(std::move(*built));
    if (!folder.empty()) write_field(key, *field, file_of(key, folder));
  }
  alive[name] = field;
  return field;
}

}  // namespace limber
