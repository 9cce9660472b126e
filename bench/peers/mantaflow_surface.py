# Mantaflow's mesh of water, in Blender: the column of scenes/water_column.toml, run twice, without a mesh and with one.
# What the second takes longer is the mesher's, the writing of its mesh included.
#
#   blender --background --factory-startup --threads N --python mantaflow_surface.py -- CELLS WARM_UP FRAMES FOLDER
#
# CELLS along the longest side. Prints, as peers do, a line each: "library NAME", "options WHAT", "items PARTICLES",
# "amount CORNERS", and "frame SECONDS CPU_SECONDS" for each of FRAMES frames after the first WARM_UP.

import os
import sys

import bpy

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from mantaflow_scene import empty_scene, say, time_frames, water_column  # noqa: E402

cells, warm_up, frames = (int(word) for word in sys.argv[-4:-1])
fps = 100


def run(with_mesh):
    empty_scene()
    box, domain = water_column(cells)
    domain.use_mesh = with_mesh
    domain.mesh_scale = 2  # voxels of half a cell
    times = time_frames(domain, os.path.join(sys.argv[-1], "mesh" if with_mesh else "plain"), fps, warm_up, frames)
    made = box.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return times, len(made.particle_systems[0].particles), len(made.data.vertices), domain.mesh_generator


plain, _, _, _ = run(False)
meshed, particles, corners, generator = run(True)
say(f"mesher {generator.lower()}, two voxels a cell, {corners} corners", particles, corners,
    [(a[0] - b[0], a[1] - b[1]) for a, b in zip(meshed, plain)])
