// Patterns painted on surfaces, which show how they turn and stretch.
#pragma once

namespace limber {

enum class Pattern : int { plain, border, stripes, checker };

}  // namespace limber
