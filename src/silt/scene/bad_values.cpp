#include "silt/scene/bad_values.h"

#include <algorithm>
#include <cmath>

#include "silt/scene/write_value.h"

namespace silt {
namespace {

/// Collects the bad values of one parameter.
struct Maker {
  const ParameterInfo& info;
  std::string path, key;  // "source.motion.position" and "motion.position"
  std::vector<BadValue>& out;

  void add(const std::string& why, const std::string& value, const std::string& expect) const {
    out.push_back({path, why, key + " = " + value, expect});
  }
  /// Refused as "'name' must be ...".
  void must(const std::string& why, const std::string& value) const { add(why, value, "'" + info.name + "' must be"); }
};

/// A number the range of one component allows.
double legal_number(const ParameterInfo& info, int axis) {
  const double min = info.min[axis], max = info.max[axis];
  if (std::isfinite(min) && std::isfinite(max)) return min + (max - min) / 2;
  return std::isfinite(min) ? min + 1 : std::isfinite(max) ? max - 1 : 0;
}

std::string number_text(const ParameterInfo& info, double x) {
  return info.type == ParameterType::integer ? write_value(std::int64_t(x)) : write_value(x);
}

/// A value with one component replaced; all of it for a plain number.
std::string with_component(const ParameterInfo& info, int axis, const std::string& text) {
  if (info.type != ParameterType::vector) return text;
  std::string out = "[";
  for (int i = 0; i < 3; ++i) out += (i ? ", " : "") + (i == axis ? text : write_value(legal_number(info, i)));
  return out + "]";
}

std::string legal_text(const ParameterInfo& info) {
  switch (info.type) {
    case ParameterType::boolean:
      return "true";
    case ParameterType::integer:
    case ParameterType::number:
      return number_text(info, legal_number(info, 0));
    case ParameterType::vector:
      return with_component(info, 0, write_value(legal_number(info, 0)));
    case ParameterType::texts:
      return info.choices.empty() ? "[\"a\"]" : write_value(std::vector{info.choices[0].name});
    case ParameterType::group:
      return "{ }";
    default:
      return write_value(info.choices.empty() ? std::string("a") : info.choices[0].name);
  }
}

void wrong_types(const Maker& make) {
  const ParameterType type = make.info.type;
  const bool words = type == ParameterType::text || type == ParameterType::texts || type == ParameterType::path ||
                     type == ParameterType::choice;
  make.must("wrong type", words || type == ParameterType::group ? "12" : "\"wrong\"");
  if (type != ParameterType::boolean) make.must("wrong type", "true");
  if (type == ParameterType::integer) make.must("not whole", "1.5");
  if (type == ParameterType::vector) {
    make.must("too short", "[1]");
    make.must("too long", "[1, 2, 3, 4]");
    make.must("wrong type inside", with_component(make.info, 1, "\"wrong\""));
  } else if (type == ParameterType::texts) {
    make.must("wrong type inside", "[3]");
  } else {
    make.must("a list", "[1, 2]");
  }
}

void out_of_range(const Maker& make) {
  const ParameterInfo& info = make.info;
  const int components = info.type == ParameterType::vector ? 3 : 1;
  for (int axis = 0; axis < components; ++axis) {
    const double min = info.min[axis], max = info.max[axis];
    const auto bad = [&](const char* why, double x) {
      make.must(why, with_component(info, axis, number_text(info, x)));
    };
    if (std::isfinite(min)) bad("below the range", min - std::max(1.0, std::abs(min)));
    if (std::isfinite(max)) bad("above the range", max + std::max(1.0, std::abs(max)));
    if (std::isfinite(min) && info.min_excluded) bad("at the excluded lower end", min);
    if (std::isfinite(max) && info.max_excluded) bad("at the excluded upper end", max);
    for (const char* x : {"nan", "inf", "-inf"}) make.must("not a finite number", with_component(info, axis, x));
  }
}

void bad_keys(const Maker& make) {
  const ParameterInfo& info = make.info;
  const std::string v = legal_text(info);
  const std::string good = "{ keys = [[0, " + v + "], [1, " + v + "]]";
  if (!info.animatable) {
    make.add("keys where there may be none", good + " }", "'" + info.name + "' cannot be animated");
    return;
  }
  make.add("falling times", "{ keys = [[1, " + v + "], [0, " + v + "]] }", "must rise");
  make.add("equal times", "{ keys = [[1, " + v + "], [1, " + v + "]] }", "must rise");
  make.add("no keys", "{ keys = [] }", "keys of '" + info.name + "'");
  make.add("no time", "{ keys = [" + v + "] }", "key of '" + info.name + "'");
  make.add("nan time", "{ keys = [[nan, " + v + "]] }", "'time' must be");
  make.add("misspelt between", good + ", between = \"smoth\" }", "'between' must be");
  make.add("misspelt keys", "{ kesy = [[0, " + v + "]] }", "'kesy'");
  make.must("wrong type in a key", "{ keys = [[0, " + v + "], [1, \"wrong\"]] }");
}

/// A name nobody has: its first letter doubled until it is new.
std::string misspelt(const std::string& name, const std::vector<std::string>& taken) {
  std::string out = name;
  do {
    out.insert(out.begin(), out.front());
  } while (std::find(taken.begin(), taken.end(), out) != taken.end());
  return out;
}

void add_all(const std::vector<ParameterInfo>& parameters, const std::string& path, const std::string& key,
             std::vector<BadValue>& out) {
  const std::vector<std::string> names = names_of(parameters);
  for (const ParameterInfo& info : parameters) {
    const std::string own_path = (path.empty() ? "" : path + ".") + info.name;
    const Maker make{info, own_path, key + info.name, out};
    wrong_types(make);
    const std::string other = misspelt(info.name, names);
    out.push_back({own_path, "misspelt name", key + other + " = " + legal_text(info), "'" + other + "'"});
    if (info.type == ParameterType::group) {
      make.add("no such member", "{ qqq = 1 }", "has no parameter 'qqq'");
      add_all(info.members, own_path, key + info.name + ".", out);
      continue;
    }
    if (info.type == ParameterType::integer || info.type == ParameterType::number || info.type == ParameterType::vector)
      out_of_range(make);
    if (!info.choices.empty()) {
      const std::string word = write_value(misspelt(info.choices[0].name, names_of(info.choices)));
      make.must("misspelt choice", info.type == ParameterType::texts ? "[" + word + "]" : word);
    }
    bad_keys(make);
  }
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end; !text.empty(); text = end == text.npos ? std::string_view() : text.substr(end + 1)) {
    end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
  }
  return lines;
}

std::string_view without_indent(std::string_view line) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

/// Whether a line sets the parameter or one of its members.
bool sets(std::string_view line, std::string_view name) {
  line = without_indent(line);
  if (!line.starts_with(name)) return false;
  line = without_indent(line.substr(name.size()));
  return line.starts_with('=') || line.starts_with('.');
}

}  // namespace

std::vector<BadValue> bad_values(const TableInfo& table) {
  std::vector<BadValue> out;
  add_all(table.parameters, table.name, "", out);
  return out;
}

BadScene insert_bad_value(std::string_view scene, const std::string& path, const BadValue& bad) {
  std::vector<std::string> lines = split(scene);
  const std::string heading = "[" + path + "]";
  auto begin = lines.begin();
  if (!path.empty()) {
    begin =
        std::find_if(begin, lines.end(), [&](const auto& line) { return without_indent(line).starts_with(heading); });
    if (begin == lines.end()) begin = lines.insert(lines.end(), heading);
    ++begin;
  }
  auto end = std::find_if(begin, lines.end(), [](const auto& line) { return without_indent(line).starts_with('['); });

  const std::string name = bad.line.substr(0, bad.line.find_first_of(" .="));
  const std::size_t at = std::size_t(begin - lines.begin());
  lines.erase(std::remove_if(begin, end, [&](const auto& line) { return sets(line, name); }), end);
  lines.insert(lines.begin() + std::ptrdiff_t(at), bad.line);

  BadScene out{"", int(at) + 1};
  for (const std::string& line : lines) out.text += line + "\n";
  return out;
}

}  // namespace silt
