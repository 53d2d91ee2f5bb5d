#include "app/render/primitive_pass.hpp"

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <numeric>

#include "app/render/primitive_meshes.hpp"

namespace limber {
namespace {

void attribute(GLuint location, GLint components, std::size_t stride, std::size_t offset, GLuint divisor) {
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, GLsizei(stride),
                        reinterpret_cast<const void*>(offset));
  glVertexAttribDivisor(location, divisor);
}

/// m, along one of its own axes.
float largest_half_size(const PrimitiveDraw& solid) {
  if (solid.shape == PrimitiveDraw::Shape::capsule) return solid.radius + solid.half_length;
  const glm::vec3 reach = solid.geometry ? solid.geometry->reach : glm::vec3(1.0f);
  float largest = 0.0f;
  for (int axis = 0; axis < 3; ++axis)
    largest = std::max(largest, reach[axis] * glm::length(glm::vec3(solid.transform[axis])));
  return largest;
}

}  // namespace

Expected<PrimitivePass> PrimitivePass::create(const std::string& folder) {
  auto depth = ShaderProgram::load(folder, "solid_depth", "depth");
  if (!depth) return depth.error();
  auto shaded = load_shadings(folder, "solid", "solid");
  if (!shaded) return shaded.error();
  return PrimitivePass(std::move(*depth), std::move(*shaded));
}

Expected<PrimitivePass> PrimitivePass::create(const std::string& folder, const std::string& place,
                                              const std::string& look) {
  auto depth = ShaderProgram::load(folder, "solid_depth", "depth");
  if (!depth) return depth.error();
  auto shaded = ShaderProgram::load(folder, place, look);
  if (!shaded) return shaded.error();
  std::vector<ShaderProgram> only;
  only.push_back(std::move(*shaded));
  return PrimitivePass(std::move(*depth), std::move(only));
}

PrimitivePass::ShadedProgram::ShadedProgram(ShaderProgram linked)
    : program(std::move(linked)), clip_from_world(program.uniform("clip_from_world")) {}

PrimitivePass::PrimitivePass(ShaderProgram depth, std::vector<ShaderProgram> shaded)
    : depth_(std::move(depth)),
      depth_clip_from_world_(depth_.uniform("clip_from_world")),
      shaded_(by_shading<ShadedProgram>(std::move(shaded))) {
  set_up(shapes_[box], make_box_mesh());
  set_up(shapes_[capsule], make_capsule_mesh(64));
  set_up(shapes_[cylinder], make_cylinder_mesh(64));
  set_up(shapes_[fine_sphere], make_sphere_mesh(64));
  set_up(shapes_[sphere], make_sphere_mesh(32));
  set_up(shapes_[coarse_sphere], make_sphere_mesh(16));
  set_up(shapes_[tiny_sphere], make_sphere_mesh(8));
}

void PrimitivePass::set_up(Shape& shape, const PrimitiveMesh& mesh) {
  shape.index_count = GLsizei(mesh.indices.size());
  glBindVertexArray(shape.vertices.id());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, shape.indices.id());
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(mesh.indices.size() * sizeof(std::uint32_t)),
               mesh.indices.data(), GL_STATIC_DRAW);
  write_vertices(shape, mesh.vertices);
  attribute(0, 3, sizeof(SolidVertex), offsetof(SolidVertex, position), 0);
  attribute(1, 3, sizeof(SolidVertex), offsetof(SolidVertex, normal), 0);
  attribute(2, 1, sizeof(SolidVertex), offsetof(SolidVertex, half), 0);
  glBindBuffer(GL_ARRAY_BUFFER, shape.instances.id());
  point_at_instance(0);
}

/// Makes the instances from `first` on the ones to draw. Their buffer must be bound.
void PrimitivePass::point_at_instance(std::size_t first) {
  const std::size_t start = first * sizeof(Instance);
  for (GLuint i = 0; i < 4; ++i) attribute(3 + i, 4, sizeof(Instance), start + i * sizeof(glm::vec4), 1);
  attribute(7, 4, sizeof(Instance), start + offsetof(Instance, color), 1);
}

/// Uploads the vertices and leaves the buffer bound.
void PrimitivePass::write_vertices(const Shape& shape, const std::vector<SolidVertex>& vertices) {
  glBindBuffer(GL_ARRAY_BUFFER, shape.mesh.id());
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(vertices.size() * sizeof(SolidVertex)), vertices.data(),
               GL_STATIC_DRAW);
}

/// The coarsest mesh whose facets lie within half a pixel of the true silhouette: r (1 - cos(pi / slices)) <
/// 0.5 px.
PrimitivePass::Mesh PrimitivePass::mesh_for(const PrimitiveDraw& solid, glm::vec4 eye) {
  if (solid.shape == PrimitiveDraw::Shape::box) return box;
  if (solid.shape == PrimitiveDraw::Shape::capsule) return capsule;
  if (solid.shape == PrimitiveDraw::Shape::cylinder) return cylinder;
  const float radius = glm::length(glm::vec3(solid.transform[0]));
  const float distance = glm::length(glm::vec3(solid.transform[3]) - glm::vec3(eye)) - radius;
  const float radius_px = radius / std::max(distance * eye.w, 1e-6f);
  if (!(radius_px < 104.0f)) return fine_sphere;
  if (radius_px < 6.5f) return tiny_sphere;
  return radius_px < 26.0f ? coarse_sphere : sphere;
}

