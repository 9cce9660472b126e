#!/usr/bin/env python3
"""Draws a plot of an experiment: plot.py DESCRIPTION.json PICTURE. The description is what Plot::json() writes.

Computed curves are lines, published data open markers, exact solutions and guides dashed grey. Exits with 3 when
matplotlib is not installed.
"""

import json
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter
except ImportError:
    sys.exit(3)

COLOURS = ["#20639b", "#c8553d", "#3c8d5a", "#8d5a97", "#b8860b", "#5f6b6d"]
MARKERS = "osD^vP"


def draw(description, picture):
    plt.rcParams.update({
        "font.family": "DejaVu Sans", "font.size": 9.5, "axes.spines.top": False, "axes.spines.right": False,
        "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.6, "axes.edgecolor": "#555555",
        "axes.axisbelow": True, "legend.frameon": False,
    })
    figure, axes = plt.subplots(figsize=(6.4, 4.2), constrained_layout=True)
    colour = reference = 0
    for curve in description["curves"]:
        style = {"label": curve["label"]}
        if curve["style"] == "dashed":
            style.update(color="#777777", linestyle="--", linewidth=1.2, zorder=1)
        elif curve["style"] == "markers":
            style.update(color="#222222", linestyle="none", marker=MARKERS[reference % len(MARKERS)], markersize=5.5,
                         markerfacecolor="white", markeredgewidth=1.2, zorder=4)
            reference += 1
        else:
            style.update(color=COLOURS[colour % len(COLOURS)], linewidth=1.6, zorder=3)
            if curve["style"] == "points":
                style.update(marker="o", markersize=4)
            colour += 1
        axes.plot(curve["x"], curve["y"], **style)
    axes.set_xlabel(description["x"])
    axes.set_ylabel(description["y"])
    for log, set_scale, axis in [(description["log_x"], axes.set_xscale, axes.xaxis),
                                 (description["log_y"], axes.set_yscale, axes.yaxis)]:
        if log:
            set_scale("log")
            low, high = axis.get_view_interval()
            if high < 30 * low:  # too short for powers of ten alone
                axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                axis.set_major_formatter(FormatStrFormatter("%g"))
                axis.set_minor_formatter(NullFormatter())
    if len(description["curves"]) > 1:
        axes.legend()
    figure.savefig(picture, format="png", dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: plot.py DESCRIPTION.json PICTURE")
    with open(sys.argv[1], encoding="utf-8") as file:
        draw(json.load(file), sys.argv[2])
