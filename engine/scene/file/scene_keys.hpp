// What a scene file says besides settings: tables that the reader and the schema share.
#pragma once

#include <span>
#include <string>

#include "engine/core/tunable.hpp"

namespace limber {

/// The version of the scene format this program reads.
inline constexpr long scene_format = 1;

/// Names of objects and colliders become parts of paths, so they hold no dots or blanks.
inline constexpr std::string_view name_pattern = "^[A-Za-z0-9_-]+$";
bool is_valid_name(std::string_view name);

std::span<const Field> scene_fields();    ///< of SceneDesc: title, group, look_for, ground
std::span<const Field> point_fields();    ///< of PointDesc
std::span<const Field> expect_fields();   ///< of ExpectDesc: frames
std::span<const Field> picture_fields();  ///< of PictureDesc: seconds

/// The one number of a spring; optional, so no row of SpringDesc itself.
struct SpringLength {
  double rest_length = 0.0;  ///< m
};
std::span<const Field> spring_fields();

}  // namespace limber
