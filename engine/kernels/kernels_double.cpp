#include "engine/kernels/kernels_instance.hpp"

namespace limber {
const KernelTable<double>* kernels_double() { return &KernelInstance<Lanes<double, 1>>::table; }
}  // namespace limber
