"""The numbers of a PLY file as a Blender mesh: surfaces with triangles, points as vertices. Attributes keep silt's names,
but for velocity, which Cycles looks for under that name to blur motion."""

import bpy
import numpy

NOT_ATTRIBUTES = {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz", "red", "green", "blue"}
WHOLE_NUMBERS = {"id", "source"}  # Blender's whole numbers have 32 bits: of larger ids the low ones are kept


def fill(mesh, ply):
    """Replaces all that is in the mesh; its materials stay."""
    mesh.clear_geometry()
    positions = ply.vectors("x", "y", "z")
    mesh.vertices.add(len(positions))
    mesh.vertices.foreach_set("co", positions.ravel())
    count = len(ply.triangles)
    if count:
        mesh.loops.add(3 * count)
        mesh.loops.foreach_set("vertex_index", ply.triangles.ravel())
        mesh.polygons.add(count)
        mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * count, 3, dtype=numpy.int32))
        if bpy.app.version < (4, 1, 0):  # later ones know it from the starts
            mesh.polygons.foreach_set("loop_total", numpy.full(count, 3, dtype=numpy.int32))
        mesh.polygons.foreach_set("use_smooth", numpy.ones(count, dtype=bool))
    add_attributes(mesh, ply)
    mesh.update(calc_edges=True)


def add_attributes(mesh, ply):
    def add(name, kind, key, values):
        attribute = mesh.attributes.new(name, kind, "POINT")
        if len(values):
            attribute.data.foreach_set(key, numpy.ascontiguousarray(values).ravel())

    velocity = ply.vectors("vx", "vy", "vz")
    if velocity is not None:
        add("velocity", "FLOAT_VECTOR", "vector", velocity)
    colour = ply.vectors("red", "green", "blue")
    if colour is not None:
        opaque = numpy.ones((len(colour), 1), dtype=numpy.float32)
        add("Cd", "FLOAT_COLOR", "color", numpy.hstack([colour / 255, opaque]))
    for name in ply.names:
        if name in NOT_ATTRIBUTES:
            continue
        values = ply.vertices[name]
        if name in WHOLE_NUMBERS:
            add(name, "INT", "value", values.astype(numpy.int64).astype(numpy.int32))
        else:
            add(name, "FLOAT", "value", values.astype(numpy.float32))
