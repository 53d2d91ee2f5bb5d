#include "engine/method/method.hpp"

#include "engine/core/settings.hpp"

namespace limber::inline LIMBER_PRECISION {

bool Method::is_jacobi(const World& world) { return world.settings.solver->method == SolverMethod::jacobi; }

}  // namespace limber::inline LIMBER_PRECISION
