#include "engine/state/tet_split.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>

#include "engine/state/constraint_set.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/split.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/tet_slots.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Smallest share of the volume around a vertex that a tear may separate; smaller parts would be crumbs.
constexpr double least_part = 0.1;

glm::dvec3 place(const World& world, std::int32_t i) { return place_of(world.particles, std::size_t(i)); }

std::array<std::int32_t, 3> sorted_face(std::array<std::int32_t, 3> face) {
  std::sort(face.begin(), face.end());
  return face;
}

}  // namespace

glm::dvec3 center_of_tet(const World& world, std::int32_t tet) {
  glm::dvec3 sum(0.0);
  for (const std::int32_t i : world.topology->tets[std::size_t(tet)]) sum += 0.25 * place(world, i);
  return sum;
}

TetSplitter::TetSplitter(World& world) : world_(world) {
  const Topology& topology = *world.topology;
  const std::size_t particles = std::size_t(world.particles.count);
  star_at_.assign(particles + 1, 0);
  for (const auto& tet : topology.tets)
    for (const std::int32_t i : tet) ++star_at_[std::size_t(i) + 1];
  std::partial_sum(star_at_.begin(), star_at_.end(), star_at_.begin());
  stars_.resize(4 * topology.tets.size());
  std::vector<std::int32_t> next(star_at_.begin(), star_at_.end() - 1);
  std::vector<Tet> tets;
  for (std::size_t t = 0; t < topology.tets.size(); ++t) {
    for (const std::int32_t i : topology.tets[t])
      stars_[std::size_t(next[std::size_t(i)]++)] = std::int32_t(t);
    const auto& [a, b, c, d] = topology.tets[t];
    tets.push_back({Index(a), Index(b), Index(c), Index(d)});
  }
  copies_.resize(particles);
  std::map<std::array<std::int32_t, 3>, Corner> border;
  const std::vector<TetFace> faces = sorted_tet_faces(tets);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Corner own{std::int32_t(faces[f].tet), faces[f].corner};
    if (f + 1 < faces.size() && faces[f + 1].key == faces[f].key) {
      inner_.push_back({own, {std::int32_t(faces[f + 1].tet), faces[f + 1].corner}});
      ++f;
    } else {
      border[sorted_face(face_of(own))] = own;
    }
  }
  for (const auto& triangle : topology.triangles) {
    const auto at = border.find(sorted_face(triangle));
    skin_.push_back(at == border.end() ? Corner{} : at->second);
  }
  find_tet_slots(topology, type_, slot_);
}

std::vector<TetSplitter::Between> TetSplitter::inner_faces() const {
  std::vector<Between> out;
  for (const InnerFace& face : inner_) out.push_back({face.a.tet, face.b.tet, face_of(face.a)});
  return out;
}

