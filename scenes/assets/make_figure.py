#!/usr/bin/env python3
"""Writes figure.obj: a standing human figure, 1.75 m tall, feet at z = 0, facing -y.

The body is a smooth union of tapered capsules and ellipsoids; its surface is found by surface nets (one vertex a cell
that the surface passes through, one quadrilateral an edge) and the vertices are then drawn onto it.

    python3 scenes/assets/make_figure.py [cell size, 0.016] > scenes/assets/figure.obj
"""

import sys

import numpy as np

# (from, to, radius at from, radius at to) [m]; limbs are given for the left (x > 0) and the right side.
LIMBS = [
    ((0, 0.00, 0.98), (0, -0.005, 1.18), 0.130, 0.118),  # hips to waist
    ((0, -0.005, 1.18), (0, 0.005, 1.36), 0.122, 0.135),  # chest
    ((0, 0.01, 1.42), (0, -0.005, 1.54), 0.062, 0.055),  # neck
    ((-0.11, 0.01, 1.405), (0.11, 0.01, 1.405), 0.072, 0.072),  # shoulders
    # left leg, a little forward
    ((0.085, 0.00, 0.94), (0.105, -0.05, 0.51), 0.092, 0.062),
    ((0.105, -0.05, 0.50), (0.115, 0.00, 0.10), 0.060, 0.040),
    ((0.112, -0.045, 0.42), (0.113, -0.02, 0.30), 0.058, 0.046),  # calf
    ((0.115, 0.015, 0.055), (0.125, -0.150, 0.035), 0.045, 0.033),
    # right leg, a little back
    ((-0.085, 0.01, 0.94), (-0.110, 0.04, 0.51), 0.092, 0.062),
    ((-0.110, 0.04, 0.50), (-0.125, 0.11, 0.10), 0.060, 0.040),
    ((-0.113, 0.06, 0.42), (-0.118, 0.08, 0.30), 0.058, 0.046),
    ((-0.125, 0.125, 0.055), (-0.150, -0.035, 0.035), 0.045, 0.033),
    # left arm, hanging
    ((0.195, 0.01, 1.385), (0.262, 0.02, 1.125), 0.056, 0.042),
    ((0.262, 0.02, 1.125), (0.285, -0.06, 0.89), 0.041, 0.029),
    ((0.285, -0.065, 0.87), (0.280, -0.105, 0.78), 0.034, 0.022),
    # right arm, raised as in greeting
    ((-0.195, 0.01, 1.385), (-0.375, -0.02, 1.24), 0.056, 0.042),
    ((-0.375, -0.02, 1.24), (-0.430, -0.12, 1.47), 0.041, 0.029),
    ((-0.430, -0.125, 1.49), (-0.425, -0.140, 1.59), 0.034, 0.024),
]
# (centre, half axes) [m]
ELLIPSOIDS = [
    ((0, -0.010, 1.645), (0.078, 0.096, 0.112)),  # head
    ((0, -0.055, 1.590), (0.052, 0.055, 0.055)),  # jaw
    ((0.00, 0.00, 0.97), (0.165, 0.115, 0.115)),  # pelvis
    ((0.055, -0.055, 1.32), (0.095, 0.075, 0.095)),
    ((-0.055, -0.055, 1.32), (0.095, 0.075, 0.095)),  # breast
]
BLEND = 0.045  # [m] over which parts run into each other


def smooth_min(a, b, k):
    h = np.clip(0.5 + 0.5 * (b - a) / k, 0, 1)
    return b * (1 - h) + a * h - k * h * (1 - h)


def distance(x):
    """Of points (n, 3); near enough to a distance."""
    out = np.full(len(x), 1e9)
    for a, b, ra, rb in LIMBS:
        a, b = np.array(a, float), np.array(b, float)
        t = np.clip((x - a) @ (b - a) / np.dot(b - a, b - a), 0, 1)
        d = np.linalg.norm(x - a - t[:, None] * (b - a), axis=1) - (ra + t * (rb - ra))
        out = smooth_min(out, d, BLEND)
    for centre, half in ELLIPSOIDS:
        p = (x - np.array(centre)) / np.array(half)
        length = np.maximum(np.linalg.norm(p, axis=1), 1e-9)
        slope = np.maximum(np.linalg.norm(p / np.array(half), axis=1), 1e-9)
        out = smooth_min(out, length * (length - 1) / slope, BLEND)
    return -smooth_min(-out, x[:, 2] - 0.004, 0.02)  # soles are flat


def gradient(x, e=1e-4):
    return np.stack([(distance(x + e * d) - distance(x - e * d)) / (2 * e) for d in np.eye(3)], axis=1)


def surface_nets(low, high, h):
    n = np.ceil((high - low) / h).astype(int) + 1
    axes = [low[a] + h * np.arange(n[a]) for a in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = np.concatenate([distance(plane.reshape(-1, 3)) for plane in grid]).reshape(n)
    inside = values < 0
    count = np.zeros(n - 1)
    middle = np.zeros(tuple(n - 1) + (3,))
    corner = lambda i, j, k: (slice(i, n[0] - 1 + i), slice(j, n[1] - 1 + j), slice(k, n[2] - 1 + k))
    for axis in range(3):  # the mean of the crossings of a cell's edges
        step = np.eye(3, dtype=int)[axis]
        for i in range(4):
            o = np.zeros(3, int)
            o[(axis + 1) % 3], o[(axis + 2) % 3] = i & 1, i >> 1
            a, b = corner(*o), corner(*(o + step))
            cut = inside[a] != inside[b]
            t = np.where(cut, values[a] / np.where(cut, values[a] - values[b], 1), 0)
            middle += np.where(cut[..., None], grid[a] + t[..., None] * step * h, 0)
            count += cut
    cells = count > 0
    number = np.full(n - 1, -1)
    number[cells] = np.arange(cells.sum())
    vertices = middle[cells] / count[cells][:, None]
    quads = []
    for axis in range(3):
        u, v = np.eye(3, dtype=int)[(axis + 1) % 3], np.eye(3, dtype=int)[(axis + 2) % 3]
        first = [slice(1, n[a] - 1) for a in range(3)]
        first[axis] = slice(0, n[axis] - 1)
        second = list(first)
        second[axis] = slice(1, n[axis])
        a, b = inside[tuple(first)], inside[tuple(second)]
        base = np.array([s.start for s in first])
        for out, turned in ((a & ~b, False), (~a & b, True)):
            c = np.argwhere(out) + base
            ring = [number[tuple((c + d).T)] for d in (-u - v, -v, 0 * u, -u)]
            quads.append(np.stack(ring[::-1] if turned else ring, axis=1))
    return vertices, np.concatenate(quads)


def main():
    h = float(sys.argv[1]) if len(sys.argv) > 1 else 0.016
    vertices, quads = surface_nets(np.array([-0.62, -0.42, -0.06]), np.array([0.5, 0.38, 1.9]), h)
    for _ in range(3):
        g = gradient(vertices)
        step = distance(vertices) / np.maximum((g * g).sum(axis=1), 0.05)
        vertices = vertices - np.clip(step, -0.2 * h, 0.2 * h)[:, None] * g
    print("# A standing figure, made by make_figure.py: metres, z up, facing -y.")
    print("\n".join("v %.5f %.5f %.5f" % tuple(v) for v in vertices))
    print("\n".join("f %d %d %d %d" % tuple(q + 1) for q in quads))


if __name__ == "__main__":
    main()
