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
from mantaflow_scene import empty_scene, say, time_frames, water_column  # noqa: E402

cells, warm_up, frames = (int(word) for word in sys.argv[-4:-1])
fps = 100  # silt takes four or five substeps a frame at 24

empty_scene()
box, domain = water_column(cells)
times = time_frames(domain, sys.argv[-1], fps, warm_up, frames)
systems = box.evaluated_get(bpy.context.evaluated_depsgraph_get()).particle_systems
count = len(systems[0].particles) if systems else 0
say(f"FLIP, ratio {domain.flip_ratio:g}, no mesh, tolerance as Blender sets it", count, count, times)
