#pragma once

#include "silt/fields/frame.h"

namespace silt {

/// A body's shape where the body is, with the velocity of each of its corners. Empty when it has no shape.
Mesh placed_mesh(const Body& body);

/// All bodies of a frame as one mesh, for formats that know of no bodies; "body" says which of them a corner is of.
Mesh placed_bodies(const std::vector<Body>& bodies);

}  // namespace silt
