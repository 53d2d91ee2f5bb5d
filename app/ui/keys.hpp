// Key and modifier codes that the bindings use, so that the panels need no window library.
#pragma once

namespace limber::ui {

/// The numbers are GLFW's, as reported by the window; scene_input.cpp checks that they agree.
namespace key {
inline constexpr int space = 32, comma = 44, period = 46;
inline constexpr int digit_1 = 49, digit_3 = 51, digit_5 = 53, digit_7 = 55;
inline constexpr int b = 66, c = 67, d = 68, e = 69, f = 70, h = 72, l = 76, o = 79, p = 80, q = 81, r = 82,
                     t = 84, v = 86, w = 87, x = 88;
inline constexpr int left_bracket = 91, right_bracket = 93;
inline constexpr int escape = 256, tab = 258, home = 268, f1 = 290, f11 = 300, f12 = 301;
}  // namespace key

namespace mod {
inline constexpr int shift = 1, control = 2, alt = 4, super = 8;
}  // namespace mod

}  // namespace limber::ui
