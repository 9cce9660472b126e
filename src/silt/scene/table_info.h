#pragma once

#include <limits>
#include <string>
#include <vector>

#include "silt/core/vec.h"

namespace silt {

enum class ParameterType { boolean, integer, number, vector, text, texts, path, choice, group };

/// One word a parameter may be.
struct ChoiceInfo {
  std::string name, help;
};

/// All there is to know of a parameter but its C++ type: what reading checks, what the reference says, and what the
/// generated bad values break.
struct ParameterInfo {
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  std::string name;
  ParameterType type = ParameterType::number;
  std::string unit;  ///< SI; empty for a pure number
  std::string help;
  Vec3d min{-unbounded, -unbounded, -unbounded}, max{unbounded, unbounded, unbounded};  ///< of a number, all three
  bool min_excluded = false, max_excluded = false;
  std::string default_text;  ///< as TOML; empty for a group and for an optional parameter that is absent
  bool colour = false;       ///< a vector of three numbers whatever the scene's dimensions: red, green, blue
  bool animatable = false;   ///< takes { keys = [[t, value], ...] }
  bool resumable = false;    ///< may change when a run is resumed
  bool required = false;
  bool in_space = false;                           ///< a vector of three numbers even in a 2D scene
  bool optional = false;                           ///< absent means something of its own
  std::string refers_to;                           ///< the kind of block whose name it is: "shape"
  std::vector<std::string> only_for;               ///< what the block's `material` must be, one of; empty: anything
  std::vector<ChoiceInfo> choices;                 ///< of a choice; and of text and texts that only take some words
  std::vector<ParameterInfo> members;              ///< of a group
  std::vector<struct ExclusiveRule> member_rules;  ///< of a group

  bool bounded() const;  ///< has a range worth telling
};

/// Parameters of which a block takes one: "box, sphere or mesh".
struct ExclusiveRule {
  std::vector<std::string> names;
  bool required = false;  ///< exactly one; otherwise at most one
};

/// A kind of block and its parameters.
struct TableInfo {
  std::string name;    ///< "smoke"; "" for what stands outside of every block
  bool named = false;  ///< written [name.NAME], any number of times
  std::string help;
  std::vector<ParameterInfo> parameters;
  std::vector<ExclusiveRule> rules;

  std::string heading() const { return named ? name + ".NAME" : name; }
};

std::vector<std::string> names_of(const std::vector<ParameterInfo>& parameters);
std::vector<std::string> names_of(const std::vector<ChoiceInfo>& choices);

/// "a number", "a list of strings", "three numbers [x, y, z]".
std::string type_text(ParameterType type);

/// "between 0 and 10 m", "above 0", "at most 1"; empty when unbounded. Bounds that differ by component are vectors.
std::string range_text(const ParameterInfo& info);

}  // namespace silt
