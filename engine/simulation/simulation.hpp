// The engine's public interface: one running scene, in float or double behind the same class. Independent of
// the precision: nothing here depends on `real`.
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/core/iteration_trace.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/clusters/cluster_pose.hpp"
#include "engine/geometry/contact_mark.hpp"
#include "engine/geometry/joint_mark.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/step/step_report.hpp"
#include "engine/verify/heat_map_id.hpp"

namespace limber {

struct SceneDesc;
struct SceneModel;               // engine/scene/build/scene_model.hpp
struct Measures;                 // engine/core/measures.hpp
enum class MaterialField : int;  // engine/core/material_field.hpp

enum class Precision { f32, f64 };

struct RunOptions {
  Precision precision = Precision::f32;
  Simd simd = Simd::automatic;    ///< automatic: the widest the processor has
  int threads = 0;                ///< 0: as many as make it faster, found by measuring
  int most_threads = 0;           ///< bound of the number found; 0: one per core
  bool alone_if_starved = false;  ///< use one thread while other programs hold the cores (Starvation)
  std::shared_ptr<Workers> workers = nullptr;  ///< shared with other simulations; null: its own
};

// Commands: everything a user can do to a running scene. A command acts at the start of the next frame.
// Vertices are external ids: first_vertex of the object + index in its (welded) mesh.
struct SetValue {
  std::string path;
  Value value;
};
struct GrabVertex {
  Index vertex;
  glm::dvec3 target;  ///< m; the held vertex has inverse mass zero and follows the target with bounded speed
};
/// Holds a rigid body at one of its points. A bounded force pulls the point towards the target.
struct GrabBody {
  Index body;         ///< index in the model's order
  glm::dvec3 point;   ///< m, point of the body in world coordinates
  glm::dvec3 target;  ///< m
};
/// Puts a ball into the hand. The ball pushes everything that it touches, fluids and grains too, and nothing
/// pushes the ball. It follows the target with bounded speed and vanishes at ReleaseGrab.
struct HoldBall {
  glm::dvec3 position;  ///< m
  double radius;        ///< m, 0.001 to 10
};
struct ResizeBall {
  double radius;  ///< m, 0.001 to 10
};
struct MoveGrab {
  glm::dvec3 target;
};
/// Holds the segment of a rod that begins at a vertex and turns it about the rod, by `angle` rad from its
/// orientation when it was taken, with bounded speed. Twisting at another vertex releases the first one.
struct TwistRod {
  Index vertex;
  double angle;
};
/// Releases whatever is held. A pin stays where it was dropped. A vertex that a collider or body carries, or
/// that moves on a prescribed path, returns to its place.
struct ReleaseGrab {
  bool pin = false;  ///< pin the vertex where it is now
};
struct SetPinned {
  Index vertex;
  bool pinned;
};
/// Cuts cloth and soft solids along the quad that a moving segment sweeps. near[0] and far[0] are the ends of
/// the segment before the move, near[1] and far[1] after it, in m. `begins`: a new cut; otherwise the cut
/// continues the last one.
struct Cut {
  std::array<glm::dvec3, 2> near, far;
  bool begins = true;
};
/// kg/m^3: a ball of foam dents a sheet, a ball of stone scatters boxes
inline constexpr double ball_of_foam = 120.0, ball_of_stone = 2500.0;

/// Throws a ball, which is added as a rigid body. Restarting the scene removes it.
struct ThrowBall {
  glm::dvec3 position;            ///< m
  glm::dvec3 velocity;            ///< m/s
  double radius;                  ///< m, 0.001 to 10
  double density = ball_of_foam;  ///< kg/m^3, 1 to 20000
};
/// Changes temperatures once within `radius` of `place`: by `degrees` at the place, and less with growing
/// distance (brush_heat()).
struct Warm {
  glm::dvec3 place;  ///< m
  double radius;     ///< m, 0.001 to 10
  double degrees;    ///< K, -5000 to 5000
};
/// Paints a field of materials once: multiplies it by `factor` at `place`, and by less with growing distance
/// up to `radius` (paint_field()). Masses are built with the scene: the density cannot be painted.
struct PaintField {
  MaterialField field;
  glm::dvec3 place;  ///< m
  double radius;     ///< m, 0.001 to 10
  double factor;     ///< 0.01 to 100
};
using Command = std::variant<SetValue, GrabVertex, GrabBody, HoldBall, ResizeBall, MoveGrab, TwistRod,
                             ReleaseGrab, SetPinned, Cut, ThrowBall, Warm, PaintField>;

/// Pose of a rigid body: its centre of mass and principal axes.
struct BodyPose {
  glm::vec3 position;  ///< m
  glm::mat3 rotation;
};

/// Time of the present state.
struct Instant {
  std::int64_t frame;
  double time;         ///< s
  std::size_t bodies;  ///< rigid bodies, which commands add and remove
};

/// The threads and instructions that run a simulation.
struct Machine {
  int threads;
  int threads_at_work;   ///< threads in use at present (Sharing)
  bool chooses_threads;  ///< RunOptions::threads is 0
  std::shared_ptr<Workers> workers;
  Simd simd;
  Precision precision;
};

/// Vertex, body and ball that the user holds; all empty: nothing.
struct Held {
  std::optional<Index> vertex;
  std::optional<glm::dvec3> target;      ///< m, of a vertex or body
  std::optional<glm::dvec3> body_point;  ///< m, point at which a body is held
  std::optional<HoldBall> ball;          ///< position and radius of the ball in the hand
};

struct BatchCount {
  std::string_view type;
  std::int64_t constraints;
  int phases;
  bool projects = true;  ///< false: Projective Dynamics has no local step for this type of constraint
};

/// Quantities that Simulation::read() reads, each with the place to which its values are written. Vectors are
/// overwritten; spans have an entry for each element. Vertices are external ids.
namespace reading {
/// m, per vertex, in float or double.
struct Positions {
  std::span<glm::vec3> single;
  std::span<glm::dvec3> exact;
  explicit Positions(std::span<glm::vec3> out) : single(out) {}
  explicit Positions(std::span<glm::dvec3> out) : exact(out) {}
};
/// m/s, per vertex.
struct Velocities {
  std::span<glm::dvec3> out;
};
/// Orientations of the segments of rods (RodModel), unit quaternions {x, y, z, w}.
struct Turns {
  std::vector<glm::dvec4>& out;
};
/// Fluid particles that are not in the scene at present, ascending.
struct Absent {
  std::vector<Index>& out;
};
/// m, positions of spray, foam and bubbles.
struct Spray {
  std::vector<glm::vec3>& out;
};
/// Rigid bodies, in the model's order; Instant::bodies entries.
struct Bodies {
  std::span<BodyPose> out;
};
struct Joints {
  std::vector<JointMark>& out;
};
/// Poses of the solids that are one cluster, in the order of their objects in the model.
struct Solids {
  std::vector<BodyPose>& out;
};
/// Positions, m, of the skin vertices of all soft solids, from ObjectModel::first_skin_vertex on; w is 0 for
/// a vertex that follows its clusters (ObjectModel::blends) instead.
struct Skins {
  std::vector<glm::vec4>& out;
};

/// Poses of the clusters of soft solids, by the numbers of ObjectModel::blends.
struct Clusters {
  std::vector<ClusterPose>& out;
};
/// Values of a heat map per vertex (write_heat()). Computed only for this call.
struct Heat {
  HeatMap map;
  std::span<float> out;
};
/// Values of a heat map per body, in the order of bodies.
struct BodyHeat {
  HeatMap map;
  std::span<float> out;
};
/// Pinned vertices. Vertices that a collider or body carries are left out, because the picture shows their
/// carrier.
struct Fixed {
  std::vector<Index>& out;
};
/// Vertex, body and ball in the user's hand.
struct Hand {
  Held& out;
};
/// Contacts at the end of the last substep of the last frame. None after a restart or a step back.
struct Contacts {
  std::vector<ContactMark>& out;
};
/// Vertices that impact zones moved last in that frame.
struct Zones {
  std::vector<Index>& out;
};
/// Pairs of triangles of all objects that pass through each other. Expensive, as is their number.
struct Intersections {
  std::vector<std::array<Triangle, 2>>& out;
};
struct IntersectionCount {
  std::int64_t& out;
};
/// m/s, velocity of the air at `places` at the time of the state; 0 where 'wind' is off.
struct Air {
  std::span<const glm::dvec3> places;
  std::span<glm::dvec3> out;
};
/// Constraints of each type.
struct Batches {
  std::vector<BatchCount>& out;
};
/// rad/s, of the stiffest oscillation that the method solves (engine/verify/fastest_swing.hpp). Expensive.
struct FastestSwing {
  double& out;
};
/// Hash of positions and velocities by external id.
struct StateHash {
  std::uint64_t& out;
};
}  // namespace reading
using Reading =
    std::variant<reading::Positions, reading::Velocities, reading::Turns, reading::Absent, reading::Spray,
                 reading::Bodies, reading::Joints, reading::Solids, reading::Clusters, reading::Skins,
                 reading::Heat, reading::BodyHeat, reading::Fixed, reading::Hand, reading::Contacts,
                 reading::Zones, reading::Intersections, reading::IntersectionCount, reading::Air,
                 reading::Batches, reading::FastestSwing, reading::StateHash>;

/// A running scene. Not thread-safe. One thread must drive all simulations that share workers.
class Simulation {
 public:
  virtual ~Simulation() = default;

