// Patterns painted on surfaces, which make rotation and stretch visible.
#pragma once

namespace limber {

enum class Pattern : int { plain, border, stripes, checker };

}  // namespace limber
