#include "silt/solve/mic.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

constexpr int block_size = 4 * tile_size;
constexpr float tau = 0.97f, sigma = 0.25f;

/// The cells of the n-th block of a row-major list of blocks, clipped to the domain.
struct BlockList {
  Box blocks, domain;
  Int3 extent;
  std::int64_t cells_each() const { return std::int64_t(extent.x) * extent.y * extent.z; }
  SILT_HD Box operator[](std::int64_t n) const {
    const Int3 count = blocks.size();
    const Int3 b =
        blocks.lo + Int3{int(n % count.x), int(n / count.x % count.y), int(n / (std::int64_t(count.x) * count.y))};
    return intersect(Box{b * extent, b * extent + extent}, domain);
  }
};

BlockList block_list(const PoissonOperator& op) {
  const Int3 active = op.layout().active;
  const Box& cells = op.domain().cells;
  BlockList list{{}, cells, {}};
  for (int a = 0; a < 3; ++a) {
    const int e = active[a] ? block_size : 1;
    list.extent[a] = e;
    list.blocks.lo[a] = floor_div(cells.lo[a], e);
    list.blocks.hi[a] = floor_div(cells.hi[a] - 1, e) + 1;
  }
  return list;
}

/// e_c = a_cc - sum_l (w_l p_l)^2 - tau sum_l w_l p_l^2 (what row l couples to besides c),   p = 1 / sqrt(e).   [BRI15]
/// Rows that are held, at a bound or by the operator, are none: p = 0, and nothing couples to them.
struct Factor {
  BlockList list;
  MacView<const float> w;
  View<const float> diagonal;
  View<const unsigned char> fixed;  ///< data = nullptr: none are held
  View<float> p;

  SILT_HD bool held(int i, int j, int k) const { return !(diagonal(i, j, k) > 0) || (fixed.data && fixed(i, j, k)); }
  /// Couplings of cell (i, j, k) to its upper neighbours inside the block.
  SILT_HD float right(const Box& b, int i, int j, int k) const {
    return i + 1 < b.hi.x && !held(i + 1, j, k) ? w.x(i + 1, j, k) : 0;
  }
  SILT_HD float up(const Box& b, int i, int j, int k) const {
    return j + 1 < b.hi.y && !held(i, j + 1, k) ? w.y(i, j + 1, k) : 0;
  }
  SILT_HD float over(const Box& b, int i, int j, int k) const {
    return k + 1 < b.hi.z && !held(i, j, k + 1) ? w.z(i, j, k + 1) : 0;
  }

  SILT_HD void operator()(std::int64_t n) const {
    const Box b = list[n];
    for (int k = b.lo.z; k < b.hi.z; ++k)
      for (int j = b.lo.y; j < b.hi.y; ++j)
        for (int i = b.lo.x; i < b.hi.x; ++i) {
          if (held(i, j, k)) {
            p(i, j, k) = 0;
            continue;
          }
          const float d = diagonal(i, j, k);
          float e = d;
          if (i > b.lo.x) {
            const float wl = w.x(i, j, k), pl = p(i - 1, j, k), q = wl * pl;
            e -= q * q;
            e -= tau * q * pl * (up(b, i - 1, j, k) + over(b, i - 1, j, k));
          }
          if (j > b.lo.y) {
            const float wl = w.y(i, j, k), pl = p(i, j - 1, k), q = wl * pl;
            e -= q * q;
            e -= tau * q * pl * (right(b, i, j - 1, k) + over(b, i, j - 1, k));
          }
          if (k > b.lo.z) {
            const float wl = w.z(i, j, k), pl = p(i, j, k - 1), q = wl * pl;
            e -= q * q;
            e -= tau * q * pl * (right(b, i, j, k - 1) + up(b, i, j, k - 1));
          }
          if (e < sigma * d) e = d;
          p(i, j, k) = e > 0 ? 1 / std::sqrt(e) : 0.0f;
        }
  }
};

/// L q = r downwards through the block, then L^T z = q back up.
struct Substitute {
  BlockList list;
  MacView<const float> w;
  View<const float> p;
  View<const double> r;
  View<float> z;
  SILT_HD void operator()(std::int64_t n) const {
    const Box b = list[n];
    for (int k = b.lo.z; k < b.hi.z; ++k)
      for (int j = b.lo.y; j < b.hi.y; ++j) {
        float carried = 0;
        for (int i = b.lo.x; i < b.hi.x; ++i) {
          float t = float(r(i, j, k));
          if (j > b.lo.y) t += w.y(i, j, k) * p(i, j - 1, k) * z(i, j - 1, k);
          if (k > b.lo.z) t += w.z(i, j, k) * p(i, j, k - 1) * z(i, j, k - 1);
          if (i > b.lo.x) t += w.x(i, j, k) * p(i - 1, j, k) * carried;
          z(i, j, k) = carried = t * p(i, j, k);
        }
      }
    for (int k = b.hi.z - 1; k >= b.lo.z; --k)
      for (int j = b.hi.y - 1; j >= b.lo.y; --j) {
        float carried = 0;
        for (int i = b.hi.x - 1; i >= b.lo.x; --i) {
          const float pc = p(i, j, k);
          float t = 0;
          if (j + 1 < b.hi.y) t += w.y(i, j + 1, k) * z(i, j + 1, k);
          if (k + 1 < b.hi.z) t += w.z(i, j, k + 1) * z(i, j, k + 1);
          if (i + 1 < b.hi.x) t += w.x(i + 1, j, k) * carried;
          z(i, j, k) = carried = (z(i, j, k) + t * pc) * pc;
        }
      }
  }
};

}  // namespace

void MicPreconditioner::prepare(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>* fixed) {
  if (!inverse_.allocated() || inverse_.layout() != op.layout()) inverse_ = Field<float>(op.layout());
  op_ = &op;
  const BlockList list = block_list(op);
  blocks_ = list.blocks;
  for_each_index(exec, "mic.factor", blocks_.count(),
                 Factor{list, op.weights().read(exec), op.diagonal().read(exec),
                        fixed ? fixed->read(exec) : View<const unsigned char>{}, inverse_.write(exec)},
                 list.cells_each());
}

void MicPreconditioner::apply(const Exec& exec, const Field<double>& r, Field<float>& z) const {
  const BlockList list = block_list(*op_);
  for_each_index(exec, "mic.apply", blocks_.count(),
                 Substitute{list, op_->weights().read(exec), inverse_.read(exec), r.read(exec), z.write(exec)},
                 list.cells_each());
}

}  // namespace silt
