// Plays random user input into the parts of the application behind the window. Checks that the state stays
// finite and bounded, that memory does not grow, and that the recorded input replays to the same state with
// another number of threads.
//   limber_monkey SECONDS [--from N | --seed N]     sessions from number N on, or session N only
#include <malloc.h>

#include <cctype>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <glm/geometric.hpp>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "app/commands/scene_source.hpp"
#include "app/lab/session.hpp"
#include "app/tools/mouse_cut.hpp"
#include "app/tools/mouse_drag.hpp"
#include "app/tools/mouse_throw.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/verify/heat_map.hpp"
#include "tests/robustness/last_words.hpp"

// Only there in a build with the address sanitizer, where mallinfo2() counts nothing.
extern "C" __attribute__((weak)) std::size_t __sanitizer_get_current_allocated_bytes();

namespace limber {
namespace {

using Random = std::mt19937_64;

constexpr unsigned longest_session = 300;  // s, under a sanitizer
constexpr std::chrono::seconds longest_scene{5};
constexpr int scenes_per_session = 3, most_frames_per_scene = 40;
constexpr double most_work = 2e5, most_vertices = 3e3;  // keep sessions short, test no limit
constexpr double contact_work = 5.0;                    // times that without contact, where cloth is crumpled
constexpr std::size_t most_growth = 4 << 20;            // bytes that stay behind after all sessions
constexpr glm::vec2 window_size{1280.0f, 800.0f};

std::size_t below(Random& random, std::size_t count) {
  return count == 0 ? 0 : std::size_t(random() % count);
}
double unit(Random& random) { return double(random() >> 11) * 0x1p-53; }
bool one_in(Random& random, int count) { return random() % std::uint64_t(count) == 0; }

/// A number that is anything: in the range on its scale, at its ends, outside, or none at all.
double any_number(const Field& field, Random& random) {
  static constexpr double odd[] = {1e6,
                                   -1e6,
                                   1e300,
                                   -1e300,
                                   std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN(),
                                   5e-324,
                                   -0.0};
  switch (random() % 8) {
    case 0:
      return field.min;
    case 1:
      return field.max;
    case 2:
      return odd[below(random, std::size(odd))];
    case 3:
    case 4:
      return std::max(field.min, field.max * std::pow(10.0, -8.0 * unit(random)));
    default:
      return field.min + unit(random) * (field.max - field.min);
  }
}

Value any_value(const Field& field, Random& random) {
  static constexpr const char* meshes[] = {"", "no_such_file.obj", "star.obj", "creature.obj"};
  switch (field.kind) {
    case Field::Kind::boolean:
      return one_in(random, 2);
    case Field::Kind::integer: {
      const double number = any_number(field, random);
      return std::abs(number) < 1e9 ? long(number) : std::numeric_limits<long>::max();
    }
    case Field::Kind::number:
      return any_number(field, random);
    case Field::Kind::vector: {
      if (one_in(random, 2)) return glm::dvec3(any_number(field, random));
      const double x = any_number(field, random), y = any_number(field, random);
      return glm::dvec3(x, y, any_number(field, random));
    }
    case Field::Kind::choice:
      return one_in(random, 8) ? std::string("nonsense")
                               : std::string(field.options[below(random, field.options.size())]);
    case Field::Kind::text:
      return std::string(meshes[below(random, std::size(meshes))]);
  }
  return false;
}

/// Vertices, from the description alone.
double vertices_of(const SceneDesc& scene) {
  double vertices = 0.0;
  for (const ObjectDesc& object : scene.objects) {
    const double copies = object.copies.x * object.copies.y * object.copies.z;
    const ObjectTraits& type = traits_of(object);
    const long unknown = type.particles ? 2000 : 500;
    const double one =
        type.copies_are_particles ? 1.0 : double(type.does.vertex_count(object).value_or(unknown));
    vertices += copies * one;
  }
  return vertices;
}

bool small_enough(const SceneDesc& scene) {
  for (const ColliderDesc& collider : scene.colliders)
    if (collider.shape == ColliderShape::mesh && collider.resolution > 64) return false;
  const double vertices = vertices_of(scene);
  const double contacts = scene.solver.contact->cloth_collision ? contact_work : 1.0;
  return vertices <= most_vertices &&
         contacts * vertices * scene.solver.step->substeps * (scene.solver.step->iterations + 1) <= most_work;
}

/// Whether an attachment names vertices by number: a smaller grid has other numbers.
bool names_numbers(const ObjectDesc& object) {
  const auto number = [](const VertexName& name) {
    const std::string* text = std::get_if<std::string>(&name);
    return !text || std::isdigit(static_cast<unsigned char>(text->front()));
  };
  return std::any_of(object.attachments.begin(), object.attachments.end(), [&](const AttachmentDesc& a) {
    return std::any_of(a.vertices.begin(), a.vertices.end(), number);
  });
}

/// Fewer of everything until a session with the scene takes a moment.
void shrink(SceneDesc& scene) {
  const auto stays_large = [](const ObjectDesc& o) { return !o.mesh.empty() || names_numbers(o); };
  if (std::any_of(scene.objects.begin(), scene.objects.end(), stays_large))
    scene.solver.contact->cloth_collision = false;
  for (int round = 0; round < 20 && !small_enough(scene); ++round) {
    scene.solver.step->substeps = std::max(scene.solver.step->substeps * 2 / 3, 1);
    scene.solver.step->iterations = std::max(scene.solver.step->iterations * 2 / 3, 1);
    for (ColliderDesc& collider : scene.colliders) collider.resolution = std::min(collider.resolution, 64);
    for (ObjectDesc& object : scene.objects) {
      object.copies = glm::max(glm::floor(object.copies / 2.0), 1.0);
      if (stays_large(object)) continue;
      object.cloth->columns = std::max(object.cloth->columns * 2 / 3, 2);
      object.cloth->rows = std::max(object.cloth->rows * 2 / 3, 2);
    }
  }
}

/// Plays a recording with another number of threads. Returns the fault, or "".
std::string replay(const InputRecording& made, int threads) {
  const auto recording = parse_input_recording(to_json(made), "recording.json");
  if (!recording) return recording.error().text();
  auto scene = load_recorded_scene(*recording);
  if (!scene) return scene.error().text();
  auto simulation = make_simulation(std::move(*scene), {recording->precision, Simd::automatic, threads});
  if (!simulation) return simulation.error().text();
  InputPlayer player(*recording);
  for (;;) {
    if (const auto done = player.submit_due(**simulation); !done) return done.error().text();
    if ((*simulation)->frame() == recording->frames) break;
    if ((*simulation)->step().nonfinite) return "the replay became non-finite";
  }
  return (*simulation)->state_hash() == made.state_hash ? "" : "the replay ends in another state";
}

/// Simulates one user at one window, from opening it to closing it.
class Visit {
 public:
  Visit(const SceneLibrary& library, Random& random)
      : library_(library), random_(random), live_(any_options(), observer()) {}

