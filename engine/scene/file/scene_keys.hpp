// Tables of keys of a scene file that are no settings of solver, objects or colliders. The reader and the
// schema share them.
#pragma once

#include <span>
#include <string>

#include "engine/core/tunable.hpp"

namespace limber {

/// The version of the scene format this program reads.
inline constexpr long scene_format = 1;

/// Names of objects and colliders become parts of paths, so they contain no dots or blanks.
inline constexpr std::string_view name_pattern = "^[A-Za-z0-9_-]+$";
bool is_valid_name(std::string_view name);

std::span<const Field> scene_fields();    ///< of SceneDesc: title, group, look_for, ground
std::span<const Field> point_fields();    ///< of PointDesc
std::span<const Field> expect_fields();   ///< of ExpectDesc: frames
std::span<const Field> picture_fields();  ///< of PictureDesc: seconds

/// The rest length of a spring as a plain number for its row, because SpringDesc has an optional.
struct SpringLength {
  double rest_length = 0.0;  ///< m
};
std::span<const Field> spring_fields();

}  // namespace limber
