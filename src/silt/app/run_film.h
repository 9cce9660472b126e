#pragma once

#include <string>
#include <vector>

#include "silt/cache/run_folder.h"

namespace silt {

struct RunFilm {
  int first = 0, last = 0;  ///< frames
  int pictures = 0;
  std::vector<int> left_out;         ///< frames whose pictures have another size
  std::string size;                  ///< of those in it: "1280x720"
  std::vector<std::string> damaged;  ///< pictures that are not what was written: a sentence each
};

/// "frame 3 is left out of the film: its picture is not 1280x720 as those in it"; empty when nothing is.
std::string left_out_text(const RunFilm& film);

/// Makes the film of all pictures of a run that have the size most of them have; where two sizes are as many, the one
/// made last. The caller holds lock_pictures(). Each picture is shown for the smallest
/// step between two of them, so a film of every other frame takes as long as one of all. Error when it cannot be made.
RunFilm write_film(RunFolder& folder, double fps);

}  // namespace silt