  /// Plays a session. Returns the first fault, or "".
  std::string play() {
    for (int i = 0; i < scenes_per_session; ++i) {
      history_.clear();
      favourites_ = random_();
      open_any();
      std::string wrong = fault_.empty() ? play_scene() : fault_;
      if (wrong.empty()) wrong = check_replay();
      if (!wrong.empty()) return shown_.status.name + ": " + wrong + history_;
    }
    return {};
  }

 private:
  RunOptions any_options() {
    static constexpr Simd all_lanes[] = {Simd::automatic, Simd::scalar, Simd::w8};
    const Precision precision = built_precisions()[one_in(random_, 2) ? built_precisions().size() - 1 : 0];
    const Simd lanes = all_lanes[below(random_, std::size(all_lanes))];
    return {precision, supported(lanes) ? lanes : Simd::scalar, any_threads()};
  }
  /// Mostly one: threads without a core of their own wait for each other.
  int any_threads() { return one_in(random_, 4) ? 2 + int(below(random_, 2)) : 1; }
  RunObserver observer() {
    return {[] {},
            [this](const Simulation& simulation, const StepReport& report) { look_at(simulation, report); },
            {}};
  }

  void open_any() {
    auto scene = library_.find(library_.scenes()[below(random_, library_.scenes().size())].name);
    if (scene) shrink(*scene);
    live_.open(std::move(scene));
    live_.publish(shown_);
    if (!shown_.status.scene) {
      fault_ = "a shipped scene does not open:";
      for (const Message& message : live_.take_messages()) fault_ += ' ' + message.text;
      return;
    }
    camera_ = Camera::looking(shown_.status.scene->camera.position, shown_.status.scene->camera.target, 0.7f);
  }

  std::string play_scene() {
    const std::size_t frames = 1 + below(random_, most_frames_per_scene);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t frame = 0; frame < frames && fault_.empty(); ++frame) {
      if (std::chrono::steady_clock::now() - start > longest_scene) break;  // what came before is what counts
      for (std::size_t n = below(random_, 4); n > 0; --n) act();
      if (one_in(random_, 3))
        live_.step_once();
      else
        live_.advance(0.05 * unit(random_));
      if (!live_.running()) live_.toggle_running();
      live_.publish(shown_);
      drag_.follow(shown_.frame.model_version);
      live_.take_messages();
    }
    return fault_;
  }

