#include "silt/render/render.h"

#include "silt/render/derived.h"
#include "silt/render/march.h"
#include "silt/render/plot.h"

namespace silt {

Image render_frame(const Frame& frame, const RenderParams& params, const Exec& exec) {
  if (const std::optional<Frame> joined = with_joined_boxes(frame)) return render_frame(*joined, params, exec);
  if (!frame.domain.lattice.active.z) return plot_frame(frame, params, exec);
  Image image = march_frame(frame, params, exec);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) image.at(x, y) = tone_map(image.at(x, y), float(params.look.exposure));
  return image;
}

}  // namespace silt
