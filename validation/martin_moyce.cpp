#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/water_lab.h"

namespace silt::validation {

namespace {

constexpr double a = 0.05715;           // width of the column: 2.25 inches [m]
constexpr double longest_delay = 0.25;  // of the release, in T
constexpr double frame_step = 0.05;     // in T
constexpr double farthest = 10;         // a: how far fronts are followed

/// A column of water, a wide and n^2 a high, at the left end of a channel. T = t / unit_time(n^2).
double unit_time(double n2) {
  return std::sqrt(a / (n2 * gravity));
}
struct Column {
  double n2 = 2;
  int cells = 20;       ///< across a
  double end = 4;       ///< in T
  bool smooth = false;  ///< whether water slides along walls

  std::string scene() const {
    return str("silt = 1\n[run]\nframes = ", int(std::lround(end / frame_step)) + 1,  //
               "\nfps = ", 1 / (frame_step * unit_time(n2)),                          //
               "\n[domain]\nsize = [", (farthest + 0.5) * a, ", ", (n2 + 0.5) * a, "]\ncell_size = ", a / cells,
               "\nsides = { y_max = \"open\" }\n[water]\n",
               smooth ? "" : "[wall.floor]\nside = \"y_min\"\n[wall.rear]\nside = \"x_min\"\n",
               "[shape.column]\nbox = { min = [", -a, ", ", -a, "], max = [", a, ", ", n2 * a, "] }\n",
               "[fill.column]\nshape = \"column\"\nmaterial = \"water\"\n");
  }
};

struct Collapse {
  std::vector<double> T, front, height;  ///< front in a, height of what is left at the rear wall over what it was
};

Collapse run(const Lab& lab, const Column& column) {
  Simulation sim = lab.simulate(lab.scene_of(column.scene()));
  Collapse out;
  while (sim.advance_frame()) {
    const WaterSurface surface(sim.frame());
    out.T.push_back(sim.time() / unit_time(column.n2));
    out.front.push_back(surface.front() / a);
    out.height.push_back(surface.height(0) / (column.n2 * a));
    if (out.front.back() > farthest) break;  // before it meets the far wall
  }
  return out;
}

/// When the front first comes to Z.
double arrival(const Collapse& c, double Z) {
  for (std::size_t i = 1; i < c.T.size(); ++i)
    if (c.front[i] >= Z)
      return c.T[i - 1] + (c.T[i] - c.T[i - 1]) * std::max(0.0, Z - c.front[i - 1]) / (c.front[i] - c.front[i - 1]);
  return NAN;
}

/// Mean |T_sim(Z) + delay - T_exp(Z)| / T_exp(Z), some of the first points left out.
double error(const Collapse& c, const ReferenceData& front, double delay, std::size_t left_out = 0) {
  const std::vector<double>&T = front.column("T"), &Z = front.column("Z");
  double sum = 0;
  for (std::size_t i = left_out; i < T.size(); ++i) sum += std::abs(arrival(c, Z[i]) + delay - T[i]) / T[i];
  return sum / double(T.size() - left_out);
}

/// The delay, of those allowed, that fits best.
double fitted_delay(const Collapse& c, const ReferenceData& front) {
  double best = 0;
  for (int i = 0; i <= 250; ++i) {
    const double delay = longest_delay * i / 250;
    if (error(c, front, delay) < error(c, front, best)) best = delay;
  }
  return best;
}

/// Mean |H_sim - H_exp| while nothing has come back from the channel's far end.
double height_error(const Collapse& c, const ReferenceData& height, double end) {
  const std::vector<double>&tau = height.column("tau"), &H = height.column("H");
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const double T = std::sqrt(2) * tau[i];
    if (T > end) continue;
    sum += std::abs(linear_at(c.T, c.height, T) - H[i]), ++count;
  }
  return sum / count;
}

/// Largest |Z_sim - Z| at the times of an exact solution.
double distance_to(const Collapse& c, const ReferenceData& exact) {
  const std::vector<double>&T = exact.column("T"), &Z = exact.column("Z");
  double worst = 0;
  for (std::size_t i = 0; i < T.size(); ++i) worst = std::max(worst, std::abs(linear_at(c.T, c.front, T[i]) - Z[i]));
  return worst;
}

}  // namespace