  std::string check_replay() {
    const auto recording = live_.recording();
    return recording ? replay(*recording, any_threads()) : recording.error().text();
  }

  void act() {
    switch (random_() % 14) {
      case 0:
      case 1:
        return press_or_release();
      case 2:
        return note(drag_.move({camera_, window_size}, any_pixel()), "drag");
      case 3:
        return interact(MoveGrab{any_target()}, "move");
      case 4:
        if (one_in(random_, 4))
          return interact(HoldBall{any_target(), 0.02 + 0.1 * double(random_() % 5)}, "ball");
        if (one_in(random_, 4)) return interact(ResizeBall{0.02 + 0.1 * double(random_() % 5)}, "resize");
        if (one_in(random_, 2)) return interact(GrabBody{any_body(), any_target(), any_target()}, "hold");
        return interact(GrabVertex{any_vertex(), any_target()}, "grab");
      case 5:
        return interact(SetPinned{any_vertex(), one_in(random_, 2)}, "pin");
      case 6:
        return control();
      case 7:
        return throw_or_cut();
      default:
        return change();
    }
  }

  void press_or_release() {
    const Viewpoint view{camera_, window_size};
    if (drag_.active()) return note(drag_.release(one_in(random_, 2)), "release");
    note(drag_.press(shown_, view, any_pixel(), one_in(random_, 2)), "press");
  }

  void throw_or_cut() {
    const Viewpoint view{camera_, window_size};
    switch (random_() % 3) {
      case 0:
        return interact(throw_ball(shown_, view, any_pixel()), "throw");
      case 1: {
        const glm::dvec3 from = any_target(), velocity = any_target();
        return interact(ThrowBall{from, velocity, std::pow(10.0, 6.0 * unit(random_) - 4.0)}, "any throw");
      }
      default:
        cut_.press(any_pixel());
        for (int piece = 0; piece < 3; ++piece) note(cut_.move(view, any_pixel()), "cut");
        return cut_.release();
    }
  }

  void control() {
    switch (random_() % 14) {
      case 12:
        return vary();
      case 13:
        return link();
      case 0:
      case 1:
        history_ += "\n  restart";
        return live_.restart();
      case 2:
        history_ += "\n  threads";
        return live_.set_threads(any_threads());
      case 3:
        live_.show(Overlay(below(random_, overlays.size())));
        return live_.show(HeatMap(below(random_, heat_maps.size())));
      case 4:
        return live_.set_speed(std::pow(10.0, 2.0 * unit(random_) - 1.0));
      case 5:
        return live_.toggle_running();
      case 6:
        return camera_.orbit({100.0f * float(unit(random_)), 30.0f}, window_size);
      default:
        history_ += "\n  step back";
        return live_.step_back();
    }
  }

  /// Another variant beside the first, or that one away.
  void vary() {
    history_ += variant_count() > 1 ? "\n  one variant" : "\n  two variants";
    if (variant_count() > 1) return live_.remove_variant(1);
    live_.add_variant(0);
  }
  void link() {
    SceneDesc scene = *shown_.status.scene;
    const std::vector<Setting> settings = list_settings(scene);
    live_.link(settings[(favourites_ + 7 * below(random_, 3)) % settings.size()].path, one_in(random_, 2));
  }
  std::size_t variant_count() const { return shown_.status.variant.count; }
  std::size_t any_variant() { return below(random_, variant_count()); }

  void change() {
    SceneDesc scene = *shown_.status.scene;
    const std::vector<Setting> settings = list_settings(scene);
    // Mostly a few favourites, so that the same value changes again and again.
    const std::size_t favourite = (favourites_ + 7 * below(random_, 3)) % settings.size();
    const Setting& setting = settings[one_in(random_, 2) ? favourite : below(random_, settings.size())];
    const Value value = any_value(*setting.field, random_);
    if (set(*setting.field, setting.settings, value) && !small_enough(scene)) return;
    history_ += "\n  " + setting.path + " = " + to_text(value);
    live_.edit({setting.path, value}, any_variant());
    live_.publish(shown_);
  }

  void note(const std::optional<Command>& command, const char* name) {
    if (command) interact(*command, name);
  }
  void interact(const Command& command, const char* name) {
    history_ += std::string("\n  ") + name;
    if (one_in(random_, 4)) {
      live_.publish(all_);
      const std::size_t from = any_variant();
      if (from < all_.variants.size())
        return live_.interact(command, all_.variants[from].frame.model_version, from);
    }
    live_.interact(command, shown_.frame.model_version);
  }

