#include "engine/kernels/kernels_instance.hpp"

namespace limber {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
const KernelTable<float>* kernels_avx512() { return &KernelInstance<Lanes<float, 16>>::table; }
#else
const KernelTable<float>* kernels_avx512() { return nullptr; }
#endif
}  // namespace limber
