// Cache of distance fields, in memory and on disk.
#pragma once

#include <memory>
#include <string>

#include "engine/core/expected.hpp"
#include "engine/geometry/field/signed_distance_field.hpp"

namespace limber {

/// $XDG_CACHE_HOME/limber, else ~/.cache/limber, else "" (no cache on disk).
std::string user_cache_folder();

/// Returns the distance field for the content of `mesh`, the resolution and the shell: one that is alive in
/// this process; otherwise from `folder` ("": none); otherwise a new one, which is built with one thread per
/// core and written there. A file that is cut short, altered or foreign is ignored and replaced; a folder
/// that cannot be written to is no error. A file appears whole or not at all. Fails as build_distance_field()
/// does. Thread-safe.
Expected<std::shared_ptr<const SignedDistanceField>> cached_distance_field(
    const TriMesh& mesh, int resolution, const std::string& folder, double shell = 0.0,
    const std::function<bool(double)>& progress = {});

}  // namespace limber
