#include "silt/sim/scene_reference.h"

#include "silt/scene.h"
#include "silt/scene/reference.h"

namespace silt {
namespace {

constexpr char opening[] =
    R"(<!-- Made from the tables that read scenes: ./silt help scene --markdown > docs/guide/scene.md -->
# The scene file

A scene is one TOML file. This one runs:

```toml
silt = 1                                 # version of the format

[run]
frames = 96
fps = 24

[domain]
size = [1.0, 1.0, 2.0]                   # [m]; two numbers make a 2D scene
resolution = 96                          # cells along the longest side
sides = { z_max = "open" }               # the others are walls

[smoke]                                  # the material; everything in it has a default

[shape.vent]
sphere = { center = [0.5, 0.5, 0.15], radius = 0.1 }

[source.vent]
shape = "vent"
material = "smoke"
temperature = 400
```

One of water has the same parts: a block `[water]` instead of `[smoke]`, and water that is there from the start or is poured.

```toml
[water]
preset = "water"                         # or "honey"; then any parameter over it

[shape.column]
box = { min = [0, 0, 0], max = [0.3, 1, 1] }
[fill.dam]                               # there at t = 0
shape = "column"
material = "water"

[shape.nozzle]
cylinder = { from = [0.85, 0.5, 1.5], to = [0.95, 0.5, 1.5], radius = 0.05 }
[source.tap]                             # a jet; off after two seconds
shape = "nozzle"
material = "water"
velocity = [-1, 0, 0]
enabled = { keys = [[0, true], [2, false]] }
```

One of sand is the same with `[sand]`. Several kinds of it may lie in one scene:

```toml
[sand]
preset = "dry_sand"                      # or "gravel"; then any parameter over it

[grains.wet]                             # another kind; what it does not say is as in [sand]
cohesion = 500

[fill.castle]
shape = "column"
material = "sand"
grains = "wet"
```

- **Units** are SI: metres, seconds, kelvin. 3D is z up; 2D is x and y, y up.
- **Order never matters.** Blocks with a name, `[source.vent]`, may be there any number of times, each with a name of your own.
- **Vectors** have as many numbers as `domain.size`: `[x, y, z]` in 3D, `[x, y]` in 2D. The camera's and colours always have three.
- **Animated.** A parameter marked so takes keys instead of a value: `{ keys = [[0, 300], [2, 450]], between = "smooth" }`, times in
  seconds. `between` is `"linear"`, `"smooth"` (through every key without a kink, never beyond the two it is between) or `"step"`
  (holds until the next key). Before the first key and after the last the value holds still.
- **Over the file.** `--set source.vent.temperature=500` on the command line; `--scale 0.5` for half as many cells along each side.
- **On resume** only the parameters marked so may change; the physics of a run stays what it was.
- **Mistakes** are all reported together, each with its line: `./silt check SCENE`. What nobody asked for is a mistake too.

)";

}  // namespace

std::string scene_guide_markdown() {
  return opening + reference_markdown(scene_tables());
}

std::string scene_guide_text(int columns) {
  return reference_text(scene_tables(), columns);
}

}  // namespace silt
