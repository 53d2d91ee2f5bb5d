// Distance fields that were built before, in this process or by an earlier one.
#pragma once

#include <memory>
#include <string>

#include "engine/core/expected.hpp"
#include "engine/geometry/field/signed_distance_field.hpp"

namespace limber {

/// $XDG_CACHE_HOME/limber, else ~/.cache/limber, else "" (no cache on disk).
std::string user_cache_folder();

/// The field of `mesh`, found by the content of its arrays, the resolution and the shell: alive in this
/// process, else in `folder` ("" = none), else built with as many threads as there are cores and written
/// there. A file that is cut short, altered or not ours is ignored and replaced; a folder that cannot be
/// written changes nothing. A file appears whole or not at all. Fails as build_distance_field does.
/// Thread-safe.
Expected<std::shared_ptr<const SignedDistanceField>> cached_distance_field(
    const TriMesh& mesh, int resolution, const std::string& folder, double shell = 0.0,
    const std::function<bool(double)>& progress = {});

}  // namespace limber
