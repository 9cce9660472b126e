#pragma once

#include <string>
#include <vector>

#include "silt/core/vec.h"
#include "silt/scene/table_info.h"

namespace silt {

/// What a table says of a parameter, by designated initialisers; all of it optional but the help.
/// `.required` parameters must be given; `.resumable` ones may change when a run is resumed; those `.only_for` some
/// materials may not stand in a block whose `material` is another.
struct PlainOptions {
  std::string help = {};
  bool required = false, resumable = false;
  std::vector<std::string> only_for = {};
};

/// `.min` and `.max` are allowed values, `.above` and `.below` are not.
struct NumberOptions {
  std::string unit = {};
  double min = -ParameterInfo::unbounded, above = -ParameterInfo::unbounded;
  double max = ParameterInfo::unbounded, below = ParameterInfo::unbounded;
  std::string help = {};
  bool required = false, resumable = false;
  std::vector<std::string> only_for = {};
};

/// One number for all three components, or a number for each.
struct VecBound {
  Vec3d value;
  VecBound(double all) : value{all, all, all} {}
  VecBound(double x, double y, double z) : value{x, y, z} {}
};

struct VectorOptions {
  std::string unit = {};
  VecBound min = -ParameterInfo::unbounded, above = -ParameterInfo::unbounded;
  VecBound max = ParameterInfo::unbounded, below = ParameterInfo::unbounded;
  std::string help = {};
  bool required = false, resumable = false;
  std::vector<std::string> only_for = {};
  bool in_space = false;  ///< three numbers even in a 2D scene
};

struct TextOptions {
  std::string refers_to = {};            ///< the kind of block it names: "shape"
  std::vector<ChoiceInfo> choices = {};  ///< the only words it takes
  std::string help = {};
  bool required = false, resumable = false;
  std::vector<std::string> only_for = {};
};

ParameterInfo make_info(const std::string& name, const PlainOptions& options);
ParameterInfo make_info(const std::string& name, const NumberOptions& options);
ParameterInfo make_info(const std::string& name, const VectorOptions& options);
ParameterInfo make_info(const std::string& name, const TextOptions& options, ParameterType type);
ParameterInfo make_integer_info(const std::string& name, const NumberOptions& options, bool narrow);

}  // namespace silt
