# What the Mantaflow scripts share: a scene of Blender's with nothing in it, and how long its frames take.

import resource
import time

import bpy


def empty_scene():
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()


def fluid(thing, kind):
    modifier = thing.modifiers.new("fluid", "FLUID")
    modifier.fluid_type = kind
    return getattr(modifier, {"DOMAIN": "domain_settings", "FLOW": "flow_settings", "EFFECTOR": "effector_settings"}[kind])


def box_domain(size, kind, cells, walls):
    """A box from the origin on, with one substep a frame; `walls`: the sides that are not open."""
    bpy.ops.mesh.primitive_cube_add(size=1, location=[length / 2 for length in size])
    box = bpy.context.object
    box.scale = size
    domain = fluid(box, "DOMAIN")
    domain.domain_type = kind
    domain.resolution_max = cells
    domain.use_adaptive_timesteps = False
    domain.timesteps_min = domain.timesteps_max = 1
    for side in ("front", "back", "left", "right", "top", "bottom"):
        setattr(domain, "use_collision_border_" + side, side in walls)
    return box, domain


def water_column(cells):
    """The column of scenes/water_column.toml; particles fill all of it, as silt's do: usual is a band of 3 cells."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=128, radius=0.1857, depth=0.5, location=(0.3, 0.3, 0.25))
    column = fluid(bpy.context.object, "FLOW")
    column.flow_type = "LIQUID"
    column.flow_behavior = "GEOMETRY"
    box, domain = box_domain((1, 0.6, 0.6), "LIQUID", cells, walls=["front", "back", "left", "right", "bottom"])
    domain.use_mesh = False
    domain.particle_number = 2  # along each axis of a cell
    domain.particle_band_width = 1000  # cells below the surface that have particles
    return box, domain


def clocks():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return time.perf_counter(), used.ru_utime + used.ru_stime


def time_frames(domain, folder, fps, warm_up, frames):
    """Wall and CPU seconds of each of `frames` frames after the first `warm_up`."""
    domain.cache_directory = folder
    domain.cache_type = "REPLAY"
    domain.cache_frame_start = 1
    domain.cache_frame_end = warm_up + frames
    scene = bpy.context.scene
    scene.render.fps = fps
    scene.frame_start = 1
    scene.frame_end = warm_up + frames
    times = []
    for frame in range(1, warm_up + frames + 1):
        before = clocks()
        scene.frame_set(frame)
        after = clocks()
        if frame > warm_up:
            times.append((after[0] - before[0], after[1] - before[1]))
    return times


def say(options, items, amount, times):
    """As bench/mantaflow.cpp reads it."""
    print("library Mantaflow in Blender", bpy.app.version_string)
    print("options", options + ",", bpy.context.scene.render.threads, "threads")
    print("items", items)
    print("amount", amount)
    for wall, cpu in times:
        print("frame", wall, cpu)