  virtual const SceneDesc& scene() const = 0;  ///< with every SetValue that was applied
  virtual std::shared_ptr<const SceneModel> model() const = 0;

  /// Checks a command and applies it at the start of the next step. A SetValue with Effect::rebuild builds a
  /// new World at once and starts it from the beginning. After an error nothing has changed.
  virtual Expected<void> submit(const Command& command) = 0;

  /// Advances one frame (scene().solver.dt seconds). If the frame becomes non-finite, or `cancel` ends it, it
  /// is undone: the state is that at its start, bit for bit. Overwrites `trace`, if there is one, with a
  /// measurement of each iteration, which takes time.
  virtual StepReport step(const CancelFlag* cancel = nullptr,
                          std::vector<IterationTrace>* trace = nullptr) = 0;

  /// Returns to the start of the scene, keeping all settings.
  virtual void restart() = 0;

  /// A snapshot of the whole state and all settings. restore() accepts any snapshot of the same model
  /// version. The snapshot is written over `reuse`, an earlier one of this simulation, if `reuse` has no
  /// other owner; saving then allocates nothing.
  virtual std::shared_ptr<const void> save(std::shared_ptr<const void> reuse = nullptr) const = 0;
  virtual bool restore(const std::shared_ptr<const void>& saved) = 0;
  /// Another simulation of the same model in the same state, with the same settings and workers. Each
  /// simulation can restore snapshots of the other.
  virtual std::unique_ptr<Simulation> clone() const = 0;
  /// Bytes of memory of a snapshot. Shared parts count for the first snapshot that has them.
  virtual std::size_t bytes(const std::shared_ptr<const void>& saved) const = 0;