void PrimitivePass::mark_shown(const std::vector<PrimitiveDraw>& solids) {
  for (SceneShape& own : scene_shapes_)
    own.shown = std::any_of(solids.begin(), solids.end(),
                            [&](const PrimitiveDraw& solid) { return solid.geometry == own.geometry; });
}

/// The buffers of a mesh of the scene. A deforming mesh is a new geometry in each frame; it reuses the
/// buffers of one that is no longer shown.
PrimitivePass::SceneShape& PrimitivePass::scene_shape(
    const std::shared_ptr<const PrimitiveGeometry>& geometry) {
  const std::size_t corners = geometry->positions.size();
  const auto which = [&](auto fits) {
    const auto found = std::find_if(scene_shapes_.begin(), scene_shapes_.end(), fits);
    return found == scene_shapes_.end() ? nullptr : &*found;
  };
  if (SceneShape* known = which([&](const SceneShape& s) { return s.geometry == geometry; })) return *known;
  PrimitiveMesh mesh;
  for (std::size_t i = 0; i < corners; ++i)
    mesh.vertices.push_back({geometry->positions[i], geometry->normals[i], 0.0f});
  SceneShape* shape =
      which([&](const SceneShape& s) { return !s.shown && s.shape.index_count == GLsizei(corners); });
  if (shape) {
    write_vertices(shape->shape, mesh.vertices);
  } else {
    mesh.indices.resize(corners);
    std::iota(mesh.indices.begin(), mesh.indices.end(), 0u);
    shape = &scene_shapes_.emplace_back();
    set_up(shape->shape, mesh);
  }
  shape->geometry = geometry;
  shape->shown = true;
  return *shape;
}

PrimitivePass::Shape& PrimitivePass::shape_of(const PrimitiveDraw& solid, glm::vec4 eye) {
  return solid.geometry ? scene_shape(solid.geometry).shape : shapes_[mesh_for(solid, eye)];
}

void PrimitivePass::upload(const std::vector<PrimitiveDraw>& solids, glm::vec4 eye) {
  for (Shape& shape : shapes_) shape.list.clear();
  for (SceneShape& own : scene_shapes_) own.shape.list.clear();
  mark_shown(solids);
  listed_.clear();
  for (const PrimitiveDraw& solid : solids) {
    const bool is_capsule = solid.shape == PrimitiveDraw::Shape::capsule;
    const float scale = is_capsule ? solid.radius : 1.0f;
    Instance instance;
    for (int i = 0; i < 3; ++i) instance.column[i] = solid.transform[i] * scale;
    instance.column[3] = solid.transform[3];
    instance.column[3].w = is_capsule ? solid.half_length / std::max(solid.radius, 1e-6f) : 0.0f;
    instance.column[0].w = largest_half_size(solid);
    const bool is_box = !solid.geometry && solid.shape == PrimitiveDraw::Shape::box;
    instance.color =
        glm::vec4(solid.color, float(solid.look) + (solid.octants ? 4.0f : 0.0f) + (is_box ? 8.0f : 0.0f));
    Shape& shape = shape_of(solid, eye);
    listed_.push_back({solid.geometry.get(), solid.geometry ? box : mesh_for(solid, eye), shape.list.size()});
    shape.list.push_back(instance);
  }
  std::erase_if(scene_shapes_, [](const SceneShape& own) { return !own.shown; });
  const auto upload_list = [](Shape& shape) {
    if (!shape.list.empty()) shape.instances.upload(std::span<const Instance>(shape.list));
  };
  for (Shape& shape : shapes_) upload_list(shape);
  for (SceneShape& own : scene_shapes_) upload_list(own.shape);
}

void PrimitivePass::draw_depth(const glm::mat4& clip_from_world) const {
  depth_.use();
  set_uniform(depth_clip_from_world_, clip_from_world);
  draw_shapes();
}

void PrimitivePass::begin(const glm::mat4& clip_from_world, Shading shading) const {
  const ShadedProgram& shaded = shaded_[shading];
  shaded.program.use();
  set_uniform(shaded.clip_from_world, clip_from_world);
}

void PrimitivePass::draw(const glm::mat4& clip_from_world, Shading shading) const {
  begin(clip_from_world, shading);
  draw_shapes();
}

void PrimitivePass::draw_one(std::size_t number) const {
  const Listed& solid = listed_[number];
  const auto own = std::find_if(scene_shapes_.begin(), scene_shapes_.end(), [&](const SceneShape& shape) {
    return shape.geometry.get() == solid.geometry;
  });
  const Shape& shape = own != scene_shapes_.end() ? own->shape : shapes_[solid.mesh];
  glBindVertexArray(shape.vertices.id());
  glBindBuffer(GL_ARRAY_BUFFER, shape.instances.id());
  point_at_instance(solid.instance);
  glDrawElementsInstanced(GL_TRIANGLES, shape.index_count, GL_UNSIGNED_INT, nullptr, 1);
  point_at_instance(0);
}

void PrimitivePass::draw_shapes() const {
  for (const Shape& shape : shapes_) draw_shape(shape);
  for (const SceneShape& own : scene_shapes_) draw_shape(own.shape);
}

void PrimitivePass::draw_shape(const Shape& shape) {
  if (shape.list.empty()) return;
  glBindVertexArray(shape.vertices.id());
  glDrawElementsInstanced(GL_TRIANGLES, shape.index_count, GL_UNSIGNED_INT, nullptr,
                          GLsizei(shape.list.size()));
}

}  // namespace limber
