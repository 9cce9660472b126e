#include "silt/scene/read_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "silt/core/text.h"
#include "silt/scene/write_value.h"

namespace silt {
namespace {

/// Says what was wanted and what was found; answers false.
bool refuse(const Value& value, const ParameterInfo& info, ReadContext& reader, const std::string& wanted) {
  if (find_entry(value, "keys") && !info.animatable) {
    reader.diagnostics.error(value.where, "'" + info.name + "' cannot be animated: it must be " + wanted);
  } else {
    reader.diagnostics.error(value.where, "'" + info.name + "' must be " + wanted + ", not " + describe(value));
  }
  return false;
}

bool refuse_type(const Value& value, const ParameterInfo& info, ReadContext& reader) {
  return refuse(value, info, reader, type_text(info.type));
}

bool in_range(double x, const ParameterInfo& info, int axis) {
  const double min = info.min[axis], max = info.max[axis];
  return (info.min_excluded ? x > min : x >= min) && (info.max_excluded ? x < max : x <= max);
}

/// A finite number within the range of component `axis`.
bool read_number(const Value& value, const ParameterInfo& info, ReadContext& reader, int axis, double& out) {
  double x = 0;
  if (const auto* integer = value.as<std::int64_t>()) {
    x = double(*integer);
  } else if (const auto* number = value.as<double>()) {
    x = *number;
  } else {
    return refuse(value, info, reader, info.type == ParameterType::vector ? "made of numbers" : "a number");
  }
  if (!std::isfinite(x)) return refuse(value, info, reader, "finite");
  if (!in_range(x, info, axis)) return refuse(value, info, reader, range_text(info));
  out = x;
  return true;
}

bool read_word(const Value& value, const ParameterInfo& info, ReadContext& reader, std::string& out) {
  const auto* text = value.as<std::string>();
  if (!text) return refuse_type(value, info, reader);
  if (!info.choices.empty()) {
    const std::vector<std::string> names = names_of(info.choices);
    if (std::find(names.begin(), names.end(), *text) == names.end()) {
      reader.diagnostics.error(
          value.where, "'" + info.name + "' must be " + list_names(names, "or", '"') + ", not " + describe(value),
          did_you_mean(*text, names));
      return false;
    }
  }
  out = *text;
  return true;
}

bool read_between(const Value& value, bool only_step, ReadContext& reader, Between& out) {
  ParameterInfo info;
  info.name = "between";
  info.type = ParameterType::choice;
  info.choices = {{"step", ""}};
  if (!only_step) info.choices = {{"linear", ""}, {"smooth", ""}, {"step", ""}};
  std::string word;
  if (!read_word(value, info, reader, word)) return false;
  out = word == "step" ? Between::step : word == "smooth" ? Between::smooth : Between::linear;
  return true;
}

/// [[t, value], ...] in strictly rising time.
template <class T>
bool read_keys(const Value& value, const ParameterInfo& info, ReadContext& reader,
               std::vector<std::pair<double, T>>& out) {
  const Values* list = value.as<Values>();
  if (!list || list->empty()) {
    reader.diagnostics.error(value.where, "the keys of '" + info.name + "' must be a list [[time, value], ...]");
    return false;
  }
  ParameterInfo time_info;
  time_info.name = "time";
  bool good = true;
  for (const Value& item : *list) {
    const Values* pair = item.as<Values>();
    if (!pair || pair->size() != 2) {
      reader.diagnostics.error(item.where, "a key of '" + info.name + "' must be [time, value], not " + describe(item));
      good = false;
      continue;
    }
    std::pair<double, T> key{};
    const bool has_time = read_number((*pair)[0], time_info, reader, 0, key.first);
    if (has_time && !out.empty() && key.first <= out.back().first) {
      reader.diagnostics.error(
          (*pair)[0].where, str("the times of '", info.name, "' must rise: ", write_value(key.first), " comes after ",
                                write_value(out.back().first)));
      good = false;
    }
    good = read_value((*pair)[1], info, reader, key.second) && has_time && good;
    if (has_time) out.push_back(std::move(key));
  }
  return good;
}

template <class T>
bool read_animated(const Value& value, const ParameterInfo& info, ReadContext& reader, Animated<T>& out) {
  const Entries* entries = value.as<Entries>();
  if (!entries) {
    T constant{};
    if (!read_value(value, info, reader, constant)) return false;
    out = Animated<T>(constant);
    return true;
  }
  bool good = true, found = false, misspelt = false;  // where it is misspelt it is not missing, too
  std::vector<std::pair<double, T>> keys;
  Between between = std::is_same_v<T, bool> ? Between::step : Between::linear;
  for (const Entry& entry : *entries) {
    if (entry.key == "keys") {
      found = true;
      good = read_keys(entry.value, info, reader, keys) && good;
    } else if (entry.key == "between") {
      good = read_between(entry.value, std::is_same_v<T, bool>, reader, between) && good;
    } else {
      reader.diagnostics.error(entry.key_where, "an animated '" + info.name + "' has no parameter '" + entry.key + "'",
                               did_you_mean(entry.key, {"keys", "between"}));
      misspelt = misspelt || closest_name(entry.key, {"keys", "between"}) == "keys";
      good = false;
    }
  }
  if (!found && !misspelt) {
    reader.diagnostics.error(
        value.where, "'" + info.name + "' must be " + type_text(info.type) + " or { keys = [[time, value], ...] }");
    good = false;
  }
  if (good && found) out = Animated<T>(std::move(keys), between);
  return good;
}

}  // namespace

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, bool& out) {
  const bool* x = value.as<bool>();
  if (!x) return refuse_type(value, info, reader);
  out = *x;
  return true;
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, std::int64_t& out) {
  const auto* x = value.as<std::int64_t>();
  if (!x) return refuse_type(value, info, reader);
  if (!in_range(double(*x), info, 0)) {
    const bool huge = std::abs(double(*x)) > std::numeric_limits<int>::max();
    const std::string range = range_text(info);
    return refuse(value, info, reader, huge && range.find(" and ") == range.npos ? "within 2147483647 of zero" : range);
  }
  out = *x;
  return true;
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, int& out) {
  std::int64_t wide = 0;
  if (!read_value(value, info, reader, wide)) return false;  // integer() bounds an int by its own limits
  out = int(wide);
  return true;
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, double& out) {
  return read_number(value, info, reader, 0, out);
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Vec3d& out) {
  const Values* list = value.as<Values>();
  const int dims = info.in_space ? 3 : reader.options.dims;
  const bool fits = list && (dims == 0 ? !list->empty() && list->size() <= 3 : list->size() == std::size_t(dims));
  if (!fits) {
    const std::string wanted = info.colour ? "three numbers [red, green, blue]"
                               : dims == 1 ? "one number [x]"
                               : dims == 2 ? "two numbers [x, y]"
                                           : type_text(info.type);
    if (!list) return refuse(value, info, reader, wanted);
    reader.diagnostics.error(value.where, str("'", info.name, "' must be ", wanted, ", not ", list->size(), " of them"),
                             dims == 1 || dims == 2 ? str("the scene is ", dims, "D") : std::string());
    return false;
  }
  Vec3d v{};
  bool good = true;
  for (std::size_t i = 0; i < list->size(); ++i)
    good = read_number((*list)[i], info, reader, int(i), v[int(i)]) && good;
  if (good) out = v;
  return good;
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, std::string& out) {
  return read_word(value, info, reader, out);
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, std::vector<std::string>& out) {
  const Values* list = value.as<Values>();
  if (!list) return refuse_type(value, info, reader);
  std::vector<std::string> words(list->size());
  bool good = true;
  for (std::size_t i = 0; i < list->size(); ++i) good = read_word((*list)[i], info, reader, words[i]) && good;
  if (good) out = std::move(words);
  return good;
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, ScenePath& out) {
  const auto* text = value.as<std::string>();
  if (!text) return refuse_type(value, info, reader);
  if (text->empty() || text->find('\0') != std::string::npos) return refuse(value, info, reader, "the path of a file");
  const std::filesystem::path path(*text);
  out = {*text, path.is_absolute() || !value.where.source ? path : value.where.source->directory / path};
  return true;
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Animated<bool>& out) {
  return read_animated(value, info, reader, out);
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Animated<double>& out) {
  return read_animated(value, info, reader, out);
}

bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Animated<Vec3d>& out) {
  return read_animated(value, info, reader, out);
}

}  // namespace silt
