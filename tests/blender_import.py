"""Runs inside Blender, for blender_test.py: imports a run as an artist would, and tells what came of it.

blender -b --factory-startup --python-exit-code 1 --python blender_import.py -- ADD_ON RUN SILT FRAME OUT [GLB]
"""

import json
import os
import sys

import bpy

add_on, run, silt, frame, out, *glb = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, add_on)
import silt_import  # noqa: E402

bpy.ops.wm.read_factory_settings(use_empty=True)
silt_import.register()
assert bpy.ops.import_scene.silt(directory=run, silt=silt) == {"FINISHED"}

# A saved file must show the same when it is opened again.
blend = os.path.join(out, "scene.blend")
bpy.ops.wm.save_as_mainfile(filepath=blend)
bpy.ops.wm.open_mainfile(filepath=blend)
scene = bpy.context.scene
scene.frame_set(int(frame))
depsgraph = bpy.context.evaluated_depsgraph_get()


def bounds(corners):
    return [[min(c[a] for c in corners) for a in range(3)], [max(c[a] for c in corners) for a in range(3)]]


def world(target, corners):
    return [list(target.matrix_world @ corner) for corner in corners]


def tell(target):
    from mathutils import Vector
    told = {"type": target.type, "place": [list(row) for row in target.matrix_world], "hidden": target.hide_render,
            "materials": [m.name for m in getattr(target.data, "materials", [])]}
    evaluated = target.evaluated_get(depsgraph)
    if target.type == "MESH":
        told["vertices"], told["faces"] = len(target.data.vertices), len(target.data.polygons)
        told["attributes"] = [a.name for a in target.data.attributes]
        told["drawn_vertices"] = len(evaluated.data.vertices)
        if target.data.vertices:
            told["bounds"] = bounds(world(target, [v.co for v in target.data.vertices]))
        velocity = target.data.attributes.get("velocity")
        if velocity and len(velocity.data):
            told["fastest"] = max(v.vector.length for v in velocity.data)
    if target.type == "VOLUME":
        evaluated.data.grids.load()
        told["velocity"] = [target.data.velocity_grid, target.data.velocity_unit]
        told["grids"] = [grid.name for grid in evaluated.data.grids]
        told["file"] = os.path.basename(evaluated.data.grids.frame_filepath)
        told["bounds"] = bounds(world(target, [Vector(corner) for corner in evaluated.bound_box]))
    if target.type == "EMPTY":
        told["bounds"] = bounds(world(target, [Vector((x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]))
    if target.type == "CAMERA":
        told["position"] = list(target.matrix_world.translation)
        told["forward"] = list(target.matrix_world.to_3x3() @ Vector((0, 0, -1)))
    return told


def domain_in_picture():
    """Where the corners of the domain are in the picture: 0 to 1 from left to right, and from bottom to top."""
    from bpy_extras.object_utils import world_to_camera_view
    domain = scene.objects.get("domain")
    if domain is None or scene.camera is None:
        return []
    from mathutils import Vector
    corners = [Vector((x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return [list(world_to_camera_view(scene, scene.camera, domain.matrix_world @ corner))[:2] for corner in corners]


def absorbed(material):
    """By Cycles' Volume Absorption, of each colour [1/m]."""
    for node in material.node_tree.nodes:
        if node.type == "VOLUME_ABSORPTION":
            return [node.inputs["Density"].default_value * (1 - c) for c in node.inputs["Color"].default_value[:3]]
    return None


def painted(material):
    """The colour of a dull surface."""
    for node in material.node_tree.nodes:
        if node.type == "BSDF_PRINCIPLED":
            return list(node.inputs["Base Color"].default_value[:3])
    return None


domain_seen = domain_in_picture()


scene.render.resolution_x = scene.render.resolution_y = 64
scene.cycles.samples = 4
scene.render.filepath = os.path.join(out, "picture.png")
told = {"objects": {target.name: tell(target) for target in scene.objects},
        "tints": {m.name: [n.attribute_name for n in m.node_tree.nodes if n.type == "ATTRIBUTE"]
                  for m in bpy.data.materials if m.node_tree},
        "domain_seen": domain_seen, "absorbed": {m.name: absorbed(m) for m in bpy.data.materials if m.node_tree},
        "painted": {m.name: painted(m) for m in bpy.data.materials if m.node_tree},
        "fps": scene.render.fps / scene.render.fps_base, "frames": [scene.frame_start, scene.frame_end]}
if scene.camera is None:  # a run that does not tell its camera
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(scene.camera)
bpy.ops.render.render(write_still=True)
picture = bpy.data.images.load(scene.render.filepath)
told["pixels"] = list(picture.pixels)

# The same picture with nothing of the run in it.
for target in scene.objects:
    if target.type in {"MESH", "VOLUME"} and target.name != "floor":
        target.hide_render = True
scene.render.filepath = os.path.join(out, "empty.png")
bpy.ops.render.render(write_still=True)
told["empty_pixels"] = list(bpy.data.images.load(scene.render.filepath).pixels)

# The same frame as glTF, through Blender's own importer.
before = set(scene.objects)
for path in glb:
    import addon_utils
    import numpy
    numpy.bool = bool  # the importer of Blender 3.4 uses a name that Debian's numpy has no more
    addon_utils.enable("io_scene_gltf2")
    assert bpy.ops.import_scene.gltf(filepath=path) == {"FINISHED"}
bpy.context.view_layer.update()
depsgraph = bpy.context.evaluated_depsgraph_get()
told["gltf"] = {target.name: tell(target) for target in scene.objects if target not in before}

with open(os.path.join(out, "told.json"), "w", encoding="utf-8") as file:
    json.dump(told, file)
