"""Readers for what the tests of exported files compare: plain arrays of a frame, PLY, glTF. Standard library alone."""

import array
import json
import struct
import subprocess

CODES = {"F32": "f", "F64": "d", "I32": "i", "U32": "I", "I64": "q", "U64": "Q", "U8": "B"}
PLY_CODES = {"float": "f", "double": "d", "int": "i", "uchar": "B"}
GLTF_CODES = {5121: "B", 5125: "I", 5126: "f"}
GLTF_COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class CachedFrame:
    """A frame of a run folder as silt's own readers give it, through the program cache_tool."""

    def __init__(self, cache_tool, run, number, file):
        subprocess.run([cache_tool, "dump", str(run), str(number), str(file)], check=True)
        data = file.read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + length])
        self.metadata = header.pop("__metadata__")
        self.arrays = {}
        for name, about in header.items():
            begin, end = about["data_offsets"]
            values = array.array(CODES[about["dtype"]])
            values.frombytes(data[8 + length + begin:8 + length + end])
            self.arrays[name] = values
        self.time = float(self.metadata["time"])
        self.h = float(self.metadata["h"])
        self.origin = list(self.arrays["origin"])

    def group(self, prefix):
        return {name[len(prefix):]: values for name, values in self.arrays.items() if name.startswith(prefix)}

    def boxes(self, material):
        """(name, lo, hi, background, values) of every box of the material's volumes."""
        for name, values in self.arrays.items():
            if name.startswith(f"volume/{material}/"):
                cells = self.arrays["cells/" + name]
                yield (name.split("/")[2], list(cells[:3]), list(cells[3:]),
                       float(self.metadata["background/" + name]), values)


def triples(values):
    return [tuple(values[i:i + 3]) for i in range(0, len(values), 3)]


def read_ply(path):
    """Comments, columns of the vertices by name, and the triangles."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    comments, names, codes, counts, element = {}, [], "", {}, None
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[0] == "comment":
            comments[words[1]] = " ".join(words[2:])
        elif words[0] == "element":
            element = words[1]
            counts[element] = int(words[2])
        elif words[0] == "property" and element == "vertex":
            codes += PLY_CODES[words[1]]
            names.append(words[2])
    rows = list(struct.iter_unpack("<" + codes, data[end:end + counts["vertex"] * struct.calcsize("<" + codes)]))
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    faces = data[end + len(rows) * struct.calcsize("<" + codes):]
    triangles = [face[1:] for face in struct.iter_unpack("<Biii", faces)]
    assert len(triangles) == counts.get("face", 0)
    return comments, columns, triangles


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def placed_corners(run, number):
    """Where the corners of a frame's one body are, and their velocities, from its pose and its shape."""
    body = json.loads((run / f"cache/bodies.{number:04}.json").read_text())["bodies"][0]
    _, columns, triangles = read_ply(run / body["shape"])
    places, velocities = [], []
    for x in zip(columns["x"], columns["y"], columns["z"]):
        place = [body["scale"] * dot(row, x) + t for row, t in zip(body["rotation"], body["translation"])]
        arm = [p - c for p, c in zip(place, body["centre"])]
        places.append(place)
        velocities.append([v + w for v, w in zip(body["velocity"], cross(body["spin"], arm))])
    return places, velocities, triangles


class Glb:
    """A binary glTF file; what the standard demands of it is asserted."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, size, json_size, json_kind = struct.unpack("<4sIII4s", data[:20])
        assert (magic, version, size, json_kind) == (b"glTF", 2, len(data), b"JSON"), (magic, version, size, json_kind)
        assert json_size % 4 == 0 and len(data) % 4 == 0
        self.json = json.loads(data[20:20 + json_size])
        rest = data[20 + json_size:]
        bin_size, bin_kind = struct.unpack("<I4s", rest[:8])
        self.buffer = rest[8:]
        assert bin_kind == b"BIN\0" and bin_size == len(self.buffer) == self.json["buffers"][0]["byteLength"]
        for view in self.json["bufferViews"]:
            assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= bin_size
        for number in range(len(self.json["accessors"])):
            self.accessor(number)

    def accessor(self, number):
        about = self.json["accessors"][number]
        view = self.json["bufferViews"][about["bufferView"]]
        values = array.array(GLTF_CODES[about["componentType"]])
        values.frombytes(self.buffer[view["byteOffset"]:view["byteOffset"] + view["byteLength"]])
        components = GLTF_COMPONENTS[about["type"]]
        assert len(values) == about["count"] * components, about
        if "min" in about:
            for a in range(components):
                assert min(values[a::components]) == about["min"][a] and max(values[a::components]) == about["max"][a]
        return values

    def primitive(self, node_name):
        node = next(n for n in self.json["nodes"] if n["name"] == node_name)
        return self.json["meshes"][node["mesh"]]["primitives"][0]
