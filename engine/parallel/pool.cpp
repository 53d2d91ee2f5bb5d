#include "engine/parallel/pool.hpp"

#include <algorithm>
#include <chrono>

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

/// Waits until `word` differs from `old`: spins, then sleeps on the futex behind std::atomic::wait.
void wait_for_change(const std::atomic<std::uint32_t>& word, std::uint32_t old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != old) return;
    pause_processor();
  }
  while (word.load(std::memory_order_acquire) == old) word.wait(old, std::memory_order_acquire);
}

}  // namespace

void Barrier::wait() {
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  const int count = count_;  // read before this thread has arrived: afterwards it may change for the next run
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < count)
    return wait_for_change(generation_, generation, spins_);
  arrived_.store(0, std::memory_order_relaxed);
  generation_.store(generation + 1, std::memory_order_release);
  generation_.notify_all();
}

// With more threads than cores a spinning one keeps the core from the one it waits for.
Pool::Pool(int threads, Sharing sharing)
    : sharing_(sharing),
      team_size_(std::max(threads, 1)),
      barrier_(std::max(threads, 1), threads <= default_thread_count() ? 4000 : 0),
      doors_(std::size_t(std::max(threads, 1) - 1)) {
  workers_.reserve(doors_.size());
  for (int rank = 1; rank < threads; ++rank) workers_.emplace_back([this, rank] { work(rank); });
}

Pool::~Pool() {
  stopping_ = true;
  open_doors(size());
  for (std::thread& worker : workers_) worker.join();
}

void Pool::open_doors(int threads) {
  for (int rank = 1; rank < threads; ++rank) {
    std::atomic<std::uint32_t>& jobs = doors_[std::size_t(rank - 1)].jobs;
    jobs.fetch_add(1, std::memory_order_release);
    jobs.notify_one();
  }
}

void Pool::run_erased(Function function, void* object) {
  if (sharing_ == Sharing::always) return run_with(size(), function, object);
  const auto start = std::chrono::steady_clock::now();
  run_with(team_size_.next(), function, object);
  team_size_.took(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void Pool::run_with(int threads, Function function, void* object) {
  function_ = function;
  object_ = object;
  running_ = threads;
  barrier_.set_count(threads);
  open_doors(threads);
  Team team(0, threads, barrier_);
  function(object, team);
  team.barrier();
}

void Pool::work(int rank) {
  std::uint32_t seen = 0;
  for (;;) {
    wait_for_change(doors_[std::size_t(rank - 1)].jobs, seen, 2000);
    ++seen;
    if (stopping_) return;
    Team team(rank, running_, barrier_);
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
