#version 330 core
flat in vec3 tint;
flat in float half_width;
noperspective in float across;
out vec4 color;

void main() { color = vec4(tint, clamp(half_width + 0.5 - abs(across), 0.0, 1.0)); }