std::array<std::int32_t, 3> TetSplitter::face_of(const Corner& c) const {
  const auto& tet = mesh().tets[std::size_t(c.tet)];
  const auto& corners = tet_faces[std::size_t(c.corner)];
  return {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
}

std::span<const std::int32_t> TetSplitter::star(std::int32_t v) const {
  const std::size_t i = std::size_t(v);
  if (!copies_[i].empty()) return copies_[i];
  return std::span(stars_).subspan(std::size_t(star_at_[i]), std::size_t(star_at_[i + 1] - star_at_[i]));
}

void TetSplitter::load(std::int32_t v, const std::function<int(std::int32_t)>& label) {
  members_.clear();
  for (const std::int32_t t : star(v)) members_.push_back({t, label(t)});
}

bool TetSplitter::share_face(std::int32_t a, std::int32_t b, std::int32_t v) const {
  int common = 0;
  for (const std::int32_t i : mesh().tets[std::size_t(a)])
    for (const std::int32_t j : mesh().tets[std::size_t(b)]) common += i == j && i != v;
  return common == 2;
}

/// Numbers the parts in the order of their first tetrahedra. Returns how many there are.
int TetSplitter::number_parts(std::int32_t v) {
  int parts = 0;
  std::vector<std::size_t> open;
  for (std::size_t seed = 0; seed < members_.size(); ++seed) {
    if (members_[seed].part >= 0) continue;
    members_[seed].part = parts++;
    open.push_back(seed);
    while (!open.empty()) {
      const Member from = members_[open.back()];
      open.pop_back();
      for (std::size_t k = 0; k < members_.size(); ++k) {
        Member& to = members_[k];
        if (to.part >= 0 || to.label != from.label || !share_face(from.tet, to.tet, v)) continue;
        to.part = from.part;
        open.push_back(k);
      }
    }
  }
  return parts;
}

void TetSplitter::move_slots(std::int32_t tet, std::int32_t from, std::int32_t to) {
  for (std::int32_t& i : own_->tets[std::size_t(tet)])
    if (i == from) i = to;
  if (slot_[std::size_t(tet)] < 0) return;
  const std::size_t slot = std::size_t(slot_[std::size_t(tet)]);
  visit_type(type_[std::size_t(tet)], [&](auto t) {
    for (auto& row : std::get<t>(*own_->constraints).vertices)
      if (row[slot] == from) row[slot] = to;
  });
}

/// Divides the loaded star of v among v and copies of it, and the mass in proportion to the volumes at rest.
int TetSplitter::divide(std::int32_t v, int parts) {
  if (parts <= 1) return 0;
  const std::size_t object = std::size_t(world_.particles.object[std::size_t(v)]);
  const TearRoom::Object& room = mesh().tears.objects[object];
  if (room.used + parts - 1 > room.spares) {
    full_ = true;
    return 0;
  }
  if (!own_) own_ = &own_topology(world_);
  std::vector<double> volume(std::size_t(parts), 0.0);
  std::vector<std::vector<std::int32_t>> tets(static_cast<std::size_t>(parts));
  double whole = 0.0;
  for (const Member& m : members_) {
    volume[std::size_t(m.part)] += double(own_->tet_volumes[std::size_t(m.tet)]);
    whole += double(own_->tet_volumes[std::size_t(m.tet)]);
    tets[std::size_t(m.part)].push_back(m.tet);
  }
  Particles& particles = world_.particles;
  const double w = double(particles.inverse_mass[std::size_t(v)]);
  const double share = own_->tears.share[std::size_t(v)];
  target_.assign(1, v);
  for (int part = 1; part < parts; ++part) target_.push_back(take_spare(world_, *own_, v));
  for (int part = 0; part < parts; ++part) {
    const std::size_t i = std::size_t(target_[std::size_t(part)]);
    const double of_whole = volume[std::size_t(part)] / whole;
    own_->tears.share[i] = share * of_whole;
    particles.inverse_mass[i] = real(w / of_whole);
    set_weight(particles, i, 0);
    free_particle(world_, std::int32_t(i));
    if (part > 0)
      for (const std::int32_t t : tets[std::size_t(part)]) move_slots(t, v, std::int32_t(i));
    copies_[i] = std::move(tets[std::size_t(part)]);
  }
  part_copies(parts);
  made_ += parts - 1;
  return parts - 1;
}

/// Moves each copy a little towards its own tetrahedra, so that contacts can distinguish the sides. The
/// common centre of mass stays.
void TetSplitter::part_copies(int parts) {
  std::vector<glm::dvec3> steps;
  glm::dvec3 sum(0.0);
  double weights = 0.0;
  for (int part = 0; part < parts; ++part) {
    const std::int32_t i = target_[std::size_t(part)];
    glm::dvec3 toward(0.0);
    double least = std::numeric_limits<double>::max();
    for (const std::int32_t t : star(i)) {
      const glm::dvec3 way = center_of_tet(world_, t) - place(world_, i);
      toward += way;
      least = std::min(least, glm::length(way));
    }
    const double length = glm::length(toward);
    steps.push_back(length > 0.0 ? double(tear_gap) * least / length * toward : glm::dvec3(0.0));
    const double w = double(world_.particles.inverse_mass[std::size_t(i)]);
    if (w > 0.0) sum += steps.back() / w, weights += 1.0 / w;
  }
  for (int part = 0; part < parts; ++part) {
    const std::size_t i = std::size_t(target_[std::size_t(part)]);
    if (world_.particles.position[i].w > real(0))
      move_particle(world_.particles, i, vec3(steps[std::size_t(part)] - sum / weights));
  }
}

int TetSplitter::split_across(std::int32_t v, const glm::dvec3& normal) {
  const glm::dvec3 x = place(world_, v);
  const auto above = [&](std::int32_t t) {
    const glm::dvec3 way = center_of_tet(world_, t) - x;
    return glm::dot(way, normal) >= -1e-5 * glm::length(way) * glm::length(normal) ? 1 : 0;
  };
  load(v, above);
  std::vector<double> volume(std::size_t(number_parts(v)), 0.0);
  double whole = 0.0;
  for (const Member& m : members_) {
    volume[std::size_t(m.part)] += double(mesh().tet_volumes[std::size_t(m.tet)]);
    whole += double(mesh().tet_volumes[std::size_t(m.tet)]);
  }
  if (volume.size() < 2 || *std::min_element(volume.begin(), volume.end()) < least_part * whole) return 0;
  return split_by(v, above);
}

int TetSplitter::split_by(std::int32_t v, const std::function<int(std::int32_t)>& label) {
  load(v, label);
  const int made = divide(v, number_parts(v));
  if (made == 0) return 0;
  int all = made;
  std::vector<std::int32_t> beside;  // vertices at which parts may now be connected by an edge only
  for (const std::int32_t copy : target_)
    for (const std::int32_t t : star(copy))
      for (const std::int32_t u : mesh().tets[std::size_t(t)])
        if (std::find(target_.begin(), target_.end(), u) == target_.end()) beside.push_back(u);
  std::sort(beside.begin(), beside.end());
  beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
  for (const std::int32_t u : beside) {
    if (!(world_.particles.inverse_mass[std::size_t(u)] > real(0))) continue;
    load(u, [](std::int32_t) { return 0; });
    all += divide(u, number_parts(u));
  }
  return all;
}

void TetSplitter::finish() {
  if (made_ == 0) return;
  list_triangles();
  ContactState& contacts = world_.contacts;
  contacts.tangle_watch = std::max(contacts.tangle_watch, ContactState::first_look);
  world_.user.cut = {};
  made_ = 0;
}

/// Lists the triangles anew: they keep their order, and opened faces follow the triangles of their object.
void TetSplitter::list_triangles() {
  Topology& own = *own_;
  const auto object_of = [&](const std::array<std::int32_t, 3>& t) {
    return world_.particles.object[std::size_t(t[0])];
  };
  std::vector<Corner> opened;
  for (const InnerFace& face : inner_) {
    if (sorted_face(face_of(face.a)) == sorted_face(face_of(face.b))) continue;
    opened.push_back(face.a), opened.push_back(face.b);
  }
  std::stable_sort(opened.begin(), opened.end(), [&](const Corner& a, const Corner& b) {
    return object_of(face_of(a)) < object_of(face_of(b));
  });
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<std::int32_t> old_number;
  std::size_t next = 0;
  const auto add_opened = [&](std::int32_t up_to) {
    for (; next < opened.size() && object_of(face_of(opened[next])) <= up_to; ++next)
      triangles.push_back(face_of(opened[next])), old_number.push_back(-1);
  };
  for (std::size_t t = 0; t < own.triangles.size(); ++t) {
    const std::int32_t object = object_of(own.triangles[t]);
    if (t > 0 && object_of(own.triangles[t - 1]) != object) add_opened(object_of(own.triangles[t - 1]));
    auto triangle = own.triangles[t];
    if (skin_[t].tet >= 0) {  // keep the order of its corners
      const auto face = face_of(skin_[t]);
      const auto same = [&](std::int32_t i, std::int32_t j) {
        return own.tears.origin[std::size_t(i)] == own.tears.origin[std::size_t(j)];
      };
      for (std::size_t turn = 0; turn < 3; ++turn)
        if (same(face[turn], own.triangles[t][0]))
          triangle = {face[turn], face[(turn + 1) % 3], face[(turn + 2) % 3]};
    }
    triangles.push_back(triangle), old_number.push_back(std::int32_t(t));
  }
  add_opened(std::numeric_limits<std::int32_t>::max());
  own.triangles = std::move(triangles);
  follow_triangles(own, skin_.size(), old_number);
}

void follow_triangles(Topology& own, std::size_t before, const std::vector<std::int32_t>& old_number) {
  const std::size_t triangles = own.triangles.size();
  const std::size_t particles = own.corner_count.size();
  std::vector<std::int32_t> at(particles + 1, 0);
  for (const auto& triangle : own.triangles)
    for (const std::int32_t i : triangle) ++at[std::size_t(i) + 1];
  std::partial_sum(at.begin(), at.end(), at.begin());
  for (std::size_t i = 0; i < particles; ++i) own.corner_count[i] = at[i + 1] - at[i];
  own.corner_offset = at;
  own.corners.resize(3 * triangles);
  for (std::size_t t = 0; t < triangles; ++t)
    for (const std::int32_t i : own.triangles[t])
      own.corners[std::size_t(at[std::size_t(i)]++)] = std::int32_t(t);

  const Surface old = std::move(own.surface);
  own.surface = make_surface(own.triangles, old.rest);
  Surface& surface = own.surface;
  // near a tear the surface can touch itself without a fold in between
  const TearRoom& room = own.tears;
  for (std::size_t t = 0; t < triangles; ++t) {
    const std::int32_t was = old_number[t];
    if (was >= 0) surface.at_gap[t] = std::uint8_t(surface.at_gap[t] | old.at_gap[std::size_t(was)]);
    for (const std::int32_t i : own.triangles[t])
      if (room.next_copy[std::size_t(i)] != i || was < 0) surface.at_gap[t] = 1;
  }
  const auto append = [&](auto& to, const auto& from) {  // segments of rods, behind all triangles
    to.insert(to.end(), from.begin() + std::ptrdiff_t(before), from.end());
  };
  append(surface.owned, old.owned), append(surface.at_gap, old.at_gap);
  append(surface.neighbors, old.neighbors);
  surface.segments_at = old.segments_at;
  for (auto& here : surface.segments_at)
    for (std::int32_t& facet : here)
      if (facet >= 0) facet += std::int32_t(triangles - before);
  for (std::size_t i = 0; i < particles; ++i)
    if (surface.is_rod(i) || (own.corner_count[i] > 0 && old.room[i] > real(0)))
      surface.room[i] = old.room[i];

  const auto follow = [&](auto& rows, auto nothing) {
    if (rows.empty()) return;
    auto now = std::remove_reference_t<decltype(rows)>(triangles, nothing);
    for (std::size_t t = 0; t < triangles; ++t)
      if (old_number[t] >= 0) now[t] = rows[std::size_t(old_number[t])];
    rows = std::move(now);
  };
  follow(own.tears.spring, std::array<std::int32_t, 3>{-1, -1, -1});
  follow(own.tears.hinge, std::array<std::int32_t, 3>{-1, -1, -1});
  follow(own.tears.within, std::int32_t(-1));
}

}}  // namespace limber::LIMBER_PRECISION
