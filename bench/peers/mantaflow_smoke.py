# Smoke by Mantaflow, in Blender: the plume of scenes/smoke_plume.toml. One substep a frame, so that the time of a frame
# is that of a substep and of writing its cache.
#
#   blender --background --factory-startup --threads N --python mantaflow_smoke.py -- CELLS WARM_UP FRAMES FOLDER
#
# CELLS along the longest side. Prints, as peers do, a line each: "library NAME", "options WHAT", "cells NX NY NZ", and
# "frame SECONDS CPU_SECONDS" for each of FRAMES frames after the first WARM_UP.

import resource
import sys
import time

import bpy

cells, warm_up, frames = (int(word) for word in sys.argv[-4:-1])
folder = sys.argv[-1]
fps = 48  # silt takes two substeps a frame at 24


def sphere(centre, radius):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, location=centre, radius=radius)
    return bpy.context.object


def fluid(thing, kind):
    modifier = thing.modifiers.new("fluid", "FLUID")
    modifier.fluid_type = kind
    return getattr(modifier, {"DOMAIN": "domain_settings", "FLOW": "flow_settings", "EFFECTOR": "effector_settings"}[kind])


bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()

vent = fluid(sphere((0.5, 0.5, 0.1), 0.12), "FLOW")
vent.flow_type = "SMOKE"
vent.flow_behavior = "INFLOW"
vent.density = 1
vent.temperature = 1

ball = fluid(sphere((0.47, 0.5, 0.95), 0.17), "EFFECTOR")
ball.effector_type = "COLLISION"

bpy.ops.mesh.primitive_cube_add(size=1, location=(0.5, 0.5, 1.0))
box = bpy.context.object
box.scale = (1, 1, 2)
domain = fluid(box, "DOMAIN")
domain.domain_type = "GAS"
domain.resolution_max = cells
domain.use_adaptive_domain = False
domain.use_noise = False
domain.use_adaptive_timesteps = False
domain.timesteps_min = domain.timesteps_max = 1
for side in ("front", "back", "left", "right", "top"):
    setattr(domain, "use_collision_border_" + side, False)
domain.use_collision_border_bottom = True
domain.cache_directory = folder
domain.cache_type = "REPLAY"
domain.cache_frame_start = 1
domain.cache_frame_end = warm_up + frames

scene = bpy.context.scene
scene.render.fps = fps
scene.frame_start = 1
scene.frame_end = warm_up + frames


def clocks():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return time.perf_counter(), used.ru_utime + used.ru_stime


times = []
for frame in range(1, warm_up + frames + 1):
    before = clocks()
    scene.frame_set(frame)
    after = clocks()
    if frame > warm_up:
        times.append((after[0] - before[0], after[1] - before[1]))

grid = box.evaluated_get(bpy.context.evaluated_depsgraph_get()).modifiers["fluid"].domain_settings
density = grid.density_grid
print("library Mantaflow in Blender", bpy.app.version_string)
print("options MacCormack, tolerance as Blender sets it, no noise,", scene.render.threads, "threads")
print("cells", *grid.domain_resolution)
print("smoke", sum(density))
for wall, cpu in times:
    print("frame", wall, cpu)
