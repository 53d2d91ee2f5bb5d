// What is painted on a surface, so that one sees it turn and stretch.
#pragma once

namespace limber {

enum class Pattern : int { plain, border, stripes, checker };

}  // namespace limber
