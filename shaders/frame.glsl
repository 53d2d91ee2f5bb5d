// Data of the picture for all shaders. Mirrors FrameBlock in app/render/frame_block.hpp.
layout(std140) uniform Frame {
  mat4 sun_from_world;  // to texture coordinates and depth of the shadow map
  mat4 sky_from_world[4];  // to the quarters of the sky's shadow map
  vec4 eye;             // m; w: metres per pixel at one metre
  vec4 right;           // unit; w: slope of the picture's right edge
  vec4 up;              // unit; w: slope of the picture's upper edge
  vec4 forward;         // unit
  vec4 viewport;        // px; zw: reciprocals
  vec4 sun;             // unit, towards the sun; w: 1 with shadows, else 0
  vec4 shadow;          // m per texel, texels, 1 / texels; w: m, height of the sun's view, 0 if no fluid dims
                        // it
  vec4 sky[4];          // unit, sampled directions of the sky; w: m per texel of its map, 0: no samples
  vec4 occlusion;       // x, z of the map's low corner, 1 / extents
  vec4 air;             // m to the start of the fog, density in 1/m, m per ground cell, m of the ground's
                        // radius
  vec4 middle;          // xy: place of `forward` in the picture, -1 to 1; z: 1 with a ground; w: 1 if shadows
                        // need no filter
  vec4 sun_light;       // light of the sun on a surface that faces it; w: m, depth of light in jelly
  vec4 bounce;          // light of the ground in full light
  vec4 sky_light[4];    // light of the sky in the sampled directions
  vec4 dome_low;        // light of the dome at the horizon; w: 1 if the backdrop is flat
  vec4 dome_high;       // light of the dome straight up; w: light of a flat backdrop
  vec4 far;             // the backdrop at the horizon, where the ground ends; w: exposure
  vec4 above;           // the backdrop far above; w: light shown as white, 0: as the film curve maps it
  vec4 ground;          // linear RGB; w: 0 plain, 1 checker, 2 grid, 3 wood, 4 white and without shadows
  vec4 ground_mark;     // linear RGB of the other squares, the lines, the seams; w: share of light missing in
                        // a corner
  vec4 by_normal[9];    // light on surfaces with normal n: coefficients of 1, y, z, x, xy, yz, 3zz - 1, xz,
                        // xx - yy
} frame;
