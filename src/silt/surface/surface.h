#pragma once

/// Surfaces of liquids from their particles, for pictures: a sparse level set and a mesh of any resolution, from a
/// frame alone.

#include <string_view>

#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/surface/block_field.h"
#include "silt/surface/params.h"

namespace silt {

/// The surface of a material of a frame, named "surface": closed, with normals and velocities. From its particles where
/// it has some, otherwise from its level set "surface". Flat at the domain's sides and at
/// obstacles (the frame's "solid"). A mesh without triangles when there is nothing of it. InputError in 2D, or when the
/// particles do not have an attribute that is asked for. Whatever the number of threads, the same bits. `level_set`, if
/// given, becomes the field that the mesh is of, with velocities.
Mesh surface_of_frame(const Frame& frame, std::string_view material, const SurfaceParams& params, const Exec& exec,
                      BlockField* level_set = nullptr);

}  // namespace silt
