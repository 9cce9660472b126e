#include "silt/render/render.h"

#include "silt/render/denoise.h"
#include "silt/render/derived.h"
#include "silt/render/plot.h"

namespace silt {

Image render_frame(const Frame& frame, const RenderParams& params, const Exec& exec, const Progressing& progress) {
  if (frame.domain.lattice.active.z) return develop(expose_frame(frame, params, exec, progress), params.look);
  if (const std::optional<Frame> joined = with_joined_boxes(frame)) return plot_frame(*joined, params, exec);
  return plot_frame(frame, params, exec);
}

Exposure expose_frame(const Frame& frame, const RenderParams& params, const Exec& exec, const Progressing& progress) {
  if (const std::optional<Frame> joined = with_joined_boxes(frame))
    return expose_frame(*joined, params, exec, progress);
  Exposure picture = expose(Tracer(frame, params, exec), params.effort, exec, progress);
  if (params.effort.denoise) picture.light = denoised(picture, exec);
  return picture;
}

Image develop(const Exposure& picture, const LookParams& look) {
  Image image = picture.light;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) image.at(x, y) = tone_map(image.at(x, y), float(look.exposure));
  return image;
}

}  // namespace silt
