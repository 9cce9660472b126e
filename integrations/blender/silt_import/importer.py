"""A whole run as objects in a collection of its own."""

import os

import bpy

from . import bodies, materials, point_nodes, points_export, sequences, stage, volumes
from .ply import Ply
from .run_folder import Run, pattern_of


def can_denoise():
    """Blenders that are built without a denoiser, Debian's among them, fail to render with one switched on."""
    try:
        import _cycles
    except ImportError:
        return True
    return bool(getattr(_cycles, "with_openimagedenoise", True))


class Importer:
    def __init__(self, folder, scene, silt):
        self.run = Run(folder)
        self.scene = scene
        self.silt = silt
        self.collection = bpy.data.collections.new(self.run.name)
        scene.collection.children.link(self.collection)
        self.box = self._box()
        self.look = self.run.look()
        self.surfaces = set()  # materials that have one
        self.problems = [f"{name} is missing or cut short: its frame is left out"
                         for name, kind in self.run.lost().items() if kind != "shape"]  # see bodies.py

    def _box(self):
        view = self.run.view
        if view is None:  # an older run: one metre, and no camera
            return stage.Box((0, 0, 0), (1, 1, 1))
        return stage.Box(view["domain"]["lower"], view["domain"]["upper"])

    def go(self):
        self.add_meshes()
        self.solids, problems = bodies.add(self.collection, self.run, self.look["solid"])
        self.problems += problems
        self.add_volumes()
        self.add_points()
        self.set_scene()
        sequences.show_all(self.scene)
        return self.problems

    def add_meshes(self):
        for series in self.run.of_kind("mesh"):
            target = self.add_mesh_object(series.name)
            self.surfaces.add(series.name.split(".")[0])
            tint = self.tint_of(series.files[series.frames[-1]])  # the first may have nothing in it
            target.data.materials.append(self.material_of(series.name, tint))
            sequences.attach(target, self.run.folder, pattern_of(f"cache/{series.name}", "ply"), series.frames)

    def add_points(self):
        series = self.run.of_kind("points")
        if not series:
            return
        there, problems = points_export.export(self.run, series, self.silt)
        self.problems += problems
        for name, frames in there.items():
            target = self.add_mesh_object(name)
            pattern = pattern_of(os.path.join(points_export.FOLDER, name), "ply")
            sequences.attach(target, self.run.folder, pattern, frames)
            tint = self.tint_of(os.path.join(self.run.folder, pattern.format(frames[0])))
            point_nodes.draw_as_points(target, self.point_material_of(name, tint))
            # Where there is a surface of the same material it is the surface that one wants to see.
            target.hide_render = name.split(".")[0] in self.surfaces

    def add_volumes(self):
        for series in self.run.of_kind("volume"):
            target, names = volumes.add(self.collection, series)
            volumes.follow(target, self.run, series)
            material = series.name.split(".")[0]
            if "density" in names:
                volumes.draw_fog(target, names, self.look)
            else:
                target.hide_render = True
            if "surface" in names and material not in self.surfaces:
                self.surfaces.add(material)
                volumes.draw_level_set(self.collection, target, "surface", f"{material}.surface",
                                       self.material_of(material))
                if not (self.run.view and self.run.view["domain"]["flat"]):  # of planes there are no meshes
                    self.problems.append(f"{material} has no mesh, and is shown by its level set, coarse where it meets "
                                         f"walls: `silt surface '{self.run.folder}'` makes one, with velocities")
            if "solid" in names and not self.solids:
                volumes.draw_level_set(self.collection, target, "solid", f"{material}.solid",
                                       materials.solid("silt solid", self.look["solid"]))

    def add_mesh_object(self, name):
        target = bpy.data.objects.new(name, bpy.data.meshes.new(name))
        self.collection.objects.link(target)
        return target

    @staticmethod
    def tint_of(path):
        """The attribute that colours it, where the file has colours."""
        try:
            return "Cd" if "red" in Ply(path).names else None
        except (OSError, ValueError):  # named when it is shown
            return None

    def material_of(self, name, tint=None):
        if name.startswith("water"):
            return materials.water(self.look["water"], self.look["water_depth"], tint)
        return materials.solid(f"silt {name}", self.look["grain"], tint=tint)

    def point_material_of(self, name, tint):
        rgb = self.look["water" if name.startswith("water") else "grain"]
        return materials.solid(f"silt {name}", rgb, 0.4, tint)

    def set_scene(self):
        frames, scene = self.run.frames, self.scene
        scene.frame_start, scene.frame_end = frames[0], frames[-1]
        if not frames[0] <= scene.frame_current <= frames[-1]:
            scene.frame_set(frames[0])
        scene.render.engine = "CYCLES"
        scene.cycles.caustics_refractive = scene.cycles.caustics_reflective = False  # see materials.water
        scene.cycles.sample_clamp_indirect = 2.0
        scene.cycles.use_denoising = can_denoise()
        scene.cycles.volume_bounces = 4  # smoke is bright because light scatters in it more than once
        stage.add_light(self.collection, scene)
        view = self.run.view
        if view is None:
            self.problems.append("run.json does not tell the camera: place one yourself")
            return
        stage.add_bounds(self.collection, self.box)
        if not view["domain"]["flat"]:
            stage.add_floor(self.collection, self.box, self.look["ground"])
        scene.camera = stage.add_camera(self.collection, view, self.box)
        scene.render.resolution_x, scene.render.resolution_y = view["camera"]["width"], view["camera"]["height"]
        scene.render.resolution_percentage = 100
        scene.render.fps_base = 1.0
        scene.render.fps = max(1, round(view["fps"]))
        if abs(view["fps"] - scene.render.fps) > 1e-9:
            scene.render.fps_base = scene.render.fps / view["fps"]