  virtual Instant now() const = 0;
  virtual void read(const Reading& reading) const = 0;
  virtual Measures measure() const = 0;

  virtual Machine machine() const = 0;
  /// Sets the threads as RunOptions::threads and RunOptions::workers do; changes no result.
  virtual void set_threads(int threads, std::shared_ptr<Workers> workers = nullptr) = 0;
  /// Seconds that `sweeps` sweeps over all constraints take, without integration and contacts, for
  /// benchmarks. Leaves the positions projected.
  virtual double time_sweeps(int sweeps) = 0;

  // Readings of one value
  std::int64_t frame() const { return now().frame; }
  double time() const { return now().time; }
  std::size_t body_count() const { return now().bodies; }
  std::uint64_t state_hash() const { return value<reading::StateHash, std::uint64_t>(); }
  std::int64_t count_intersections() const { return value<reading::IntersectionCount, std::int64_t>(); }
  double fastest_swing() const { return value<reading::FastestSwing, double>(); }
  Held held() const { return value<reading::Hand, Held>(); }
  std::vector<BatchCount> batches() const { return value<reading::Batches, std::vector<BatchCount>>(); }

 private:
  template <class Quantity, class T>
  T value() const {
    T out{};
    read(Quantity{out});
    return out;
  }
};

/// Builds the World of `scene` and starts its pool. Fails on a bad mesh, pin or an unsupported instruction
/// set.
Expected<std::unique_ptr<Simulation>> make_simulation(SceneDesc scene, const RunOptions& options);

/// Precisions of this build: both, unless it was configured without LIMBER_DOUBLE_PRECISION.
std::span<const Precision> built_precisions();

}  // namespace limber
