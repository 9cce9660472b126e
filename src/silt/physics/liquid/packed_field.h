#pragma once

#include "silt/fields/field.h"

namespace silt {

/// A field that is zero nearly everywhere, as lists that a StateVisitor can take: runs along x of what is not.
struct PackedField {
  Buffer<std::int64_t> runs;  ///< of each the first cell's x, y, z, and how many
  Buffer<double> values;

  void pack(const Field<double>& field, const Box& cells);
  /// When what is packed is another field's: the field becomes that. Throws IoError when it cannot be one of these
  /// cells.
  void unpack(const Box& cells, Field<double>& field) const;

 private:
  bool is_of(const Field<double>& field) const;
  void check(const Box& cells) const;
  std::size_t packed_ = 0;  ///< values, when it was packed last
};

}  // namespace silt
