#include "engine/geometry/files/obj_writer.hpp"

#include <cmath>

#include "engine/geometry/files/mesh_text.hpp"

namespace limber {
namespace {

template <class Vector>
bool append(std::string& out, const char* keyword, const Vector& v) {
  out += keyword;
  for (int k = 0; k < Vector::length(); ++k) {
    if (!std::isfinite(v[k])) return false;
    out += ' ';
    append_number(out, v[k]);
  }
  out += '\n';
  return true;
}

Expected<std::string> obj_text(const TriMesh& mesh, std::span<const ObjGroup> groups,
                               std::span<const ObjPoints> points, const std::string& path) {
  std::string out;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (append(out, "v", mesh.positions[v])) continue;
    return Error{"the position of vertex " + std::to_string(v) + " is not finite; nothing was written", path};
  }
  for (std::size_t v = 0; v < mesh.uvs.size(); ++v) {
    if (append(out, "vt", mesh.uvs[v])) continue;
    return Error{
        "the texture coordinate of vertex " + std::to_string(v) + " is not finite; nothing was written",
        path};
  }
  auto group = groups.begin();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (; group != groups.end() && group->first_triangle <= t; ++group) out += "g " + group->name + '\n';
    out += 'f';
    for (Index v : mesh.triangles[t]) {
      const std::string number = std::to_string(v + 1);
      out += ' ' + number;
      if (!mesh.uvs.empty()) out += '/' + number;
    }
    out += '\n';
  }
  for (const ObjPoints& cloud : points) {
    out += "g " + cloud.name + '\n';
    const std::size_t count = cloud.points.empty() ? cloud.count : cloud.points.size();
    const auto number = [&](std::size_t k) {
      return std::to_string((cloud.points.empty() ? cloud.first + k : cloud.points[k]) + 1);
    };
    if (cloud.joined == ObjPoints::Joined::apart) {
      for (std::size_t k = 0; k < count; ++k) out += "p " + number(k) + '\n';
      continue;
    }
    out += 'l';
    for (std::size_t k = 0; k < count; ++k) out += ' ' + number(k);
    if (cloud.joined == ObjPoints::Joined::closed) out += ' ' + number(0);
    out += '\n';
  }
  return out;
}

}  // namespace

Expected<void> write_obj(const TriMesh& mesh, const std::string& path) { return write_obj(mesh, {}, path); }

Expected<void> write_obj(const TriMesh& mesh, std::span<const ObjGroup> groups, const std::string& path,
                         std::span<const ObjPoints> points) {
  const auto text = obj_text(mesh, groups, points, path);
  if (!text) return text.error();
  return write_mesh_file(*text, path);
}

}  // namespace limber
