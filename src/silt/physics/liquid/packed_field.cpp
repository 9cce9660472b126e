#include "silt/physics/liquid/packed_field.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "silt/core/error.h"
#include "silt/core/few_touched.h"

namespace silt {
namespace {

constexpr std::size_t numbers_of_run = 4;

/// Told by its bits: the sign of a zero is kept too.
bool is_zero(double value) {
  return std::bit_cast<std::uint64_t>(value) == 0;
}

/// From `x` on, where the next value lies that is not zero, or `end`.
int next_in_row(const double* row, int x, int end) {
  constexpr int together = 8;
  for (; x + together <= end; x += together) {
    std::uint64_t any = 0;
    for (int i = 0; i < together; ++i) any |= std::bit_cast<std::uint64_t>(row[x + i]);
    if (any) break;
  }
  while (x < end && is_zero(row[x])) ++x;
  return x;
}

template <class T>
void fill(const std::vector<T>& from, Buffer<T>& to) {
  if (to.size() != from.size()) to = Buffer<T>(from.size());
  std::copy(from.begin(), from.end(), to.host());
}

/// visit(cell, count, first of its values) for each run.
template <class Visit>
void visit_runs(const PackedField& packed, const Visit& visit) {
  const std::int64_t* run = packed.runs.host();
  const double* values = packed.values.host();
  for (std::size_t r = 0; r < packed.runs.size() / numbers_of_run; ++r, run += numbers_of_run) {
    visit(Cell{int(run[0]), int(run[1]), int(run[2])}, std::size_t(run[3]), values);
    values += run[3];
  }
}

}  // namespace

void PackedField::pack(const Field<double>& field, const Box& cells) {
  std::vector<std::int64_t> found;
  std::vector<double> there;
  const double* all = field.values().host();
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y) {
      const double* row = all + field.layout().index(cells.lo.x, y, z);
      const int length = cells.size().x;
      for (int x = next_in_row(row, 0, length), end; x < length; x = next_in_row(row, end, length)) {
        for (end = x; end < length && !is_zero(row[end]); ++end) {
        }
        found.insert(found.end(), {cells.lo.x + x, y, z, end - x});
        there.insert(there.end(), row + x, row + end);
      }
    }
  fill(found, runs);
  fill(there, values);
  packed_ = values.size();
}

void PackedField::check(const Box& cells) const {
  const std::int64_t* run = runs.host();
  std::int64_t count = 0, most = std::int64_t(values.size());
  bool good = runs.size() % numbers_of_run == 0;
  for (std::size_t r = 0; good && r < runs.size() / numbers_of_run; ++r, run += numbers_of_run) {
    for (int a = 0; a < 3; ++a) good = good && run[a] >= cells.lo[a] && run[a] < cells.hi[a];
    good = good && run[3] > 0 && run[3] <= cells.hi.x - run[0];
    count += good ? run[3] : 0;
  }
  if (!good || count != most) throw IoError("the checkpoint has values where there is no water");
}

bool PackedField::is_of(const Field<double>& field) const {
  bool same = values.size() == packed_;
  const double* all = field.values().host();
  visit_runs(*this, [&](Cell c, std::size_t count, const double* from) {
    same = same && std::memcmp(all + field.layout().index(c), from, count * sizeof(double)) == 0;
  });
  return same;
}

void PackedField::unpack(const Box& cells, Field<double>& field) const {
  check(cells);
  if (is_of(field)) return;
  const host_memory::FewTouched few;
  field = Field<double>(field.layout());
  visit_runs(*this, [&](Cell c, std::size_t count, const double* from) {
    std::copy_n(from, count, field.values().host() + field.layout().index(c));
  });
}

}  // namespace silt
