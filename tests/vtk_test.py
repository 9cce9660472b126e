#!/usr/bin/env python3
"""What VTK's own readers find in exported files equals the cache. Needs Debian's python3-vtk9; skipped without it."""

import os
import subprocess
import sys
import xml.etree.ElementTree as xml

import silt_program as program
from exported import CachedFrame, placed_corners, triples
from silt_program import ProgramTest

SKIPPED = 77  # ctest counts it as skipped, not as passed

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    # Debian's package is for Debian's python3, which need not be the first one on the path.
    if sys.executable != "/usr/bin/python3" and os.access("/usr/bin/python3", os.X_OK):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("skipped: VTK's Python modules are not here (Debian: python3-vtk9, python3-numpy)")
    sys.exit(SKIPPED)

CACHE_TOOL = os.path.abspath(sys.argv.pop(2))


class Vtk(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"
        subprocess.run([CACHE_TOOL, "make", str(self.run_folder)], check=True)
        self.out = self.folder / "out"
        # VTK prints its complaints; here each of them is a failure.
        self.complaints = vtk.vtkStringOutputWindow()
        vtk.vtkOutputWindow.SetInstance(self.complaints)

    def export(self, *words):
        self.succeed("export", self.run_folder, "--to", "vtk", "--out", self.out, *words)

    def cached(self, number):
        return CachedFrame(CACHE_TOOL, self.run_folder, number, self.folder / "dump.safetensors")

    def read(self, name):
        readers = {"vti": vtk.vtkXMLImageDataReader, "vtp": vtk.vtkXMLPolyDataReader,
                   "vtu": vtk.vtkXMLUnstructuredGridReader}
        reader = readers[name[-3:]]()
        reader.SetFileName(str(self.out / name))
        reader.Update()
        self.assertEqual(self.complaints.GetOutput(), "", name)
        return reader.GetOutput()

    def values(self, data, name):
        found = data.GetArray(name)
        self.assertIsNotNone(found, name)
        return vtk_to_numpy(found)

    def assert_same(self, found, expected, what, tolerance=0):
        flat = found.reshape(-1)
        self.assertEqual(len(flat), len(expected), what)
        worst = max((abs(a - b) for a, b in zip(flat.tolist(), expected)), default=0)
        self.assertLessEqual(worst, tolerance, what)

    def assert_time(self, data, cached):
        self.assertEqual(data.GetFieldData().GetArray("TimeValue").GetValue(0), cached.time)

    def volume_name(self, name):
        return "vel" if name == "velocity" else name

    def test_volumes(self):
        self.export()
        for number in [1, 3]:
            cached = self.cached(number)
            for material in ["smoke", "water"]:
                image = self.read(f"{material}.volume.{number:04}.vti")
                self.assert_time(image, cached)
                self.assertEqual(list(image.GetOrigin()), cached.origin)
                self.assertEqual(list(image.GetSpacing()), [cached.h] * 3)
                x0, x1, y0, y1, z0, z1 = image.GetExtent()
                inside = {}  # by name: cells that a box has
                for name, lo, hi, background, values in cached.boxes(material):
                    found = self.values(image.GetCellData(), self.volume_name(name))
                    found = found.reshape(z1 - z0, y1 - y0, x1 - x0, -1)
                    box = found[lo[2] - z0:hi[2] - z0, lo[1] - y0:hi[1] - y0, lo[0] - x0:hi[0] - x0]
                    self.assertEqual(box.reshape(-1).tolist(), list(values), name)
                    covered = inside.setdefault(name, [found.copy(), background])
                    covered[0][lo[2] - z0:hi[2] - z0, lo[1] - y0:hi[1] - y0, lo[0] - x0:hi[0] - x0] = background
                self.assertGreater(len(inside), 0)
                for name, (rest, background) in inside.items():
                    self.assertTrue((rest == background).all(), name)

    def test_cells_in_use(self):
        self.export("--what", "cells", "--frames", "2")
        cached = self.cached(2)
        grid = self.read("smoke.cells.0002.vtu")
        self.assert_time(grid, cached)
        # By the cell's centre: every value, and no cell that nothing is in.
        wanted = {}
        for name, lo, hi, background, values in cached.boxes("smoke"):
            n = [h - l for l, h in zip(lo, hi)]
            components = len(values) // (n[0] * n[1] * n[2])
            for i in range(n[0] * n[1] * n[2]):
                cell = (lo[0] + i % n[0], lo[1] + i // n[0] % n[1], lo[2] + i // n[0] // n[1])
                value = list(values[i * components:(i + 1) * components])
                if any(v != background for v in value):
                    wanted.setdefault(cell, {})
                wanted.get(cell, {})[self.volume_name(name)] = value
        self.assertEqual(grid.GetNumberOfCells(), len(wanted))
        self.assertLess(grid.GetNumberOfPoints(), 3 * len(wanted))  # corners are shared
        arrays = {name: self.values(grid.GetCellData(), name).reshape(len(wanted), -1)
                  for name in ["density", "temperature", "vel"]}
        for i in range(grid.GetNumberOfCells()):
            corners = grid.GetCell(i).GetPoints()
            for corner, axis in [(1, 0), (2, 1), (4, 2)]:  # as VTK numbers a voxel's
                edge = [b - a for a, b in zip(corners.GetPoint(0), corners.GetPoint(corner))]
                for a in range(3):
                    self.assertAlmostEqual(edge[a], cached.h if a == axis else 0, 9)
            b = grid.GetCell(i).GetBounds()
            self.assertAlmostEqual(b[1] - b[0], cached.h, 9)
            cell = tuple(int((0.5 * (b[2 * a] + b[2 * a + 1]) - cached.origin[a]) // cached.h) for a in range(3))
            for name, value in wanted.pop(cell).items():
                self.assertEqual(arrays[name][i].tolist(), value)

    def test_points(self):
        self.export()
        cached = self.cached(2)
        points = cached.group("points/water/")
        data = self.read("water.points.0002.vtp")
        self.assert_time(data, cached)
        self.assertEqual(data.GetNumberOfVerts(), 500)
        self.assert_same(vtk_to_numpy(data.GetPoints().GetData()), points["P"], "P")
        for name in ["v", "id", "age", "source", "wetness", "heat"]:
            self.assert_same(self.values(data.GetPointData(), name), points[name], name)
        self.assertEqual(set(self.values(data.GetPointData(), "pscale").tolist()),
                         {float(cached.metadata["points/water/radius"])})
        rgb = [c / 255 for colour in points["colour"] for c in (colour >> 16, colour >> 8 & 255, colour & 255)]
        self.assert_same(self.values(data.GetPointData(), "Cd"), rgb, "Cd", 1e-7)

    def test_meshes(self):
        self.export()
        cached = self.cached(1)
        mesh = cached.group("mesh/water.surface/")
        data = self.read("water.surface.0001.vtp")
        self.assert_same(vtk_to_numpy(data.GetPoints().GetData()), mesh["P"], "P")
        for name in ["N", "v", "wetness", "wet"]:
            self.assert_same(self.values(data.GetPointData(), name), mesh[name], name)
        rgb = [c / 255 for colour in mesh["colour"] for c in (colour >> 16, colour >> 8 & 255, colour & 255)]
        self.assert_same(self.values(data.GetPointData(), "Cd"), rgb, "Cd", 1e-7)
        triangles = [tuple(data.GetCell(i).GetPointId(n) for n in range(3)) for i in range(data.GetNumberOfCells())]
        self.assertEqual(triangles, triples(mesh["triangles"]))

    def test_bodies(self):
        self.export("--what", "bodies")
        for number in [1, 3]:
            places, velocities, triangles = placed_corners(self.run_folder, number)
            data = self.read(f"bodies.{number:04}.vtp")
            self.assertEqual(data.GetNumberOfCells(), len(triangles))
            self.assert_same(vtk_to_numpy(data.GetPoints().GetData()), sum(places, []), "P", 1e-6)
            self.assert_same(self.values(data.GetPointData(), "v"), sum(velocities, []), "v", 1e-6)
            self.assert_same(self.values(data.GetPointData(), "body"), [0] * len(places), "body")

    def test_axes_and_scale(self):
        self.export()
        z_up = [self.read(f"{name}.0001.{ending}").GetBounds()
                for name, ending in [("smoke.volume", "vti"), ("water.points", "vtp")]]
        self.export("--axes", "y_up", "--scale", "10")
        for before, name in zip(z_up, ["smoke.volume.0001.vti", "water.points.0001.vtp"]):
            expected = [10 * before[i] for i in (0, 1, 4, 5)] + [-10 * before[3], -10 * before[2]]
            self.assert_same(self.values_of(self.read(name).GetBounds()), expected, name, 1e-6)

    def values_of(self, numbers):
        import numpy
        return numpy.array(numbers)

    def test_frames_with_nothing_in_them(self):
        """A tap that opens in the second frame: the first is a file like the others."""
        tap = self.folder / "tap.toml"
        tap.write_text(program.TAP)
        self.succeed("run", tap, "--no-pictures", cwd=self.folder)
        self.run_folder = self.folder / "out/tap"
        self.succeed("surface", self.run_folder)
        self.export()
        for name in ["water.volume", "water.points", "water.surface"]:
            ending = "vti" if name == "water.volume" else "vtp"
            empty, full = [self.read(f"{name}.000{n}.{ending}") for n in (1, 3)]
            self.assertEqual(empty.GetPointData().GetNumberOfArrays(), full.GetPointData().GetNumberOfArrays(), name)
            self.assertEqual(empty.GetCellData().GetNumberOfArrays(), full.GetCellData().GetNumberOfArrays(), name)
            self.assertEqual(full.GetCellData().GetNumberOfArrays() > 0, ending == "vti")
            self.assertGreater(full.GetNumberOfPoints(), 0)
        self.assertEqual(self.read("water.surface.0001.vtp").GetNumberOfPoints(), 0)

    def test_lists_name_every_instant(self):
        self.export()
        entries = list(xml.parse(self.out / "all.pvd").getroot().iter("DataSet"))
        self.assertEqual(len(entries), 3 * 5)
        for e in entries:
            data = self.read(e.get("file"))
            self.assertEqual(data.GetFieldData().GetArray("TimeValue").GetValue(0), float(e.get("timestep")))
        parts = {(e.get("name"), e.get("part")) for e in entries}
        self.assertEqual(len(parts), 5)  # the same number for the same thing


if __name__ == "__main__":
    program.main()
