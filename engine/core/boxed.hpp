// A value on the heap, so that its owner can be compiled without the value's definition.
#pragma once

#include <memory>
#include <utility>

namespace limber {

/// Behaves as a T: copies are deep, and assigning allocates nothing. T may be incomplete where a Boxed<T> is
/// a member, as long as the holder's constructors, assignments and destructor are elsewhere. Empty only after
/// it was moved from, and so is a copy of it then.
template <class T>
class Boxed {
 public:
  Boxed() : value_(std::make_unique<T>()) {}
  Boxed(const T& value) : value_(std::make_unique<T>(value)) {}  // NOLINT: it behaves as a T
  Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed&& other) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (value_ && other.value_)
      *value_ = *other;
    else
      *this = Boxed(other);
    return *this;
  }
  Boxed& operator=(Boxed&& other) noexcept = default;
  ~Boxed() = default;

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace limber
