"""Tiny scenes of every material: sources, solids that move, an open side; a frame takes some milliseconds."""

from silt_program import TAP, TINY

PICTURES = "[camera]\nwidth = 64\nheight = 64\n[output]\nfilm = false\n"
BALL = """[shape.ball]
sphere = { center = [0.28, 0.3], radius = 0.07 }
[obstacle.ball]
shape = "ball"
motion = { position = { keys = [[0, [0, 0]], [1, [-0.15, 0.1]]] } }
"""


def scene(material, domain, more, fps=24):
    return f"silt = 1\n[run]\nframes = 4\nfps = {fps}\n[domain]\n{domain}\n[{material}]\n{more}{PICTURES}"


TANK = 'size = [0.5, 0.6]\nresolution = 30\nsides = { y_max = "open" }'
WATER = scene("water", TANK, """[shape.pool]
box = { min = [-1, -1], max = [0.18, 0.3] }
[fill.pool]
shape = "pool"
material = "water"
[shape.tap]
sphere = { center = [0.1, 0.48], radius = 0.05 }
[source.tap]
shape = "tap"
material = "water"
velocity = [1, -1]
enabled = { keys = [[0, false], [0.03, true]] }
""" + BALL)
SAND = scene("sand", TANK, """[shape.heap]
box = { min = [-1, -1], max = [0.15, 0.3] }
[fill.heap]
shape = "heap"
material = "sand"
[shape.spout]
sphere = { center = [0.1, 0.5], radius = 0.04 }
[source.spout]
shape = "spout"
material = "sand"
velocity = [0.2, -1]
""" + BALL)
GAS = scene("gas", TANK, """[shape.heater]
box = { min = [0.05, -1], max = [0.2, 0.1] }
[source.heater]
shape = "heater"
material = "gas"
temperature = 800
""" + BALL, fps=400)
# So many cells that loops are shared among threads.
WIDE = TINY.replace("resolution = 24", "resolution = 180")

SCENES = {"smoke": TINY, "smoke, wide": WIDE, "water": WATER, "water, 3D": TAP + "surface = true\n", "sand": SAND, "gas": GAS}

# Closed boxes in which nothing is let in or out.
BOX = "size = [0.4, 0.4]\nresolution = 16"
LONG = {
    "smoke": scene("smoke", BOX, """[shape.cloud]
sphere = { center = [0.2, 0.15], radius = 0.1 }
[fill.cloud]
shape = "cloud"
material = "smoke"
density = 1
"""),
    "water": scene("water", BOX, """[shape.dam]
box = { min = [-1, -1], max = [0.2, 0.3] }
[fill.dam]
shape = "dam"
material = "water"
"""),
    "sand": scene("sand", BOX, """[shape.heap]
box = { min = [-1, -1], max = [0.2, 0.3] }
[fill.heap]
shape = "heap"
material = "sand"
"""),
    "gas": scene("gas", BOX, """[shape.dense]
sphere = { center = [0.2, 0.2], radius = 0.08 }
[fill.dense]
shape = "dense"
material = "gas"
gas_density = 3
temperature = 293
""", fps=400),
}
