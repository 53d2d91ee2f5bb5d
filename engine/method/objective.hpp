// The objective function of implicit Euler, evaluated by all threads in double.
#pragma once

#include <array>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/method/incidence.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The objective function of implicit Euler, F(x) = sum_i m_i |x_i - y_i|^2 / (2 h^2) + sum_c E_c(x), with y
/// the predicted positions (external forces included) and E_c as in energy.hpp; particles of inverse mass
/// zero are constants. Its unknowns x are stored here, in double even if the World's positions are float.
/// float.
/// The step sweeps over contacts between two iterations. The displacement that they give a particle is added
/// to x and to y: there it stays, like a multiplier, so that the next iteration does not undo it. After
/// meet(), F contains the contacts with colliders as well:
///
///   F += sum k_i/2 max(0, offset - n.x_i)^2,   k_i = hardness m_i/h^2
///
/// and their friction: k/2 |slip|^2 for a contact that sticks, mu k depth t.slip for a contact that slides
/// along t, with the depth and the direction of the iteration before. Reason: if elements are almost rigid,
/// sweeps that push single particles leave their elements stretched, and at 1e8 N/m these return more energy
/// than the fall had. The remaining depth is left to the sweeps.
class Objective {
 public:
  /// Allocates.
  void prepare(const World& world);
  /// Must be called by every thread of the team.
  void load(const World& world, Team& team);

  /// Starts from the predicted positions, or in later iterations adds displacements by contacts.
  void begin(const World& world, const Sweep<real>& sweep, Team& team);
  /// Moves x from y back towards the substep's start until F is no higher than there.
  void start_no_higher(const World& world, Team& team);
  /// Sets x = y = the positions with displacements `moved` (rows by particle).
  void begin_at(const World& world, const AlignedVector<vec4>& moved, const Sweep<real>& sweep, Team& team);
  /// From now on F contains the half spaces of `contacts`; null: F has none.
  void meet(StaticContacts* contacts) { contacts_ = contacts; }
  /// Evaluation of a contact with a collider at x + step * direction.
  struct ContactAt {
    StaticContact& contact;
    std::size_t place;  ///< index in lists by contact, which have most_per_particle entries per particle
    glm::dvec3 normal;
    glm::dvec3 slip;  ///< m, displacement along the surface since the substep began
    double depth;     ///< m, negative outside
    double k;         ///< N/m
  };
  /// Whether a constraint acts on particle `i`. Grains, clusters and fluids have solvers of their own and are
  /// left out: with contacts in F, their pushes against a wall would count as inertia and come back from the
  /// wall as velocity.
  bool minimised(std::size_t i) const { return vectors_.count(i) > 0; }
  /// Calls act(ContactAt) for the contacts of such particles in the blocks [begin, end).
  template <class Act>
  void for_contacts(const World& world, std::int64_t begin, std::int64_t end, double step,
                    const Act& act) const;
  /// Friction of a contact. A contact that sticks is a spring back to its start; a contact that slides has a
  /// force of mu times the normal force.
  struct Friction {
    double stiffness = 0.0;  ///< N/m
    glm::dvec3 force{0.0};   ///< N, along the slip
    glm::dvec3 at(const glm::dvec3& slip) const { return stiffness * slip + force; }
  };
  const Friction& friction(std::size_t place) const { return friction_[place]; }
  /// Determines at x which contacts stick and which slide. Returns whether any friction acts. Serial.
  bool find_friction(const World& world);

  /// F at x + step * direction. The same on every thread; ends at a barrier.
  double value(const World& world, double step, Team& team);
  /// Writes grad F at x + step * direction, without contacts, into `gradient`.
  void evaluate_gradient(const World& world, Team& team, double step = 0.0);
  /// grad F . direction. The same on every thread; ends at a barrier.
  double slope(const World& world, Team& team);
  /// Moves x along `direction` until F has fallen by a share of the decrease that its slope predicts
  /// (Armijo), trying first `step` and then ever smaller steps. Returns the step that was taken; 0 if none
  /// was.
  double search(const World& world, double step, Team& team);
  /// Whether F at x + step * direction has fallen from `start` by a share of `slope` (Armijo). The same on
  /// every thread.
  bool falls(const World& world, double step, double start, double slope, Team& team);
  /// Whether a change of F by `fall` would lower it from `start` by more than rounding.
  static bool promises(double fall, double start);
  /// x += step * direction.
  void go(double step, const World& world, Team& team);
  /// Writes x and the multipliers into the World.
  void finish(World& world, Team& team);
  /// lambda = -h^2 A^-1 C at x.
  void write_multipliers(World& world, Team& team) const;

