#pragma once

#include "silt/cache/run_folder.h"

namespace silt {

struct RunFilm {
  int first = 0, last = 0;  ///< frames
  int pictures = 0;
};

/// Makes the film of all pictures of a run. The caller holds lock_pictures(). Each picture is shown for the smallest
/// step between two of them, so a film of every other frame takes as long as one of all. Error when it cannot be made.
RunFilm write_film(RunFolder& folder, double fps);

}  // namespace silt
