#version 330 core
// With WIREFRAME, vertices are pulled from textures in the order of the index list, so that each knows which
// corner of its triangle it is.
uniform mat4 clip_from_world;
uniform vec4 kept;  // dot(kept, position) is positive on this side of the clipping plane
invariant gl_Position;
out vec3 world;
out vec3 smooth_normal;
out vec2 uv;
out float heat;

#ifdef WIREFRAME
uniform samplerBuffer position_buffer, normal_buffer, uv_buffer, heat_buffer;
uniform usamplerBuffer index_buffer;
noperspective out vec3 corner;

vec3 pull(samplerBuffer values, int vertex) {
  return vec3(texelFetch(values, 3 * vertex).r, texelFetch(values, 3 * vertex + 1).r,
              texelFetch(values, 3 * vertex + 2).r);
}
#else
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texture_place;
layout(location = 3) in float vertex_heat;
#endif

void main() {
#ifdef WIREFRAME
  int vertex = int(texelFetch(index_buffer, gl_VertexID).r);
  vec3 position = pull(position_buffer, vertex);
  vec3 normal = pull(normal_buffer, vertex);
  vec2 texture_place = texelFetch(uv_buffer, vertex).rg;
  float vertex_heat = texelFetch(heat_buffer, vertex).r;
  corner = vec3(equal(ivec3(gl_VertexID % 3), ivec3(0, 1, 2)));
#endif
  world = position;
  smooth_normal = normal;
  uv = texture_place;
  heat = vertex_heat;
  gl_Position = clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(kept, vec4(position, 1.0));
}
