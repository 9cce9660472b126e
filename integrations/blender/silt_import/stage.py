"""What stands round the fluid: camera, light, floor, and the domain's bounds."""

import math

import bpy
from mathutils import Matrix, Vector

from . import materials

TO_SUN = Vector((-0.45, -0.42, 1.0))  # as in silt's own pictures
SUN_ANGLE = math.radians(2)


class Box:
    def __init__(self, lower, upper):
        self.lower, self.upper = Vector(lower), Vector(upper)
        self.centre = (self.lower + self.upper) / 2
        self.size = self.upper - self.lower
        self.longest = max(self.size)


def add_bounds(collection, box):
    empty = bpy.data.objects.new("domain", None)
    empty.empty_display_type = "CUBE"  # of half width 1
    empty.location = box.centre
    empty.scale = box.size / 2
    collection.objects.link(empty)
    return empty


def add_camera(collection, view, box):
    """The camera of silt's own pictures; a flat run is seen straight on."""
    camera = bpy.data.cameras.new("silt camera")
    target = bpy.data.objects.new("silt camera", camera)
    collection.objects.link(target)
    camera.sensor_fit = "VERTICAL"
    if view["domain"]["flat"]:
        camera.type = "ORTHO"
        seen = view["camera"]
        # The height that is seen; what is wide in a tall picture must fit as well.
        camera.ortho_scale = 1.05 * max(box.size.y, box.size.x * seen["height"] / seen["width"])
        target.location = box.centre + Vector((0, 0, 2 * box.longest))
    else:
        seen = view["camera"]
        camera.angle = math.radians(seen["field_of_view"])
        forward, up = Vector(seen["forward"]), Vector(seen["up"])
        turn = Matrix((forward.cross(up), up, -forward)).transposed()
        target.matrix_world = Matrix.Translation(seen["position"]) @ turn.to_4x4()
    camera.clip_start, camera.clip_end = 1e-3 * box.longest, 100 * box.longest
    return target


def add_light(collection, scene):
    light = bpy.data.lights.new("silt sun", "SUN")
    light.energy, light.angle = 3.5, SUN_ANGLE
    light.color = (1.0, 0.89, 0.75)
    sun = bpy.data.objects.new("silt sun", light)
    sun.rotation_euler = TO_SUN.to_track_quat("Z", "Y").to_euler()
    collection.objects.link(sun)
    world = bpy.data.worlds.new("silt sky")
    world.use_nodes = True
    background = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (0.31, 0.42, 0.61, 1)
    background.inputs["Strength"].default_value = 0.4
    scene.world = world


def add_floor(collection, box, rgb):
    """A plane far beyond the domain, a little above its bottom: water then lies on the floor. With a film of air between
    them light that comes down at a slant would be thrown back, and pools would be black."""
    reach, z = 20 * box.longest, box.lower.z + 1e-3 * box.longest
    mesh = bpy.data.meshes.new("floor")
    corners = [(box.centre.x + sx * reach, box.centre.y + sy * reach, z) for sx, sy in
               [(-1, -1), (1, -1), (1, 1), (-1, 1)]]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    mesh.materials.append(materials.solid("silt floor", rgb, 0.9))
    collection.objects.link(bpy.data.objects.new("floor", mesh))