  /// Writes sum_k stiffness |grad_i C_k|^2 over the rows of all constraints, plus m_i/h^2, into `scale`: a
  /// bound for scaling steps.
  void evaluate_scale(const World& world, Team& team);

  /// Calls act(type, slot, element) for this thread's share of the live constraints, with their points at x +
  /// step * direction.
  template <class Act>
  void for_own_elements(const World& world, double step, const Team& team, const Act& act) const;

  const std::vector<glm::dvec3>& positions() const { return x_; }
  double inverse_h_squared() const { return inverse_h_squared_; }

  std::vector<glm::dvec3> gradient, direction;  ///< by particle
  std::vector<double> scale;                    ///< kg/s^2, by particle

 private:
  void note_pushes(const World& world, std::int64_t begin, std::int64_t end);
  template <class Vector>
  void gather(const World& world, double step, Team& team, const Vector& vector_of);
  double total(Team& team) const;

  std::vector<glm::dvec3> x_, y_;  ///< m
  std::vector<vec3> left_;         ///< m, `moved` at the end of the last iteration
  double inverse_h_squared_ = 0.0;
  double floor_ = 0.0;  ///< least compliance
  IncidenceOf<double> vectors_;
  std::array<std::size_t, constraint_type_count> first_chunk_{};
  std::size_t chunks_of_constraints_ = 0;
  std::vector<double> chunk_;  ///< sums over chunks of slots, then over blocks of particles
  StaticContacts* contacts_ = nullptr;
  std::vector<double> pressed_;     ///< m, per contact: h^2/m k depth, as last added to StaticContact::pushed
  std::vector<Friction> friction_;  ///< by contact
};

/// Slots that are shared out together and have a sum of their own.
inline constexpr std::int32_t chunk_slots = 128;

/// Whether a constraint acts: the points that it only reads must have inverse mass zero.
template <class Type>
bool anchors_hold(const World& world, const Element<Type>& element) {
  for (std::size_t j = written_points<Type>(); j < element.particle.size(); ++j)
    if (world.particles.position[std::size_t(element.particle[j])].w > real(0)) return false;
  return true;
}

/// k h^2/m of a half space: a particle at 1 m/s stops within a millionth of its displacement in a substep.
inline constexpr double hardness = 1e6;

template <class Act>
void Objective::for_contacts(const World& world, std::int64_t begin, std::int64_t end, double step,
                             const Act& act) const {
  if (!contacts_) return;
  for (std::int64_t b = begin / particle_block; b < end / particle_block; ++b) {
    std::size_t at = std::size_t(b * particle_block * StaticContacts::most_per_particle);
    for (StaticContact& contact : contacts_->of_block(std::int32_t(b))) {
      const std::size_t i = std::size_t(contact.particle), k = at++;
      const double w = double(world.particles.position[i].w);
      if (w == 0.0 || contact.taken || !minimised(i)) continue;
      ContactAt now{contact,         k,   glm::dvec3(contact.normal),
                    glm::dvec3(0.0), 0.0, hardness * inverse_h_squared_ / w};
      const glm::dvec3 x = step == 0.0 ? x_[i] : x_[i] + step * direction[i];
      now.depth = double(contact.offset) - glm::dot(now.normal, x);
      now.slip = x - glm::dvec3(vec3(world.particles.previous[i])) - glm::dvec3(contact.slide);
      now.slip -= glm::dot(now.slip, now.normal) * now.normal;
      act(now);
    }
  }
}

template <class Act>
void Objective::for_own_elements(const World& world, double step, const Team& team, const Act& act) const {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    const Share mine = team.share(batch.slots(), chunk_slots);
    tell_visit(Visited::elements, int(type), 0, mine.begin, mine.end);
    for (std::int64_t s = mine.begin; s < mine.end; ++s) {
      if (batch.id[std::size_t(s)] < 0) continue;
      Element<Type> element = element_at(world, batch, std::size_t(s), floor_);
      for (std::size_t j = 0; j < element.x.size(); ++j) {
        const std::size_t i = std::size_t(element.particle[j]);
        element.x[j] = step == 0.0 ? x_[i] : x_[i] + step * direction[i];
      }
      if (anchors_hold(world, element)) act(type, std::size_t(s), element);
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
