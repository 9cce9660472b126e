"""Objects whose data come from the file of the current frame. What they show is written on the object itself, so a saved
.blend file goes on when it is opened again, as long as the add-on is on and the run folder is where it was."""

import os

import bpy
from bpy.app.handlers import persistent

from . import meshes
from .ply import Ply

FOLDER, PATTERN, FRAMES = "silt_folder", "silt_pattern", "silt_frames"
SHOWN = "silt_shown"  # the frame whose file is loaded
reported = set()      # files that were complained about: once is enough


def attach(target, folder, pattern, frames):
    """target: an object with a mesh, or with a volume. pattern: "cache/water.surface.{:04}.ply"."""
    target[FOLDER] = folder
    target[PATTERN] = pattern
    target[FRAMES] = list(frames)
    target[SHOWN] = -1


def frame_to_show(frames, current):
    """The frame itself or the last one before it; nothing before the first."""
    earlier = [frame for frame in frames if frame <= current]
    return max(earlier) if earlier else None


def show(target, current):
    frame = frame_to_show(target[FRAMES], current)
    if frame is None or target[SHOWN] == frame:
        return
    path = os.path.join(bpy.path.abspath(target[FOLDER]), target[PATTERN].format(frame))
    if target.type == "VOLUME":
        target.data.filepath = path
    else:
        try:
            meshes.fill(target.data, Ply(path))
        except (OSError, ValueError) as error:
            target.data.clear_geometry()
            if path not in reported:
                reported.add(path)
                print(f"silt: frame {frame} of {target.name} cannot be shown: {error}")
    target[SHOWN] = frame


def show_all(scene):
    for target in scene.objects:
        if FRAMES in target:
            show(target, scene.frame_current)


@persistent
def on_frame_change(scene, _depsgraph=None):
    show_all(scene)


@persistent
def on_load(_path):
    for scene in bpy.data.scenes:
        show_all(scene)


def register():
    bpy.app.handlers.frame_change_pre.append(on_frame_change)
    bpy.app.handlers.load_post.append(on_load)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(on_frame_change)
    bpy.app.handlers.load_post.remove(on_load)
