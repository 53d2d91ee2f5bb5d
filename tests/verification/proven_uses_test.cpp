// The table of stages says what each stage uses. Here the stages prove it: small scenes run, and a stage may
// change and depend on nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/state/number_walk.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/step/order.hpp"
#include "engine/step/resources.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/memory_blocks.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace proven_uses_test { namespace {

constexpr std::size_t resource_count = std::size_t(Resource::count) + 1;  // the last: fixed
constexpr std::array<std::string_view, resource_count> names{
    "places", "speeds",   "turns", "bodies",   "walls",  "links", "surfaces", "coupling", "grains",
    "fluids", "clusters", "skins", "pressure", "warmth", "mesh",  "notes",    "fixed"};

template <class T>
constexpr bool is_row = std::is_arithmetic_v<T>;
template <int n, class T>
constexpr bool is_row<glm::vec<n, T>> = true;

/// FNV-1a over words of eight bytes, and bytes at the end.
std::uint64_t hashed(std::uint64_t value, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  for (; size >= 8; size -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    value = (value ^ word) * 1099511628211ull;
    value ^= value >> 32;
  }
  for (; size > 0; --size, ++at) value = (value ^ std::uint64_t(*at)) * 1099511628211ull;
  return value;
}

/// Differs from the hash of a World (world_hash.hpp) in that it leaves out nothing but settings and
/// colliders.
class Hash : public NumberWalk<Hash> {
 public:
  std::uint64_t value = 14695981039346656037ull;

  template <class T>
  void number(const T& number) {
    value = hashed(value, &number, sizeof number);
  }
  void length(std::size_t size) { number(size); }

  using NumberWalk::add;
  template <class T, class Allocator>
  void add(const std::vector<T, Allocator>& list) requires(is_row<T>) {
    length(list.size());
    value = hashed(value, list.data(), list.size() * sizeof(T));
  }
  template <class T>
  void add(const std::span<T>& rows) {
    value = hashed(value, rows.data(), rows.size_bytes());
  }
  template <class T>
  void add(const std::shared_ptr<const T>& shared) {
    number(shared.get());
  }
  /// A tear makes a copy, with an edition that no other has.
  void add(const std::shared_ptr<const Topology>& topology) {
    number(topology->edition != 0), add(topology->triangles), add(topology->tets), add(topology->corners);
  }
  template <class T>
  void add(const Boxed<T>& boxed) {
    add(*boxed);
  }
  void add(const SoftLaw& law) { value = hashed(value, &law, sizeof law); }
  void add(const Settings&) {}
  void add(const std::vector<Collider>&) {}
};

/// Changes every floating point number a little.
class Shift : public NumberWalk<Shift> {
 public:
  template <class T>
  void number(const T& number) {
    if constexpr (std::is_floating_point_v<T>) const_cast<T&>(number) += number * T(1.0 / 512);
  }
  void length(std::size_t) {}

  using NumberWalk::add;
  template <class T>
  void add(const std::span<T>& rows) {
    for (const T& row : rows) add(row);
  }
  template <class T>
  void add(const std::shared_ptr<const T>&) {}
  template <class T>
  void add(const Boxed<T>& boxed) {
    add(*boxed);
  }
  void add(const SoftLaw&) {}
  void add(const Settings&) {}
  void add(const std::vector<Collider>&) {}
};

using Hashes = std::array<std::uint64_t, resource_count>;

Hashes hashes_of(World& world) {
  std::array<Hash, resource_count> hashes;
  for_each_owned(world, world, [&](Resource resource, const auto& member, const auto&) {
    hashes[std::size_t(resource)].add(member);
  });
  Hashes out;
  for (std::size_t r = 0; r < resource_count; ++r) out[r] = hashes[r].value;
  return out;
}

void shift(World& world, const std::set<Resource>& resources) {
  Shift walk;
  for_each_owned(world, world, [&](Resource resource, const auto& member, const auto&) {
    if (resources.contains(resource)) walk.add(member);
  });
}

template <class T>
void put_back(std::span<T> to, std::span<T> from) {
  std::copy(from.begin(), from.end(), to.begin());
}
template <class T>
void put_back(T& to, T& from) {
  to = from;
}

void put_back(Settings&, Settings&) {}  // fixed

/// Gives the resources of `world` the values that they have in `from`.
void put_back(World& world, World& from, const std::set<Resource>& resources) {
  for_each_owned(world, from, [&](Resource resource, auto&& member, auto&& old) {
    if (resources.contains(resource)) put_back(member, old);
  });
}

/// A scene and its step, one thread, few substeps and iterations.
struct SmallScene {
  char start[64]{};  ///< no pointer leads to the block of a SmallScene on the heap
  World world;
  Pool pool{1};
  Stepper stepper{pool, reference_kernels()};

