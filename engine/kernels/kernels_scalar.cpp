#include "engine/kernels/kernels_instance.hpp"

namespace limber {
const KernelTable<float>* kernels_scalar() { return &KernelInstance<Lanes<float, 1>>::table; }
}  // namespace limber
