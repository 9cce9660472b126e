"""Binary PLY as silt writes it: numbers for each vertex by name, and triangles. Knows nothing of Blender."""

import os

import numpy

TYPES = {"float": "<f4", "double": "<f8", "int": "<i4", "uint": "<u4", "uchar": "u1"}


def read_header(text):
    """The type of a vertex, and how many there are of each element."""
    fields, counts, element = [], {"face": 0}, None
    for line in text.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[0] == "element":
            element = words[1]
            counts[element] = int(words[2])
        elif words[0] == "property" and element == "vertex":
            fields.append((words[2], TYPES[words[1]]))
    if not {"x", "y", "z"} <= {name for name, _ in fields} or min(counts["vertex"], counts["face"]) < 0:
        raise ValueError("no places")
    return numpy.dtype(fields), counts


class Ply:
    def __init__(self, path):
        if os.path.islink(path):  # a run folder may be anybody's, and silt makes none
            raise ValueError(f"{path} is a link")
        with open(path, "rb") as file:
            data = file.read()
        end = data.find(b"end_header\n")
        if not data.startswith(b"ply\nformat binary_little_endian 1.0\n") or end < 0:
            raise ValueError(f"{path} is not a binary PLY file")
        end += len(b"end_header\n")
        try:
            vertex, counts = read_header(data[:end])
        except (ValueError, KeyError, IndexError) as error:
            raise ValueError(f"{path} has a damaged header") from error
        face = numpy.dtype([("n", "u1"), ("corners", "<i4", 3)])
        if len(data) != end + counts["vertex"] * vertex.itemsize + counts["face"] * face.itemsize:
            raise ValueError(f"{path} is cut short")
        self.vertices = numpy.frombuffer(data, vertex, counts["vertex"], end)
        faces = numpy.frombuffer(data, face, counts["face"], end + counts["vertex"] * vertex.itemsize)
        self.triangles = numpy.ascontiguousarray(faces["corners"])
        # Blender would read beyond its own memory.
        wrong = (faces["n"] != 3).any() or (self.triangles < 0).any() or (self.triangles >= len(self.vertices)).any()
        if wrong:
            raise ValueError(f"{path} is damaged: it has triangles of corners that are not there")

    @property
    def names(self):
        return self.vertices.dtype.names

    def vectors(self, *names):
        """Columns side by side as one array of rows, or None where the file has no such numbers."""
        if any(name not in self.names for name in names):
            return None
        return numpy.stack([self.vertices[name].astype(numpy.float32) for name in names], axis=1)
