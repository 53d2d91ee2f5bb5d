// Sparse L D L^T of a symmetric positive definite matrix, by Eigen's SimplicialLDLT, which this header hides.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace limber {

/// Pattern of the lower triangle of a symmetric matrix: the entries that may differ from zero, column by
/// column, with ascending rows, the diagonal first. It is built from cliques: sets of unknowns of which each
/// pair has an entry.
class SparsePattern {
 public:
  /// Clique c has the unknowns members[first[c]] ... members[first[c + 1] - 1], each once.
  void build(std::int32_t size, std::span<const std::int32_t> first, std::span<const std::int32_t> members);

  std::int32_t size() const { return std::int32_t(column_begin_.size()) - 1; }
  std::int32_t entries() const { return std::int32_t(row_.size()); }
  std::span<const std::int32_t> column_begin() const { return column_begin_; }
  std::span<const std::int32_t> rows() const { return row_; }
  std::int32_t diagonal(std::int32_t i) const { return column_begin_[std::size_t(i)]; }
  /// Index of the entry of unknowns i and j, which must be in a common clique.
  std::int32_t entry(std::int32_t i, std::int32_t j) const;

  /// The pattern with three unknowns (coordinates) for each one here: unknown i becomes 3 i, 3 i + 1, 3 i
  /// + 2.
  SparsePattern three_times() const;
  /// Index in three_times() of the entry of coordinate a of i and coordinate b of j.
  std::int32_t entry_of_three(std::int32_t i, int a, std::int32_t j, int b) const;

 private:
  std::vector<std::int32_t> column_begin_{0}, row_;
};

/// The factors L D L^T of P A P^T as plain arrays, for callers with a substitution of their own. Row and
/// column k belong to the unknown order[k]. The ones on L's diagonal are left out; columns in order, rows
/// ascending.
struct SparseFactor {
  std::vector<std::int32_t> order, column_begin, row;
  std::vector<double> value, pivot;
};

/// Solver for one matrix pattern. Compiled once for the baseline instruction set, in double, so that results
/// are the same bits on every processor. Serial.
class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// Chooses the order of elimination (approximate minimum degree). Allocates.
  void analyze(const SparsePattern& pattern);
  /// `values`: one number per entry of the pattern. Returns false if the matrix is not positive definite.
  bool factor(std::span<const double> values);
  /// x <- A^-1 x.
  void solve(std::span<double> x) const;
  SparseFactor factor_numbers() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace limber
