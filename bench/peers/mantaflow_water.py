# Water by Mantaflow, in Blender: the column of scenes/water_column.toml. One substep a frame, so that the time of a frame
# is that of a substep and of writing its cache.
#
#   blender --background --factory-startup --threads N --python mantaflow_water.py -- CELLS WARM_UP FRAMES FOLDER
#
# CELLS along the longest side. Prints, as peers do, a line each: "library NAME", "options WHAT", "items PARTICLES",
# "amount PARTICLES", and "frame SECONDS CPU_SECONDS" for each of FRAMES frames after the first WARM_UP.

import os
import sys

import bpy

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from mantaflow_scene import box_domain, empty_scene, fluid, say, time_frames  # noqa: E402

cells, warm_up, frames = (int(word) for word in sys.argv[-4:-1])
fps = 100  # silt takes four or five substeps a frame at 24

empty_scene()
bpy.ops.mesh.primitive_cylinder_add(vertices=128, radius=0.1857, depth=0.5, location=(0.3, 0.3, 0.25))
column = fluid(bpy.context.object, "FLOW")
column.flow_type = "LIQUID"
column.flow_behavior = "GEOMETRY"

box, domain = box_domain((1, 0.6, 0.6), "LIQUID", cells, walls=["front", "back", "left", "right", "bottom"])
domain.use_mesh = False
domain.particle_number = 2  # along each axis of a cell
domain.particle_band_width = 1000  # cells below the surface that have particles: all, as silt has them; usual are 3

times = time_frames(domain, sys.argv[-1], fps, warm_up, frames)
systems = box.evaluated_get(bpy.context.evaluated_depsgraph_get()).particle_systems
count = len(systems[0].particles) if systems else 0
say(f"FLIP, ratio {domain.flip_ratio:g}, no mesh, tolerance as Blender sets it", count, count, times)
