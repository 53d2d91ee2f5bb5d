// Reads randomly damaged scene files, OBJ files and pairs of TetGen files. Every reader must return a value
// or an Error.
//   limber_reader_fuzz scene|obj|tets SECONDS [--seed N]     with a seed: only that input, printed first
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "engine/core/tunable.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/files/tetgen_reader.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"
#include "engine/scene/file/json_document.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "tests/robustness/last_words.hpp"
#include "tests/source_folder.hpp"

namespace limber {
namespace {

using Random = std::mt19937_64;

constexpr unsigned longest_input = 20;  // s, under a sanitizer
constexpr std::size_t largest_input = 1 << 17;

const std::vector<std::string> scene_words{"{",
                                           "}",
                                           "[",
                                           "]",
                                           ":",
                                           ",",
                                           "\"",
                                           "\\",
                                           "null",
                                           "true",
                                           "-",
                                           "1e999",
                                           "-1e999",
                                           "1e-999",
                                           "-0",
                                           "00",
                                           "1.",
                                           ".5",
                                           "0x10",
                                           "NaN",
                                           "Infinity",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "-9223372036854775809",
                                           "1e308",
                                           "4294967296",
                                           "\\u0000",
                                           "\\ud800",
                                           "\\udc00\\ud800",
                                           "\\uD83D\\uDE00",
                                           "\\x41",
                                           "\xc0\x80",
                                           "\xff",
                                           "\xed\xa0\x80",
                                           "//",
                                           "/*",
                                           "*/",
                                           "\n",
                                           "\r",
                                           "\t",
                                           "\xef\xbb\xbf",
                                           "\"objects\"",
                                           "\"mesh\"",
                                           "\"pins\"",
                                           "\"copies\": [100, 100, 100],",
                                           "\"type\": \"points\",",
                                           "\"type\": \"chain\",",
                                           "\"springs\": [[0, 1]],"};
const std::vector<std::string> obj_words{"v ",
                                         "vt ",
                                         "vn ",
                                         "f ",
                                         "l ",
                                         "p ",
                                         "o ",
                                         "g ",
                                         "s off",
                                         "usemtl",
                                         "mtllib x",
                                         "\n",
                                         "\r\n",
                                         "\\\n",
                                         "#",
                                         "/",
                                         "//",
                                         "1/1/1",
                                         "0",
                                         "-1",
                                         "-99999999999",
                                         "2147483648",
                                         "9223372036854775808",
                                         "1e39",
                                         "1e999",
                                         "-1e999",
                                         "nan",
                                         "inf",
                                         "1e-46",
                                         "0x1p3",
                                         ".",
                                         "-",
                                         "+",
                                         "e5",
                                         "f 1 2 3\n",
                                         "f -1 -2 -3\n",
                                         "f 1 1 1\n",
                                         "v 0 0 0\n",
                                         "v 1e6 0 0\n",
                                         "f 1 2 3 4 5 6 7 8 9\n",
                                         "\t",
                                         " "};

/// Between the .node and the .ele file of an input.
constexpr char file_end = '\x01';

const std::vector<std::string> tet_words{
    "\x01",      "\n",      "\r\n",     "#",           " ",          "\t",
    "0",         "1",       "-1",       "4",           "10",         "nan",
    "inf",       "1e39",    "1e999",    "1e-46",       ".",          "-",
    "+",         "0x1p3",   "1e6",      "1e7",         "2147483648", "500000",
    "4 3 0 0\n", "1 4 0\n", "1 10 1\n", "0 0 1 2 3\n", "1 1 1 1\n",  "99999999999999999999",
    "0 0 0 0\n"};

std::size_t below(Random& random, std::size_t count) {
  return count == 0 ? 0 : std::size_t(random() % count);
}

/// Applies one change: inserts a word or byte, deletes, repeats or swaps a stretch, or cuts off the end.
void damage(std::string& text, const std::vector<std::string>& words, Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = std::min(text.size() - at, below(random, random() % 8 == 0 ? 4000 : 12));
  switch (random() % 7) {
    case 0:
      text.insert(at, words[below(random, words.size())]);
      break;
    case 1:
      text.replace(at, length, words[below(random, words.size())]);
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(below(random, text.size() + 1), text.substr(at, length));
      break;
    case 4:
      if (at < text.size()) text[at] = char(random());
      break;
    case 5:
      if (at < text.size()) text[at] = char(text[at] ^ (1 << random() % 7));
      break;
    default:
      if (random() % 8 == 0) text.resize(at);
  }
}

std::string damaged(const std::vector<std::string>& samples, const std::vector<std::string>& words,
                    Random& random) {
  std::string text = samples[below(random, samples.size())];
  for (std::size_t n = 1 + below(random, 12); n > 0; --n) damage(text, words, random);
  if (random() % 64 == 0) {  // deep or long: one word very often
    const std::string& word = words[below(random, words.size())];
    for (int i = 0; i < 5000; ++i) text.insert(text.size() / 2, word);
  }
  text.resize(std::min(text.size(), largest_input));
  return text;
}

/// Whether an Error is well formed: one line of text, and a line number inside the file.
bool sound(const Error& error, const std::string& input) {
  const auto lines =
      std::count(input.begin(), input.end(), '\n') + std::count(input.begin(), input.end(), '\r');
  return !error.message.empty() && error.line >= 0 && error.line <= lines + 1;
}

bool finite(const glm::dvec3& x) { return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z); }

bool read_as_obj(const std::string& input) {
  const Expected<ObjMesh> read = parse_obj(input, "fuzz.obj");
  if (!read) return sound(read.error(), input);
  const TriMesh& mesh = read->mesh;
  const Index count = Index(mesh.positions.size());
  for (const Triangle& t : mesh.triangles)
    for (const Index v : t)
      if (v < 0 || v >= count) return false;
  for (const glm::dvec3& x : mesh.positions)
    if (!finite(x)) return false;
  return !mesh.triangles.empty() && mesh.uvs.size() == mesh.positions.size();
}

bool read_as_tets(const std::string& input) {
  const std::size_t middle = std::min(input.find(file_end), input.size());
  const std::string nodes = input.substr(0, middle),
                    elements = middle < input.size() ? input.substr(middle + 1) : std::string();
  const Expected<TetGenMesh> read = parse_tetgen(nodes, "fuzz.node", elements, "fuzz.ele");
  if (!read) return sound(read.error(), read.error().file == "fuzz.node" ? nodes : elements);
  for (const glm::dvec3& x : read->mesh.positions)
    if (!finite(x)) return false;
  return bool(check_tet_mesh(read->mesh, read->names()));
}

/// Every setting inside its range.
bool in_range(SceneDesc& scene) {
  for (const Setting& setting : list_settings(scene))
    if (!set(*setting.field, setting.settings, get(*setting.field, setting.settings))) return false;
  return true;
}

bool read_as_scene(const std::string& input, const std::string& assets) {
  if (const Expected<JsonValue> json = parse_json(input, "fuzz.json"); !json && !sound(json.error(), input))
    return false;
  Expected<SceneDesc> scene = parse_scene(input, "fuzz.json", assets);
  return scene ? in_range(*scene) : sound(scene.error(), input);
}

std::vector<std::string> files_of(const std::string& folder, const std::string& extension) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension && entry.file_size() < largest_input)
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// A mesh as the pair of files that TetGen would write.
std::string tetgen_text(const TetMesh& mesh) {
  std::ostringstream out;
  out << mesh.positions.size() << " 3 0 0\n";
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    out << v << ' ' << mesh.positions[v].x << ' ' << mesh.positions[v].y << ' ' << mesh.positions[v].z
        << '\n';
  out << file_end << mesh.tets.size() << " 4 0\n";
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    out << t;
    for (const Index v : mesh.tets[t]) out << ' ' << v;
    out << '\n';
  }
  return out.str();
}

