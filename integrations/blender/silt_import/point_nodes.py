"""A node group that draws the vertices of a mesh as balls: a point cloud with the radius that `pscale` says. All other
attributes go along."""

import bpy


def add_socket(group, name, in_out):
    if bpy.app.version >= (4, 0, 0):
        group.interface.new_socket(name, in_out=in_out, socket_type="NodeSocketGeometry")
    else:
        sockets = group.inputs if in_out == "INPUT" else group.outputs
        sockets.new("NodeSocketGeometry", name)


def make(material):
    group = bpy.data.node_groups.new("silt points", "GeometryNodeTree")
    add_socket(group, "Geometry", "INPUT")
    add_socket(group, "Geometry", "OUTPUT")
    nodes, links = group.nodes, group.links
    start, end = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    radius = nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "pscale"
    points = nodes.new("GeometryNodeMeshToPoints")
    points.mode = "VERTICES"
    paint = nodes.new("GeometryNodeSetMaterial")
    paint.inputs["Material"].default_value = material
    links.new(start.outputs[0], points.inputs["Mesh"])
    links.new(next(s for s in radius.outputs if s.type == "VALUE"), points.inputs["Radius"])
    links.new(points.outputs[0], paint.inputs["Geometry"])
    links.new(paint.outputs[0], end.inputs[0])
    return group


def draw_as_points(target, material):
    modifier = target.modifiers.new("silt points", "NODES")
    modifier.node_group = make(material)
