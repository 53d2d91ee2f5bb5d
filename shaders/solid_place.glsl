layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float end_cap;
layout(location = 3) in vec4 column_x;  // w: largest half size, m
layout(location = 4) in vec4 column_y;
layout(location = 5) in vec4 column_z;
layout(location = 6) in vec4 origin;  // w: half length of a capsule in units of its radius

vec3 solid_place() {
  vec3 p = position + vec3(0.0, end_cap * origin.w, 0.0);
  return column_x.xyz * p.x + column_y.xyz * p.y + column_z.xyz * p.z + origin.xyz;
}
