#include "engine/parallel/pool.hpp"

#include <algorithm>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace limber {
namespace {

inline void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

using Clock = std::chrono::steady_clock;

/// Waits until `word` differs from `old`: spins, then sleeps on the futex behind std::atomic::wait. Returns
/// how long it slept.
std::chrono::nanoseconds wait_for_change(const std::atomic<std::uint32_t>& word, std::uint32_t old,
                                         int spins) {
  for (int i = 0; i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != old) return {};
    pause_processor();
  }
  const Clock::time_point start = Clock::now();
  while (word.load(std::memory_order_acquire) == old) word.wait(old, std::memory_order_acquire);
  return Clock::now() - start;
}

}  // namespace

std::chrono::nanoseconds Barrier::wait() {
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
    arrived_.store(0, std::memory_order_relaxed);
    generation_.store(generation + 1, std::memory_order_release);
    generation_.notify_all();
    return {};
  }
  return wait_for_change(generation_, generation, spins_);
}

// With more threads than cores a spinning one keeps the core from the one it waits for.
Pool::Pool(int threads, Sharing sharing)
    : sharing_(sharing), barrier_(std::max(threads, 1), threads <= default_thread_count() ? 4000 : 0) {
  workers_.reserve(std::size_t(std::max(threads, 1) - 1));
  for (int rank = 1; rank < threads; ++rank) workers_.emplace_back([this, rank] { work(rank); });
}

Pool::~Pool() {
  stopping_ = true;
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::run_erased(Function function, void* object) {
  if (size() == 1 || alone_left_ > 0) {
    alone_left_ = std::max(alone_left_ - 1, 0);
    Team team(0, 1, barrier_);
    return function(object, team);
  }
  Team team(0, size(), barrier_);
  const Clock::time_point start = Clock::now();
  function_ = function;
  object_ = object;
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  function(object, team);
  team.barrier();
  if (sharing_ == Sharing::always) return;
  // alone it would have taken n times what the caller did itself
  const bool pays = size() * (Clock::now() - start - team.slept()) > Clock::now() - start;
  alone_left_ = pays ? 0 : alone_;
  alone_ = pays ? fewest_alone_ : std::min(2 * alone_, most_alone_);
}

void Pool::work(int rank) {
  std::uint32_t seen = 0;
  for (;;) {
    wait_for_change(job_, seen, 2000);
    ++seen;
    if (stopping_) return;
    Team team(rank, size(), barrier_);
    function_(object_, team);
    team.barrier();
  }
}

int default_thread_count() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace limber
