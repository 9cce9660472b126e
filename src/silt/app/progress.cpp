#include "silt/app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "silt/app/say.h"

namespace silt {

Progress::Style Progress::style_for(bool json) {
  if (json) return Style::quiet;
  return ::isatty(STDOUT_FILENO) ? Style::bar : Style::lines;
}

double Progress::eta(double frames_done) const {
  const double done = frames_done - std::max(first_, free_), left = frames_ - frames_done;
  return done > 0 ? elapsed() * left / done : -1;
}

void Progress::substep(int done, double fraction) {
  piece_substeps_ += pieces_;
  draw(done, fraction);
}

void Progress::frame(const FrameStats& stats) {
  max_speed_ = stats.totals.max_speed;
  retries_ += stats.retries;
  of_particles_ = stats.totals.particles > 0;
  pieces_ = double(of_particles_ ? stats.totals.particles : stats.cells);
  draw(stats.frame, 0);
}

void Progress::draw(double frames_done, double fraction) {
  if (style_ == Style::quiet) return;
  const double now = elapsed(), share = frames_done / frames_;
  if (style_ == Style::bar) {
    if (now - drawn_at_ < 0.1 && frames_done < frames_) return;
    put_raw(fmt::format("\r{}\x1b[K", line(frames_done, fraction)));
    on_screen_ = true;
  } else {
    const bool due = (share - drawn_share_ >= 0.1 && fraction == 0) || now - drawn_at_ >= 30 ||
                     (frames_done >= frames_ && fraction == 0);
    if (!due) return;
    put(fmt::format("{}\n", line(frames_done, fraction)));
  }
  drawn_at_ = now;
  drawn_share_ = share;
}

std::string Progress::line(double frames_done, double fraction) const {
  const double at = frames_done + fraction, share = std::min(1.0, at / frames_);
  std::string text = fmt::format("frame {}/{} {:3.0f} %", int(frames_done), frames_, 100 * share);
  if (style_ == Style::bar) {
    constexpr int width = 24;
    const int full = int(share * width);
    text += fmt::format(" [{}{}]", std::string(std::size_t(full), '#'), std::string(std::size_t(width - full), '.'));
  }
  text += fmt::format("  {}", clock_text(elapsed()));
  if (const double left = eta(at); left >= 0) text += fmt::format(", {} left", clock_text(left));
  if (piece_substeps_ > 0)
    text += fmt::format(", {:.2f} M{}/s", piece_substeps_ / std::max(1e-9, elapsed()) / 1e6,
                        of_particles_ ? "particle" : "cell");
  if (fraction > 0) text += fmt::format(", in frame {:.0f} %", 100 * fraction);
  if (max_speed_ > 0) text += fmt::format(", max {:.3g} m/s", max_speed_);
  if (retries_ > 0) text += fmt::format(", {} step{} tried again", retries_, retries_ == 1 ? "" : "s");
  return text;
}

void Progress::clear() {
  if (!on_screen_) return;
  put_raw("\r\x1b[K");
  on_screen_ = false;
}

}  // namespace silt
