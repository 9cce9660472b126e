#pragma once

#include <optional>
#include <string>

#include "silt/core/error.h"
#include "silt/geometry/shape.h"
#include "silt/sim/shape_tables.h"

namespace silt {

/// A shape out of a file, and what is to be said about it.
struct FileShape {
  Shape shape;
  std::string digest;   ///< of all the bytes it was made of
  std::string warning;  ///< empty when there is nothing to say
};

/// A mesh that has no inside, and no thickness is given.
class OpenSheetError : public InputError {
  using InputError::InputError;
};

/// "did you mean 'meshes/foot.obj'?" when a file is not there and one with a name like it is; else empty.
std::string file_hint(const ScenePath& missing);

/// The mesh of [shape.NAME], which names a file or a sequence of them. Throws an InputError that says what is wrong.
FileShape load_mesh(const ShapeParams& params, double run_fps);

/// The height field of [shape.NAME]; in 2D (dims = 2) its middle row.
FileShape load_height_field(const HeightFieldParams& params, int dims);

}  // namespace silt
