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
struct Factor {
  BlockList list;
  MacView<const float> w;
  View<const float> diagonal;
  View<float> p;
  SILT_HD void operator()(std::int64_t n) const {
    const Box b = list[n];
    const Int3 last = b.hi - Int3{1, 1, 1};
    for (int k = b.lo.z; k < b.hi.z; ++k)
      for (int j = b.lo.y; j < b.hi.y; ++j)
        for (int i = b.lo.x; i < b.hi.x; ++i) {
          const float d = diagonal(i, j, k);
          float e = d;
          if (i > b.lo.x) {
            const float wl = w.x(i, j, k), pl = p(i - 1, j, k), q = wl * pl;
            e -= q * q +
                 tau * q * pl * ((j < last.y ? w.y(i - 1, j + 1, k) : 0) + (k < last.z ? w.z(i - 1, j, k + 1) : 0));
          }
          if (j > b.lo.y) {
            const float wl = w.y(i, j, k), pl = p(i, j - 1, k), q = wl * pl;
            e -= q * q +
                 tau * q * pl * ((i < last.x ? w.x(i + 1, j - 1, k) : 0) + (k < last.z ? w.z(i, j - 1, k + 1) : 0));
          }
          if (k > b.lo.z) {
            const float wl = w.z(i, j, k), pl = p(i, j, k - 1), q = wl * pl;
            e -= q * q +
                 tau * q * pl * ((i < last.x ? w.x(i + 1, j, k - 1) : 0) + (j < last.y ? w.y(i, j + 1, k - 1) : 0));
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

MicPreconditioner::MicPreconditioner(const Exec& exec, const PoissonOperator& op) : op_(&op), inverse_(op.layout()) {
  const BlockList list = block_list(op);
  blocks_ = list.blocks;
  for_each_index(exec, "mic.factor", blocks_.count(),
                 Factor{list, op.weights().read(exec), op.diagonal().read(exec), inverse_.write(exec)},
                 list.cells_each());
}

void MicPreconditioner::apply(const Exec& exec, const Field<double>& r, Field<float>& z) const {
  const BlockList list = block_list(*op_);
  for_each_index(exec, "mic.apply", blocks_.count(),
                 Substitute{list, op_->weights().read(exec), inverse_.read(exec), r.read(exec), z.write(exec)},
                 list.cells_each());
}

}  // namespace silt
