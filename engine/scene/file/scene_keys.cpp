#include "engine/scene/file/scene_keys.hpp"

#include <algorithm>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

constexpr std::array scene_table{
    text<&SceneDesc::title>("title", "Title", "Name of the scene in menus."),
    text<&SceneDesc::group>("group", "Group", "The menu it stands in."),
    text<&SceneDesc::look_for>("look_for", "Look for", "One or two sentences about what to look for."),
    boolean<&SceneDesc::ground>(
        "ground", "Ground",
        "Draw a level plane collider at y = 0 as ground that reaches to the horizon. Off: as a slab.",
        Effect::rebuild),
};
constexpr std::array point_table{
    vector<&PointDesc::position>({"position", "Position", "m", -1000, 1000, "Where the particle starts."}),
    number<&PointDesc::mass>({"mass", "Mass", "kg", 0, 1e5, "0: fixed (inverse mass zero)."}),
    vector<&PointDesc::velocity>(
        {"velocity", "Velocity", "m/s", -100, 100, "Velocity at the start, added to that of the object."}),
};
constexpr std::array spring_table{
    number<&SpringLength::rest_length>(
        {"rest_length", "Rest length", "m", 1e-6, 1000, "Absent: the distance at the start."}),
};
constexpr std::array expect_table{
    integer<&ExpectDesc::frames>({"frames", "Frames", "", 1, 100000, "Length of the check."}),
};

constexpr std::array picture_table{
    number<&PictureDesc::seconds>({"seconds", "Seconds", "s", 0, 1000, "Simulated, when it is taken."}),
};

}  // namespace

bool is_valid_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), allowed);
}

std::span<const Field> scene_fields() { return scene_table; }
std::span<const Field> point_fields() { return point_table; }
std::span<const Field> spring_fields() { return spring_table; }
std::span<const Field> expect_fields() { return expect_table; }
std::span<const Field> picture_fields() { return picture_table; }

}  // namespace limber
