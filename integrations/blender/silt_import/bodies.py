"""Obstacles and bodies: a mesh each, placed by keys for every frame; one that deforms is a sequence of meshes as well."""

import json
import os

import bpy
from mathutils import Matrix, Quaternion, Vector

from . import materials, meshes, sequences
from .ply import Ply
from .run_folder import pattern_of


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


def add(collection, run, rgb):
    """The objects, none where the run has no bodies, and what went wrong, as sentences."""
    found, problems = {}, []  # found: name -> {frame: body}
    for series in run.of_kind("bodies"):
        for frame, path in series.files.items():
            try:
                bodies = read_bodies(path)
            except (OSError, ValueError, KeyError, TypeError, RecursionError):
                problems.append(f"{os.path.relpath(path, run.folder)} is damaged: its bodies are where they were before")
                continue
            for name, body in bodies.items():
                found.setdefault(name, {})[frame] = body
    if not found:
        return [], problems
    material = materials.solid("silt solid", rgb)
    there = run.shapes()
    objects = [add_body(collection, run, name, frames, there, problems) for name, frames in sorted(found.items())]
    for target in objects:
        target.data.materials.append(material)
    return objects, problems


def read_bodies(path):
    """name -> (name of its shape's file, Place)."""
    with open(path, encoding="utf-8") as file:
        return {str(body["name"]): (str(body["shape"]), Place(body)) for body in json.load(file)["bodies"]}


def add_body(collection, run, name, frames, there, problems):
    """One whose shape is damaged is there all the same, moving, with no form: the artist may give it another."""
    target = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    collection.objects.link(target)
    shapes = {frame: shape for frame, (shape, _) in frames.items()}
    for shape in sorted(set(shapes.values()) - there):
        problems.append(f"{shape} is missing or cut short: {name} has no form there")
    whole = {frame: shape for frame, shape in shapes.items() if shape in there}
    if whole and len(set(shapes.values())) > 1:
        stem = min(whole.values()).rsplit(".", 2)[0]  # "cache/flag.shape"
        sequences.attach(target, run.folder, pattern_of(stem, "ply"), sorted(whole))
    elif whole:
        try:
            meshes.fill(target.data, Ply(os.path.join(run.folder, next(iter(whole.values())))))
        except (OSError, ValueError) as error:
            problems.append(f"{error}: {name} has no form")
    place_over_time(target, {frame: place for frame, (_, place) in sorted(frames.items())})
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
