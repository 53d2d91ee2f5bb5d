#include "engine/core/sparse_cholesky.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cassert>

namespace limber {

void SparsePattern::build(std::int32_t size, std::span<const std::int32_t> first,
                          std::span<const std::int32_t> members) {
  std::vector<std::vector<std::int32_t>> below(static_cast<std::size_t>(size));
  for (std::int32_t i = 0; i < size; ++i) below[std::size_t(i)].push_back(i);
  for (std::size_t c = 0; c + 1 < first.size(); ++c)
    for (std::int32_t k = first[c]; k < first[c + 1]; ++k)
      for (std::int32_t l = first[c]; l < k; ++l) {
        const auto [low, high] = std::minmax(members[std::size_t(k)], members[std::size_t(l)]);
        below[std::size_t(low)].push_back(high);
      }
  column_begin_.assign(1, 0), row_.clear();
  for (std::vector<std::int32_t>& column : below) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    row_.insert(row_.end(), column.begin(), column.end());
    column_begin_.push_back(std::int32_t(row_.size()));
  }
}

std::int32_t SparsePattern::entry(std::int32_t i, std::int32_t j) const {
  const auto [low, high] = std::minmax(i, j);
  const auto begin = row_.begin() + column_begin_[std::size_t(low)],
             end = row_.begin() + column_begin_[std::size_t(low) + 1];
  const auto found = std::lower_bound(begin, end, high);
  assert(found != end && *found == high);
  return std::int32_t(found - row_.begin());
}

SparsePattern SparsePattern::three_times() const {
  SparsePattern out;
  for (std::int32_t j = 0; j < size(); ++j)
    for (int b = 0; b < 3; ++b) {
      for (std::int32_t e = column_begin_[std::size_t(j)]; e < column_begin_[std::size_t(j) + 1]; ++e)
        for (int a = row_[std::size_t(e)] == j ? b : 0; a < 3; ++a)
          out.row_.push_back(3 * row_[std::size_t(e)] + a);
      out.column_begin_.push_back(std::int32_t(out.row_.size()));
    }
  return out;
}

/// The three columns of unknown j have 3, 2 and 1 entries of the diagonal block (its lower triangle) and
/// three entries for each other row.
std::int32_t SparsePattern::entry_of_three(std::int32_t i, int a, std::int32_t j, int b) const {
  if (i < j || (i == j && a < b)) return entry_of_three(j, b, i, a);
  const std::int32_t begin = column_begin_[std::size_t(j)],
                     others = column_begin_[std::size_t(j) + 1] - begin - 1;
  // earlier unknowns: 6 entries for each diagonal block and 9 for each other one
  const std::int32_t before = 9 * (begin - j) + 6 * j;
  const std::int32_t column = before + b * 3 * others + (b == 0 ? 0 : b == 1 ? 3 : 5);
  return i == j ? column + a - b : column + (3 - b) + 3 * (entry(i, j) - begin - 1) + a;
}

struct SparseCholesky::Impl {
  using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> solver;
  std::vector<int> column_begin, rows;
  mutable Eigen::VectorXd scratch;

  Eigen::Map<const Matrix> matrix(const double* values) const {
    const int size = int(column_begin.size()) - 1;
    return {size, size, int(rows.size()), column_begin.data(), rows.data(), values};
  }
};

SparseCholesky::SparseCholesky() : impl_(std::make_unique<Impl>()) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::analyze(const SparsePattern& pattern) {
  impl_->column_begin.assign(pattern.column_begin().begin(), pattern.column_begin().end());
  impl_->rows.assign(pattern.rows().begin(), pattern.rows().end());
  const std::vector<double> ones(impl_->rows.size(), 1.0);
  const Impl::Matrix matrix = impl_->matrix(ones.data());
  impl_->solver.analyzePattern(matrix);
}

bool SparseCholesky::factor(std::span<const double> values) {
  const Impl::Matrix matrix = impl_->matrix(values.data());
  impl_->solver.factorize(matrix);
  if (impl_->solver.info() != Eigen::Success) return false;
  return matrix.rows() == 0 || impl_->solver.vectorD().minCoeff() > 0.0;
}

void SparseCholesky::solve(std::span<double> x) const {
  if (x.empty()) return;
  Eigen::Map<Eigen::VectorXd> wanted(x.data(), Eigen::Index(x.size()));
  impl_->scratch = impl_->solver.solve(wanted);
  wanted = impl_->scratch;
}

SparseFactor SparseCholesky::factor_numbers() const {
  const auto& L = impl_->solver.matrixL().nestedExpression();
  const auto& place = impl_->solver.permutationP().indices();  // of unknown i
  const auto& D = impl_->solver.vectorD();
  SparseFactor out;
  const std::size_t size = std::size_t(L.cols());
  out.order.resize(size);
  for (std::size_t i = 0; i < size; ++i)
    out.order[std::size_t(place.size() ? place[Eigen::Index(i)] : int(i))] = std::int32_t(i);
  out.column_begin.assign(L.outerIndexPtr(), L.outerIndexPtr() + size + 1);
  out.row.assign(L.innerIndexPtr(), L.innerIndexPtr() + L.nonZeros());
  out.value.assign(L.valuePtr(), L.valuePtr() + L.nonZeros());
  out.pivot.assign(D.data(), D.data() + D.size());
  return out;
}

}  // namespace limber