/// A column of water collapses onto a dry floor.
void martin_moyce(Lab& lab) {
  lab.about(
      "A column of water, a wide and 2 a high (a = 2.25 inches), stands in the corner of a channel and is let go, in "
      "2D,\nwith a floor and a rear wall that water sticks to. Where the front is on the floor and how high "
      "the column still\nis at the rear wall, against Martin & Moyce 1952, Phil. Trans. R. Soc. A 244, 312-324, tables "
      "2 and 6:\nT = t sqrt(2 g / a), Z = front / a, H = height / 2 a. The time that the front takes to each Z is "
      "compared twice:\nas it is, and after a delay of the release has been fitted, of at most 0.25 in T. `but_first` "
      "leaves out the first point.\n`inviscid` is how far the front on a smooth floor ever is, in a, from that of an "
      "inviscid flow let go at once, up to\nT = 1 (a boundary method for potential flow). `late` is the front's speed "
      "between Z = 5 and 10 in sqrt(g h0), h0 the\ncolumn's height, on a floor that rubs and on a smooth one; `grids` "
      "by how much the time to Z = 10 differs from that\nat the fewest cells. The columns of `square` are a wide and a "
      "high.");
  const ReferenceData front("martin_moyce_1952_n2eq2_front.csv"), height("martin_moyce_1952_n2eq2_height.csv"),
      inviscid("column_inviscid_n2eq2_front.csv");
  Plot& fronts = lab.plot("front", "The front on the floor, with the fitted delay.", "T", "Z");
  Plot& heights = lab.plot("height", "The column at the rear wall, without a delay.", "T", "H");
  const double end = lab.quick ? 3.4 : 8;
  const auto late = [](const Collapse& c) { return 5 / (arrival(c, 10) - arrival(c, 5)); };
  double coarse = NAN, coarse_square = NAN;
  for (const int cells : lab.quick ? std::vector{20} : std::vector{20, 40, 80}) {
    const Collapse c = run(lab, {.cells = cells, .end = end});
    const Collapse smooth = run(lab, {.cells = cells, .end = lab.quick ? 1.1 : end, .smooth = true});
    const double delay = fitted_delay(c, front);
    const std::string name = str("cells", cells);
    lab.measure.at_most(name + ".front.but_first", error(c, front, delay, 1), 0.05);
    lab.measure.at_most(name + ".front", error(c, front, delay), 0.065);
    lab.measure.at_most(name + ".front.no_delay", error(c, front, 0), 0.12);
    lab.measure.at_most(name + ".inviscid", distance_to(smooth, inviscid), cells < 40 ? 0.06 : 0.03, "a");
    lab.measure.tell(name + ".delay", delay);
    lab.measure.at_most(name + ".height", height_error(c, height, std::min(4.9, c.T.back())), 0.03);
    std::vector<double> T = c.T;
    for (double& t : T) t += delay;
    fronts.line(str(cells, " cells across a"), T, c.front);
    heights.line(str(cells, " cells across a"), c.T, c.height);
    if (lab.quick) continue;
    const Collapse square = run(lab, {.n2 = 1, .cells = cells, .end = end});
    const Collapse smooth_square = run(lab, {.n2 = 1, .cells = cells, .end = end, .smooth = true});
    lab.measure.tell(name + ".late", late(c));
    lab.measure.tell(name + ".late.smooth", late(smooth));
    lab.measure.tell(name + ".late.square", late(square));
    lab.measure.tell(name + ".late.square.smooth", late(smooth_square));
    if (std::isnan(coarse)) {
      coarse = arrival(c, 10), coarse_square = arrival(square, 10);
      continue;
    }
    const double grids = std::abs(arrival(c, 10) / coarse - 1),
                 grids_square = std::abs(arrival(square, 10) / coarse_square - 1);
    if (cells == 40) {
      lab.measure.at_most(name + ".grids", grids, 0.03);
      lab.measure.at_most(name + ".grids.square", grids_square, 0.03);
    } else {  // cells as thin as the layer: see the note
      lab.measure.tell(name + ".grids", grids);
      lab.measure.tell(name + ".grids.square", grids_square);
    }
    if (cells == 40) {
      for (double& t : T = smooth.T) t += delay;
      fronts.line("40 cells, smooth floor", T, smooth.front);
    }
  }
  std::vector<double> T;
  for (const double tau : height.column("tau")) T.push_back(std::sqrt(2) * tau);
  fronts.markers("Martin & Moyce", front.column("T"), front.column("Z"));
  heights.markers("Martin & Moyce", T, height.column("H"));
  lab.note(
      "Hoped for was 0.05 with a delay: `but_first` keeps it at all resolutions, `front` from 80 cells on. The "
      "experiment lags behind the\ninviscid flow by 0.28 +- 0.04 in T at every Z but the first (Z = 1.11), where it "
      "does by 0.03: no one delay fits both, and\nthat point alone adds 0.034 to `front`.\n\n"
      "The floor. Water that comes onto a dry floor is slowed as by a plate that is set going at once: after t the "
      "layer lacks\n1.13 sqrt(nu t) of the stream, 0.1 mm behind the front and 0.4 mm where the column stood. That is "
      "2 % of the column's momentum,\nbut of water of which the last tenth of its way holds 3 mm and less: the "
      "inviscid "
      "tongue is (s / t)^2 / 9 g deep a length s\nbehind its tip. In the shallow-water equations, where what the floor "
      "takes is shared by all of the depth, this stress brings\nthe late front from 2 to 1.40 sqrt(g h0), that of a "
      "square column to 1.27; Sakiadis' stress for a wall that is drawn along\n(0.44 for 0.56) changes the times by 2 "
      "%, turbulence beyond U^2 t / nu = 2e4 by 1 %. Where the slowed water stays at the floor\ninstead, the front "
      "lags by what the layer keeps back, 0.9 a at T = 5.6. Here cells as large as the layer's few times thickness "
      "mix it,\nas 20 and 40 across a do: both have the same front to 1 %. Those of 80 mix less, and the late front is "
      "5 to 7 % faster; nothing here says "
      "which is\nright, for transition at these numbers (U^2 t / nu up to 2e5) is not known. Their layer is also "
      "thicker than a cell in places, and "
      "what lies beyond the first cell is not taken; taking it there too changed the late speed by less than 4 %.\n\n"
      "What is left out: surface tension. A tip that meets a dry floor at 90 degrees is held back by sigma = 0.072 "
      "N/m, "
      "which by the\nbalance of a rim that gathers the tongue, h (u - U)^2 = sigma / rho, lags by (81 g sigma / "
      "rho)^(1/4) t = 0.49 m/s t, whatever\nthe column: 23 % of the front's speed here, 33 % of a square column's, as "
      "much as the floor's. Side walls of the channel\nare not in 2D.\n\n"
      "`inviscid` had bounds of 0.04 and 0.02 while particles moved by the velocity at the end of a step, half a step "
      "ahead of time:\nthat hid half of the lag, and at short steps it lagged as much as now. It is a cell at 20 and "
      "40 cells and two at 80, so not of\nthe cells alone; what it is of is not known.");
}

}  // namespace silt::validation
