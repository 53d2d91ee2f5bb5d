#include "engine/kernels/kernels_instance.hpp"

namespace limber {
#if defined(__SSE2__) && !defined(LIMBER_NO_INSTANCE)
const KernelTable<float>* kernels_sse2() { return &KernelInstance<Lanes<float, 4>>::table; }
#else
const KernelTable<float>* kernels_sse2() { return nullptr; }
#endif
}  // namespace limber