  glm::vec2 any_pixel() {
    const float reach = one_in(random_, 8) ? 1e6f : 1.0f;
    const float x = float(unit(random_));
    return reach * window_size * glm::vec2(x, float(unit(random_)));
  }
  Index any_vertex() {
    const std::size_t count = shown_.frame.positions.size();
    if (one_in(random_, 16)) return one_in(random_, 2) ? -1 : Index(count);
    return count == 0 ? 0 : Index(below(random_, count));
  }
  Index any_body() {
    const std::size_t solids = shown_.frame.solids.size();
    return solids == 0 ? -1 : Index(shown_.frame.solids[below(random_, solids)].body);
  }
  /// Up to a million metres away, or nowhere.
  glm::dvec3 any_target() {
    const double reach = std::pow(10.0, 8.0 * unit(random_) - 2.0);
    const double x = unit(random_) - 0.5, y = unit(random_) - 0.5;
    return reach * glm::dvec3(one_in(random_, 32) ? std::numeric_limits<double>::quiet_NaN() : x, y,
                              unit(random_) - 0.5);
  }

  /// After every frame, on the simulation itself.
  void look_at(const Simulation& simulation, const StepReport& report) {
    history_ += "\n frame " + std::to_string(simulation.frame());
    const auto say = [this](const std::string& what) {
      if (fault_.empty()) fault_ = what;
    };
    if (report.nonfinite) say("non-finite");
    if (!std::isfinite(report.contacts) || report.contacts < 0.0) say("contacts are no count");
    const std::size_t count = std::size_t(simulation.model()->vertex_count);
    positions_.resize(count);
    velocities_.resize(count);
    simulation.read(reading::Positions{std::span(positions_)});
    simulation.read(reading::Velocities{std::span(velocities_)});
    const SolverSettings& solver = simulation.scene().solver;
    const double fastest = solver.motion->max_speed * (1.0 + 1e-5);  // rounding of the rescaled float
    // Start of the widest scene, plus the way of the fastest vertex during a session's frames.
    const double farthest = 2e4 + 1e3 * 0.1 * most_frames_per_scene;
    for (std::size_t v = 0; v < count; ++v) {
      if (!(glm::length(positions_[v]) <= farthest))
        say("vertex " + std::to_string(v) + " at " + std::to_string(glm::length(positions_[v])) +
            " m is far away");
      if (!(glm::length(velocities_[v]) <= fastest))
        say("vertex " + std::to_string(v) + " at " + std::to_string(glm::length(velocities_[v])) +
            " m/s is too fast");
    }
    if (simulation.measure().nonfinite != 0) say("the measures say non-finite");
  }

  const SceneLibrary& library_;
  Random& random_;
  std::string history_, fault_;
  std::uint64_t favourites_ = 0;
  std::vector<glm::dvec3> positions_, velocities_;
  Session live_;
  Publication shown_;
  Publications all_;
  MouseDrag drag_;
  MouseCut cut_;
  Camera camera_;
};

std::size_t allocated_bytes() {
  return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes()
                                                 : mallinfo2().uordblks + mallinfo2().hblkhd;
}

int play(double seconds, std::uint64_t first, bool only_one) {
  const auto library = shipped_scenes();
  if (!library) return std::printf("%s\n", library.error().text().c_str()), 1;
  const auto start = std::chrono::steady_clock::now();
  std::size_t before = 0;  // after the first sessions: what is made once stays
  std::uint64_t seed = first;
  for (;; ++seed) {
    begin_input(seed, longest_session);
    Random random(seed);
    if (const std::string wrong = Visit(*library, random).play(); !wrong.empty()) {
      std::printf("--seed %llu: %s\n", static_cast<unsigned long long>(seed), wrong.c_str());
      return 1;
    }
    if (seed == first + 3) before = allocated_bytes();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (only_one || passed.count() > seconds) break;
  }
  const std::size_t after = allocated_bytes();
  std::printf("%llu sessions, %.1f MB at the end\n", static_cast<unsigned long long>(seed - first + 1),
              double(after) / 1e6);
  if (before == 0 || after <= before + most_growth) return 0;
  std::printf("memory grew from %zu to %zu bytes\n", before, after);
  return 1;
}

}  // namespace
}  // namespace limber

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s SECONDS [--from N | --seed N]\n", argv[0]);
    return 2;
  }
  const bool only_one = argc > 3 && std::strcmp(argv[2], "--seed") == 0;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  limber::leave_last_words();
  return limber::play(std::atof(argv[1]), seed, only_one);
}