  explicit SmallScene(SceneDesc scene) {
    scene.solver.step->substeps = std::min(scene.solver.step->substeps, 2);
    scene.solver.step->iterations = std::min(scene.solver.step->iterations, 3);
    world = std::move(build_world(scene)->world);
    if (!wants_tears(world)) return;
    adopt_tear_room(world, with_tear_room(world));
    refresh_softness(world);
  }
  void step() { stepper.step(world, world.settings.solver.step->dt); }
};

/// Whether a list, separated by spaces, has the word.
bool has_word(std::string_view list, const std::string& word) {
  return (" " + std::string(list) + " ").find(" " + word + " ") != std::string::npos;
}

/// Scenes that show, between them, all uses that any scene shows.
constexpr std::string_view showing =
    "bent_spoon bent_wire butter_knife cable_machine candle capstan chocolate_bar clay_pull "
    "crumpled_foil fluid_pile goo_gun honey_spoon inflated_character integrators jelly_and_friends "
    "knots lava leaves method_race mixed_pile net parachute seaweed sewn soft_bowl toy_box "
    "water_balloon";

/// These scenes, or with --full all of them.
std::map<std::string, SceneDesc> chosen_scenes() {
  std::map<std::string, SceneDesc> out;
  for (const auto& entry : std::filesystem::directory_iterator(test::source("scenes"))) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".json") continue;
    if (!test::every_case() && !has_word(showing, name)) continue;
    if (Expected<SceneDesc> scene = read_scene(entry.path().string(), test::source("assets")))
      out.emplace(name, *scene);
  }
  return out;
}

bool is_small(const World& world) { return world.particles.rows() <= 6000 && world.bodies.count() <= 120; }

/// Uses seen in the stages of all scenes, by name of the stage, with the scenes that show them.
struct Seen {
  std::map<std::string, std::map<std::string, std::set<std::string>>> uses;
  void add(std::string_view stage, std::string_view use, const std::string& scene) {
    uses[std::string(stage)][std::string(use)].insert(scene);
  }
  std::string text() const {
    std::string out;
    for (const auto& [stage, used] : uses)
      for (const auto& [use, scenes] : used) {
        out += "\n" + stage + ": " + use + " (";
        int count = 0;
        for (const std::string& scene : scenes)
          if (++count <= 4) out += scene + " ";
        out += std::to_string(scenes.size()) + ")";
      }
    return out;
  }
};

/// Uses that these scenes do not show: they happen rarely (tears, sleep, heat, settling), or a stage reads
/// what the scratch memory beside the World holds, which is not shifted, or a small shift changes no bit of
/// what it finds (broad phases). They stay declared, and only the tests of threads can contradict them.
struct Unproven {
  std::string_view stage, resources;
};
constexpr Unproven unproven[] = {
    // clang-format off
    {"wake bodies", "places speeds bodies"}, {"wake in air", "bodies"}, {"begin heat", "places"},
    {"soften", "links warmth"}, {"find colliders", "places speeds"},
    {"search skins", "places speeds bodies walls skins"}, {"note energies", "speeds bodies notes"},
    {"wind", "turns"}, {"warmth", "places speeds warmth"}, {"damp", "places speeds turns"},
    {"predict", "grains"}, {"lend rods", "turns"}, {"carry turns", "turns bodies"},
    {"note forces", "speeds notes"}, {"aim coupling", "places speeds"}, {"aim ties", "places turns"},
    {"aim surfaces", "coupling pressure"}, {"release clusters", "clusters"}, {"fluid neighbours", "places"},
    {"aim sheets", "places fluids"}, {"cluster contacts", "places"}, {"lift, warm", "walls"},
    {"colliders, warm", "turns"}, {"shapes, warm", "walls"}, {"aim clusters", "places"},
    {"aim skins", "walls skins"}, {"note contacts", "places"}, {"constraints", "turns"}, {"rods", "notes"},
    {"tied points", "turns"}, {"lift", "walls"}, {"fluids", "walls"}, {"colliders", "turns"},
    {"pass on", "grains turns"}, {"clusters", "clusters"}, {"coupling", "clusters"}, {"shapes", "walls"},
    {"coupling again", "clusters turns"}, {"colliders again", "coupling grains turns"}, {"skins", "skins"},
    {"frozen", "walls"}, {"take rods", "turns links"}, {"volumes", "grains turns coupling"},
    {"thick fluids", "walls"}, {"carry ties", "places bodies coupling"}, {"end ties", "places bodies"},
    {"guard", "bodies walls"}, {"second order velocities", "walls"},
    {"coupling velocities", "speeds bodies coupling clusters"}, {"filter", "speeds walls"},
    {"skin velocities", "places speeds bodies skins"}, {"bounce", "speeds grains"},
    {"bounce surfaces", "speeds surfaces"}, {"fluid drag", "walls fluids"},
    {"keep spin", "walls surfaces coupling grains skins"}, {"bound energies", "places speeds bodies notes"},
    {"note rod loads", "places turns links notes"}, {"drain fluids", "speeds fluids"}, {"heat", "walls"},
    {"look for tears", "places links"}, {"look for breaks", "places clusters"},
    {"store multipliers", "turns"}, {"store rods", "walls"}, {"end coupling", "coupling bodies"},
    // clang-format on
};
bool is_unproven(const std::string& stage, const std::string& resource) {
  return std::any_of(std::begin(unproven), std::end(unproven), [&](const Unproven& row) {
    return row.stage == stage && has_word(row.resources, resource);
  });
}

