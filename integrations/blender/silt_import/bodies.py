"""Obstacles and bodies: a mesh each, placed by keys for every frame; one that deforms is a sequence of meshes as well."""

import json
import os

import bpy
from mathutils import Matrix, Quaternion, Vector

from . import materials, meshes, sequences
from .ply import Ply


class Place:
    """x -> rotation (scale x) + translation, as the run's bodies file has it."""

    def __init__(self, body):
        self.location = Vector(body["translation"])
        self.rotation = Matrix(body["rotation"]).to_quaternion()
        self.scale = Vector([body["scale"]] * 3)

    def put(self, target):
        target.location, target.rotation_quaternion, target.scale = self.location, self.rotation, self.scale

    def __eq__(self, other):
        return (self.location, self.rotation, self.scale) == (other.location, other.rotation, other.scale)


def add(collection, run):
    """The objects, none where the run has no bodies."""
    found = {}  # name -> {frame: body}
    for series in run.of_kind("bodies"):
        for frame, path in series.files.items():
            with open(path, encoding="utf-8") as file:
                for body in json.load(file)["bodies"]:
                    found.setdefault(body["name"], {})[frame] = body
    if not found:
        return []
    material = materials.solid("silt solid", materials.SOLID_COLOUR)
    return [add_body(collection, run, name, frames, material) for name, frames in sorted(found.items())]


def add_body(collection, run, name, frames, material):
    target = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    target.data.materials.append(material)
    collection.objects.link(target)
    shapes = {frame: body["shape"] for frame, body in frames.items()}
    if len(set(shapes.values())) > 1:
        stem = min(shapes.values()).rsplit(".", 2)[0]  # "cache/flag.shape"
        sequences.attach(target, run.folder, stem + ".{:04}.ply", sorted(shapes))
    else:
        meshes.fill(target.data, Ply(os.path.join(run.folder, next(iter(shapes.values())))))
    place_over_time(target, {frame: Place(body) for frame, body in sorted(frames.items())})
    return target


def place_over_time(target, places):
    target.rotation_mode = "QUATERNION"
    first = next(iter(places.values()))
    first.put(target)
    if all(place == first for place in places.values()):
        return
    last = Quaternion()
    for frame, place in places.items():
        place.rotation.make_compatible(last)  # of the two that mean the same turn, the nearer one
        last = place.rotation
        place.put(target)
        for path in ("location", "rotation_quaternion", "scale"):
            target.keyframe_insert(path, frame=frame)
    for curve in getattr(target.animation_data.action, "fcurves", []):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
