// Implements Simulation over one World, once per precision. scene_commands.cpp carries out commands;
// scene_readings.cpp reads the World for pictures and panels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/scene/build/world_builder.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/step/frame_undo.hpp"
#include "engine/step/stepper.hpp"
#include "engine/verify/fastest_swing.hpp"
#include "engine/verify/heat.hpp"
#include "engine/verify/measure.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A running scene: the World of one precision, the Stepper that advances it, and its threads.
class RunningScene final : public Simulation {
 public:
  static constexpr bool in_double = std::is_same_v<real, double>;

  RunningScene(SceneDesc scene, BuiltWorld built, Simd simd, const KernelTable<real>& kernels,
               const RunOptions& options);
  RunningScene(const RunningScene& other);

  const SceneDesc& scene() const override { return scene_; }
  std::shared_ptr<const SceneModel> model() const override;

  Expected<void> submit(const Command& command) override;
  StepReport step(const CancelFlag* cancel, std::vector<IterationTrace>* trace) override;
  void restart() override;

  std::shared_ptr<const void> save(std::shared_ptr<const void> reuse) const override;
  std::unique_ptr<Simulation> clone() const override { return std::make_unique<RunningScene>(*this); }
  bool restore(const std::shared_ptr<const void>& saved) override;
  std::size_t bytes(const std::shared_ptr<const void>& saved) const override;

  Instant now() const override { return {world_.frame, world_.time, std::size_t(world_.bodies.count())}; }
  void read(const Reading& reading) const override;
  Measures measure() const override { return limber::LIMBER_PRECISION::measure(world_, posed_); }

  Machine machine() const override;
  void set_threads(int threads, std::shared_ptr<Workers> workers) override;
  double time_sweeps(int sweeps) override;

 private:
  /// A snapshot, as save() returns it: a World, its settings, and the version of its model.
  struct Saved {
    World world;
    std::shared_ptr<const SceneDesc> scene;  ///< shared by all snapshots between two changes of a setting
    std::uint64_t model_version = 0;
    std::uint64_t edition = 0;  ///< number of the settings (edition_)
    std::size_t bytes = 0;
  };

  /// Copies the numbers of substeps and iterations that the builder chose into `scene`.
  static void adopt_chosen_steps(const BuiltWorld& built, SceneDesc& scene);
  StepReport step(const CancelFlag* cancel);
  void write(const reading::Positions& to) const;
  void write(const reading::Velocities& to) const;
  void write(const reading::Turns& to) const;
  void write(const reading::Absent& to) const;
  void write(const reading::Spray& to) const;
  void write(const reading::Bodies& to) const;
  void write(const reading::Joints& to) const;
  void write(const reading::Solids& to) const;
  void write(const reading::Clusters& to) const;
  void write(const reading::Skins& to) const;
  void write(const reading::Heat& to) const;
  void write(const reading::BodyHeat& to) const;
  void write(const reading::Fixed& to) const;
  void write(const reading::Hand& to) const;
  void write(const reading::Contacts& to) const;
  void write(const reading::Zones& to) const;
  void write(const reading::Intersections& to) const;
  void write(const reading::IntersectionCount& to) const;
  void write(const reading::Air& to) const;
  void write(const reading::Batches& to) const;
  void write(const reading::FastestSwing& to) const;
  void write(const reading::StateHash& to) const;
  template <class Out>
  void write_rows(const AlignedVector<vec4>& rows, std::span<Out> out) const {
    const std::vector<Index>& inside = world_.topology->external_to_internal;
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = Out(rows[std::size_t(inside[v])]);
  }
  /// External vertex id of a particle.
  Index outside(std::int32_t particle) const;

  void adopt(BuiltWorld built);
  void make_room_for_tears(bool now);

  /// Particle of an external vertex id, or an Error.
  Expected<std::int32_t> particle(Index vertex) const;

  Expected<void> check_pressures(const SceneDesc& changed) const;
  Expected<void> rebuild(SceneDesc changed);
  Expected<void> change_live(SceneDesc changed, std::string_view path);
  Expected<void> act(const SetValue& command);
  Expected<void> act(const GrabVertex& command);
  Expected<void> act(const GrabBody& command);
  Expected<void> act(const HoldBall& command);
  Expected<void> act(const ResizeBall& command);
  Expected<void> act(const MoveGrab& command);
  Expected<void> act(const TwistRod& command);
  Expected<void> act(const ReleaseGrab& command);
  Expected<void> act(const SetPinned& command);
  Expected<void> act(const Cut& command);
  Expected<void> act(const ThrowBall& command);
  Expected<void> act(const Warm& command);
  Expected<void> act(const PaintField& command);
  void follow();
  std::size_t size_of(const Saved& saved) const;
  bool is_pin(std::int32_t i) const;
  void set_attached(std::int32_t i, bool attached);

  SceneDesc scene_;
  std::shared_ptr<const SceneModel> model_;              ///< the model of the scene as built
  mutable std::shared_ptr<const SceneModel> model_now_;  ///< the model when the topology had torn_edition_
                                                         ///< and the bodies model_parts_
  mutable std::uint64_t torn_edition_ = 0;
  mutable std::shared_ptr<const BodyParts> model_parts_;
  World world_, start_;
  mutable PosedColliders posed_;  ///< poses of deforming colliders, for measures
  FrameUndo undo_;
  mutable std::uint64_t saved_edition_ = 0;               ///< edition of the topology in the last snapshot
  mutable std::shared_ptr<const BodyParts> saved_parts_;  ///< body parts in the last snapshot
  mutable std::shared_ptr<const SceneDesc> saved_scene_;  ///< scene_ as shared by snapshots; null after a
                                                          ///< change
  std::uint64_t edition_ = 0;                             ///< number of the settings; equal numbers mean
                                                          ///< equal settings
  bool stepped_ = false;                                  ///< the World is the result of the solver's last
                                                          ///< step
  Simd simd_;
  RunOptions options_;  ///< options that the scene was made with
  bool chooses_threads_ = true;
  const KernelTable<real>& kernels_;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Stepper> solver_;
};

}}  // namespace limber::LIMBER_PRECISION
