"""Materials for Cycles, in the colours of silt's own pictures. Colours are linear, as Blender's own numbers are."""

import math

import bpy



def opaque(rgb):
    return (*rgb, 1.0)


def new_material(name):
    """A material of this name with nothing in it but its output."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    return material, tree, output


def absorption(left, depth):
    """Colour and density [1/m] of Cycles' Volume Absorption, whose light falls by density (1 - colour) a metre, with
    which the share `left` of each colour is left after a way of `depth` [m]."""
    lost = [-math.log(min(max(share, 1e-4), 1)) for share in left]
    most = max(*lost, 1e-9)
    return [1 - a / most for a in lost], most / max(depth, 1e-6)


def water(left, depth, tint=None):
    """A clear liquid that takes colour with depth: the share `left` of light is left after a way of `depth` [m]. With
    `tint` its surface has the colour of that attribute."""
    material, tree, output = new_material("silt water")
    surface = tree.nodes.new("ShaderNodeBsdfGlass")
    surface.inputs["Roughness"].default_value = 0.0
    surface.inputs["IOR"].default_value = 1.333
    if tint:
        tree.links.new(attribute(tree, tint).outputs["Color"], surface.inputs["Color"])
    # What lies below is lit as if the surface were not there: light that it bends would need thousands of samples.
    through = tree.nodes.new("ShaderNodeBsdfTransparent")
    path = tree.nodes.new("ShaderNodeLightPath")
    either = tree.nodes.new("ShaderNodeMixShader")
    tree.links.new(path.outputs["Is Shadow Ray"], either.inputs[0])
    tree.links.new(surface.outputs["BSDF"], either.inputs[1])
    tree.links.new(through.outputs["BSDF"], either.inputs[2])
    body = tree.nodes.new("ShaderNodeVolumeAbsorption")
    colour, density = absorption(left, depth)
    body.inputs["Color"].default_value = opaque(colour)
    body.inputs["Density"].default_value = density
    tree.links.new(either.outputs["Shader"], output.inputs["Surface"])
    tree.links.new(body.outputs["Volume"], output.inputs["Volume"])
    return material


def solid(name, rgb, roughness=0.7, tint=None):
    """A dull surface; with `tint` the colour comes from that attribute."""
    material, tree, output = new_material(name)
    surface = tree.nodes.new("ShaderNodeBsdfPrincipled")
    surface.inputs["Base Color"].default_value = opaque(rgb)
    surface.inputs["Roughness"].default_value = roughness
    if tint:
        tree.links.new(attribute(tree, tint).outputs["Color"], surface.inputs["Base Color"])
    tree.links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return material


def smoke(name, grids, rgb, density_scale, flame_scale):
    """Smoke by its density, coloured where the run has colours; flames glow as their temperature says. Scales [1/m]."""
    material, tree, output = new_material(name)
    nodes, links = tree.nodes, tree.links
    body = nodes.new("ShaderNodeVolumePrincipled")
    body.inputs["Color"].default_value = opaque(rgb)
    body.inputs["Density Attribute"].default_value = ""
    body.inputs["Temperature Attribute"].default_value = ""
    links.new(scaled(tree, "density", density_scale), body.inputs["Density"])
    if "colour" in grids:
        links.new(attribute(tree, "colour").outputs["Color"], body.inputs["Color"])
    if "flame" in grids:
        links.new(scaled(tree, "flame", flame_scale), body.inputs["Emission Strength"])
        glow = nodes.new("ShaderNodeBlackbody")
        links.new(attribute(tree, "temperature").outputs["Fac"], glow.inputs["Temperature"])
        links.new(glow.outputs["Color"], body.inputs["Emission Color"])
    links.new(body.outputs["Volume"], output.inputs["Volume"])
    return material


def attribute(tree, name):
    node = tree.nodes.new("ShaderNodeAttribute")
    node.attribute_name = name
    return node


def scaled(tree, name, factor):
    times = tree.nodes.new("ShaderNodeMath")
    times.operation = "MULTIPLY"
    times.inputs[1].default_value = factor
    tree.links.new(attribute(tree, name).outputs["Fac"], times.inputs[0])
    return times.outputs[0]
