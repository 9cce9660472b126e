"""Volumes as Blender's volume objects. Fog is drawn as it is; a level set (water's `surface`, `solid`) as the mesh of its
zero, where the run has no mesh of its own for that."""

import bpy

from . import materials, sequences
from .run_folder import pattern_of


def add(collection, series):
    """One object with all grids of a material. Returns it with the grids' names."""
    frames = series.frames
    volume = bpy.data.volumes.new(series.name)
    volume.filepath = series.files[frames[0]]
    target = bpy.data.objects.new(series.name, volume)
    collection.objects.link(target)
    volume.grids.load()
    names = {grid.name for grid in volume.grids}
    volume.velocity_grid, volume.velocity_unit = "velocity", "SECOND"  # for motion blur
    if series.is_gapless:
        volume.is_sequence = True
        volume.sequence_mode = "CLIP"
        volume.frame_start, volume.frame_duration = frames[0], len(frames)
        volume.frame_offset = frames[0] - 1  # the file's number is that of the frame
    else:
        volume.is_sequence = False
    return target, names


def follow(target, run, series):
    """Frames with gaps between them: the last one that there is stays."""
    if not series.is_gapless:
        sequences.attach(target, run.folder, pattern_of(f"cache/{series.name}", "vdb"), series.frames)


def draw_fog(target, names, look):
    target.data.materials.append(
        materials.smoke(target.name, names, look["smoke"], look["density_scale"], look["flame_scale"]))


def draw_level_set(collection, volume, grid, name, material):
    """The surface where a grid is zero."""
    mesh = bpy.data.meshes.new(name)
    mesh.materials.append(material)
    target = bpy.data.objects.new(name, mesh)
    collection.objects.link(target)
    modifier = target.modifiers.new(grid, "VOLUME_TO_MESH")
    modifier.object = volume
    modifier.grid_name = grid
    modifier.threshold = 0.0
    modifier.use_smooth_shade = True
    return target
