# Smoke by Mantaflow, in Blender: the plume of scenes/smoke_plume.toml. One substep a frame, so that the time of a frame
# is that of a substep and of writing its cache.
#
#   blender --background --factory-startup --threads N --python mantaflow_smoke.py -- CELLS WARM_UP FRAMES FOLDER
#
# CELLS along the longest side. Prints, as peers do, a line each: "library NAME", "options WHAT", "items CELLS", "amount
# SMOKE", and "frame SECONDS CPU_SECONDS" for each of FRAMES frames after the first WARM_UP.

import os
import sys

import bpy

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from mantaflow_scene import box_domain, empty_scene, fluid, say, time_frames  # noqa: E402

cells, warm_up, frames = (int(word) for word in sys.argv[-4:-1])
fps = 48  # silt takes two substeps a frame at 24


def sphere(centre, radius):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, location=centre, radius=radius)
    return bpy.context.object


empty_scene()
vent = fluid(sphere((0.5, 0.5, 0.1), 0.12), "FLOW")
vent.flow_type = "SMOKE"
vent.flow_behavior = "INFLOW"
vent.density = 1
vent.temperature = 1

ball = fluid(sphere((0.47, 0.5, 0.95), 0.17), "EFFECTOR")
ball.effector_type = "COLLISION"

box, domain = box_domain((1, 1, 2), "GAS", cells, walls=["bottom"])
domain.use_adaptive_domain = False
domain.use_noise = False

times = time_frames(domain, sys.argv[-1], fps, warm_up, frames)
grid = box.evaluated_get(bpy.context.evaluated_depsgraph_get()).modifiers["fluid"].domain_settings
nx, ny, nz = grid.domain_resolution
say("MacCormack, tolerance as Blender sets it, no noise", nx * ny * nz, sum(grid.density_grid), times)
