#include "engine/kernels/kernels_instance.hpp"

namespace limber {
#if defined(__AVX2__)
const KernelTable<float>* kernels_avx2() { return &KernelInstance<Lanes<float, 8>>::table; }
#else
const KernelTable<float>* kernels_avx2() { return nullptr; }
#endif
}  // namespace limber