/// Compares what each stage changes with what it declares as written.
class WriteWatch final : public StageWatch {
 public:
  WriteWatch(SmallScene& scene, const test::RecordedBlocks& blocks, std::string name, Seen& lies,
             Seen& writes)
      : scene_(scene), blocks_(blocks), name_(std::move(name)), lies_(lies), writes_(writes) {}

  /// Must be called before each frame.
  void begin_frame() { known_ = false; }

  void before(World& world, const StageRun&) override {
    if (known_) return;  // nothing happens between two stages
    world_ = hashes_of(world), scratch_ = scratch_hashes();
    known_ = true;
  }
  void after(World& world, const StageRun& run) override {
    const Hashes now = hashes_of(world), scratch = scratch_hashes();
    for (std::size_t r = 0; r < resource_count; ++r) {
      for (const bool in_world : {true, false}) {
        const std::string use = std::string(in_world ? "" : "scratch of ") + std::string(names[r]);
        if (in_world ? now[r] == world_[r] : scratch[r] == scratch_[r]) continue;
        const bool declared = r + 1 < resource_count && run.uses.writes().has(Resource(r));
        if (declared)
          writes_.add(run.name, names[r], name_);
        else
          lies_.add(run.name, use, name_);
      }
    }
    world_ = now, scratch_ = scratch;
  }

 private:
  void find_scratch() {
    roots_.clear();
    roots_.push_back({reinterpret_cast<std::byte*>(&scene_.world), sizeof(World)});
    roots_.push_back({reinterpret_cast<std::byte*>(&scene_.pool), sizeof(Pool)});
    resources_ = {fixed, fixed};
    Stepper::Scratch::for_each(scene_.stepper, [&](Resource resource, std::byte* begin, std::size_t size) {
      roots_.push_back({begin, size});
      resources_.push_back(resource);
    });
    owned_ = blocks_.owned_by(roots_);
    changes_ = blocks_.changes();
  }
  Hashes scratch_hashes() {
    Hashes out{};
    if (roots_.empty() || changes_ != blocks_.changes()) find_scratch();
    for (std::size_t k = 2; k < roots_.size(); ++k) {
      std::uint64_t& value = out[std::size_t(resources_[k])];
      if (resources_[k] == fixed) continue;
      value = hashed(value, roots_[k].begin, roots_[k].size);
      for (const test::MemoryBlock& block : owned_[k]) value = hashed(value, block.begin, block.size);
    }
    return out;
  }

  SmallScene& scene_;
  const test::RecordedBlocks& blocks_;
  std::string name_;
  Seen &lies_, &writes_;
  std::vector<test::MemoryBlock> roots_;
  std::vector<Resource> resources_;
  std::vector<std::vector<test::MemoryBlock>> owned_;
  Hashes world_{}, scratch_{};
  bool known_ = false;
  std::size_t changes_ = 0;
};

/// State after a stage, once in a frame.
struct Left {
  StageRun run;
  Hashes after;
};

/// Notes what each stage leaves, and may change resources for the time of one stage.
class ReadWatch final : public StageWatch {
 public:
  std::map<std::size_t, Left> left;  ///< by row
  std::size_t row = std::size_t(-1);
  std::set<Resource> shifted;

  void before(World& world, const StageRun& run) override {
    if (!takes(world, run) || run.row != row) return;
    saved_ = world;
    shift(world, shifted);
  }
  void after(World& world, const StageRun& run) override {
    if (!takes(world, run)) return;
    if (row == std::size_t(-1) || run.row == row) left[run.row] = {run, hashes_of(world)};
    if (run.row == row) put_back(world, saved_, shifted);
  }