/// A format to damage, with its samples and its reader.
struct Format {
  std::vector<std::string> samples;
  const std::vector<std::string>& words;
  std::function<bool(const std::string&)> read;  ///< whether the answer is sound
};

std::optional<Format> format_of(const std::string& name) {
  const std::string source = test::source("");
  if (name == "scene") {
    Format scenes{files_of(source + "/scenes", ".json"), scene_words,
                  [source](const std::string& input) { return read_as_scene(input, source + "/assets"); }};
    scenes.samples.push_back(R"({"objects": [{"type": "points", "points": [{"position": [0, 1, 0]}]}]})");
    return scenes;
  }
  if (name == "obj") {
    Format meshes{files_of(source + "/assets", ".obj"), obj_words, read_as_obj};
    meshes.samples.push_back(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 1\nf 1/1 2/2 3/1 4/2\nf -1 -2 -3\n");
    return meshes;
  }
  if (name != "tets") return std::nullopt;
  Format pairs{
      {"# points\n\n5 3 1 1\n1 0 0 0 9 1\n2 1 0 0 9 1\n3 0 1 0 9 1\n4 0 0 1 9 1 # last\n5 1 1 1 0 0\n\x01"
       "2 10 1\n1 1 2 3 4 5 5 5 5 5 5 -7\n2 3 2 4 5 1 1 1 1 1 1 -7\n"},
      tet_words,
      read_as_tets};
  pairs.samples.push_back(tetgen_text(make_tet_ball(1.0, 2)));
  return pairs;
}

int fuzz(const Format& format, double seconds, std::uint64_t first, bool only_one) {
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t seed = first;
  for (;; ++seed) {
    Random random(seed);
    const std::string input = damaged(format.samples, format.words, random);
    if (only_one) std::fwrite(input.data(), 1, input.size(), stdout);
    begin_input(seed, longest_input);
    if (!format.read(input)) {
      std::printf("\nan unsound answer to the input of --seed %llu\n", static_cast<unsigned long long>(seed));
      return 1;
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (only_one || passed.count() > seconds) break;
  }
  std::printf("%llu inputs\n", static_cast<unsigned long long>(seed - first + 1));
  return 0;
}

}  // namespace
}  // namespace limber

int main(int argc, char** argv) {
  const auto format = limber::format_of(argc > 1 ? argv[1] : "");
  if (argc < 3 || !format) {
    std::fprintf(stderr, "usage: %s scene|obj|tets SECONDS [--seed N]\n", argv[0]);
    return 2;
  }
  const bool only_one = argc > 4 && std::strcmp(argv[3], "--seed") == 0;
  const std::uint64_t seed = only_one ? std::strtoull(argv[4], nullptr, 10) : 1;
  limber::leave_last_words();
  return limber::fuzz(*format, std::atof(argv[2]), seed, only_one);
}
