// Curves along which rods are made, and frames along them.
#pragma once

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

namespace limber {

/// n + 1 points of a straight line of `length` m along x, from the origin.
std::vector<glm::dvec3> line_points(double length, int segments);

/// n + 1 points of a helix about the x axis, of `length` m along the wire; `pitch`: m along x per turn.
std::vector<glm::dvec3> helix_points(double length, double coil_radius, double pitch, int segments);

/// n points of a circle of the circumference `length` in the plane of x and z about the origin.
std::vector<glm::dvec3> ring_points(double length, int segments);

/// Points at equal distances along a polyline, its ends included; `points` has at least two of them.
std::vector<glm::dvec3> resampled(std::span<const glm::dvec3> points, int segments);

/// A frame on each segment, as unit quaternions {x, y, z, w}: axis 3 along the segment; axis 2 of the first
/// frame as near to the y axis as possible; every further frame is the one before, rotated as little as the
/// change of tangent allows (Bishop's frame). `closed`: a segment leads from the last point to the first.
std::vector<glm::dvec4> bishop_frames(std::span<const glm::dvec3> points, bool closed);

/// The frame `q` rotated by `angle` rad about its own axis 3.
glm::dvec4 rolled(const glm::dvec4& q, double angle);

/// The rotation vector from frame a to frame b, rad, the shorter way. Its components are the same in both
/// frames.
glm::dvec3 rotation_between(const glm::dvec4& a, const glm::dvec4& b);

}  // namespace limber