 private:
  /// True once a frame for each stage: in the last substep, and in its first iteration.
  bool takes(const World& world, const StageRun& run) const {
    const FramePart part = stages_[run.row].part;
    if (part == FramePart::frame_begin) return true;
    if (run.substep + 1 != world.settings.solver.step->substeps) return false;
    return part != FramePart::iteration || run.iteration == 0;
  }
  std::vector<Stepper::Scratch::Stage> stages_ = Stepper::Scratch::stages();
  World saved_;
};

class Reads {
 public:
  Reads(SmallScene& scene, std::string name, Seen& lies, Seen& reads)
      : scene_(scene), name_(std::move(name)), lies_(lies), reads_(reads), start_(scene.world) {}

  /// Runs the frame once for each stage and more often, and leaves it done.
  void prove() {
    ReadWatch plain;
    end_ = run(plain);
    for (const auto& [row, left] : plain.left) {
      const StageRun& stage = left.run;
      std::set<Resource> undeclared;
      for (int r = 0; r < int(Resource::count); ++r) {
        if (Resource(r) == Resource::mesh || stage.uses.writes().has(Resource(r))) continue;
        if (!stage.uses.reads().has(Resource(r)))
          undeclared.insert(Resource(r));
        else if (depends(left, {Resource(r)}))
          reads_.add(stage.name, names[std::size_t(r)], name_);
      }
      if (!depends(left, undeclared)) continue;
      for (const Resource one : undeclared)
        if (depends(left, {one})) lies_.add(stage.name, names[std::size_t(one)], name_);
    }
    ReadWatch again;
    EXPECT_EQ(run(again), end_) << name_;
  }

 private:
  bool depends(const Left& left, const std::set<Resource>& shifted) {
    ReadWatch watch;
    watch.row = left.run.row, watch.shifted = shifted;
    const Hashes end = run(watch);
    const auto found = watch.left.find(watch.row);
    if (found == watch.left.end()) return true;
    for (int r = 0; r < int(Resource::count); ++r)
      if (!shifted.contains(Resource(r)) && found->second.after[std::size_t(r)] != left.after[std::size_t(r)])
        return true;
    return end != end_;
  }
  Hashes run(ReadWatch& watch) {
    scene_.world = start_;
    scene_.world.changed(Change::everything);
    scene_.stepper.set_watch(&watch);
    scene_.step();
    scene_.stepper.set_watch(nullptr);
    return hashes_of(scene_.world);
  }

  SmallScene& scene_;
  std::string name_;
  Seen &lies_, &reads_;
  World start_;
  Hashes end_{};
};

/// Looks at some frames of a scene.
void watch_writes(const std::string& name, const SceneDesc& desc, Seen& lies, Seen& seen) {
  const test::RecordedBlocks blocks;  // gives memory without old pointers, for the scene too
  const auto made = std::make_unique<SmallScene>(desc);
  SmallScene& scene = *made;
  if (!is_small(scene.world)) return;
  WriteWatch watch(scene, blocks, name, lies, seen);
  for (int frame = 0; frame < 40; ++frame) {
    watch.begin_frame();
    scene.stepper.set_watch(frame == 1 || frame % 19 == 0 ? &watch : nullptr);
    scene.step();
  }
}

void prove_reads(const std::string& name, const SceneDesc& desc, Seen& lies, Seen& seen) {
  SmallScene scene(desc);
  if (!is_small(scene.world)) return;
  for (int frame = 0; frame < 20; ++frame) scene.step();
  Reads(scene, name, lies, seen).prove();
}

/// Fails for each use of the table that was not seen and is not listed.
void expect_all_seen(const Seen& seen) {
  for (const Stepper::Scratch::Stage& stage : Stepper::Scratch::stages())
    for (int r = 0; r < int(Resource::count); ++r) {
      const std::string name(stage.name), resource(names[std::size_t(r)]);
      if (!stage.uses.writes().has(Resource(r)) && !stage.uses.reads().has(Resource(r))) {
        EXPECT_FALSE(is_unproven(name, resource)) << name << " does not declare " << resource;
        continue;
      }
      const auto found = seen.uses.find(name);
      const bool shown = found != seen.uses.end() && found->second.contains(resource);
      EXPECT_TRUE(shown || is_unproven(name, resource))
          << "if " << name << " no longer declares " << resource << ", no scene here notices";
    }
}

TEST(ProvenUses, StagesUseWhatTheyDeclareAndNothingElse) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "takes a quarter of an hour, and reads memory by blocks";
#endif
  Seen lies, seen;
  for (const auto& [name, desc] : chosen_scenes()) {
    watch_writes(name, desc, lies, seen);
    prove_reads(name, desc, lies, seen);
  }
  EXPECT_TRUE(lies.uses.empty()) << lies.text();
  expect_all_seen(seen);
}

}}}}  // namespace limber::LIMBER_PRECISION::proven_uses_test
