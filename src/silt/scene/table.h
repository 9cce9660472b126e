#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "silt/scene/document.h"
#include "silt/scene/parameter_options.h"
#include "silt/scene/read_value.h"
#include "silt/scene/table_info.h"
#include "silt/scene/table_steps.h"
#include "silt/scene/write_value.h"

namespace silt {

/// One parameter of struct S: what is known of it, and how to get it from a value and into text. Made by number(),
/// choice() and the others below.
template <class S>
struct Parameter {
  ParameterInfo info;  ///< without the default, which is S's own
  std::function<void(const Value&, const Block&, ReadContext&, S&)> read;
  std::function<std::string(const S&, int dims)> write;  ///< as TOML, vectors of `dims` numbers; empty when absent
  std::function<void(const S&, ParameterInfo&)> expand;  ///< of a group: fills in members with their defaults
};

/// The parameters of a block, once: serves reading, validating, writing out, the reference and the generated bad
/// values.
///
///   struct SmokeParams { double viscosity = 0; Scheme scheme = Scheme::maccormack; };
///
///   const Table<SmokeParams>& smoke_table() {
///     static const Table<SmokeParams> table{"smoke", "Smoke and hot air.", {
///         number("viscosity", &SmokeParams::viscosity, {.unit = "m^2/s", .min = 0, .max = 10, .help = "..."}),
///         choice("advection", &SmokeParams::scheme, {{"linear", Scheme::linear, "..."}, ...}, {.help = "..."}),
///     }};
///     return table;
///   }
///   SmokeParams p = smoke_table().read(document.block("smoke"), diagnostics);
///
/// Defaults are S's member initialisers. A heading "source.NAME" makes a named kind: any number of [source.NAME].
/// A heading "" is for what stands outside of every block.
template <class S>
class Table {
 public:
  Table(const std::string& heading, std::string help, std::vector<Parameter<S>> parameters,
        std::vector<ExclusiveRule> rules = {})
      : info_(make_head(heading, std::move(help), std::move(rules))), parameters_(std::move(parameters)) {
    for (const Parameter<S>& parameter : parameters_) info_.parameters.push_back(parameter.info);
  }

  /// What is wrong goes to the diagnostics, all of it; the parameter concerned keeps its default. `defaults` is for
  /// presets: what stands in the block goes over it.
  S read(const Block& block, Diagnostics& diagnostics, ReadOptions options = {}, S defaults = {}) const {
    ReadContext reader{diagnostics, options};
    read_over(block, reader, defaults);
    return defaults;
  }

  void read_over(const Block& block, ReadContext& reader, S& out) const {
    if (!check_block(block, info_, reader.diagnostics)) return;
    for (const Parameter<S>& parameter : parameters_)
      if (const Entry* entry = block.value() ? find_entry(*block.value(), parameter.info.name) : nullptr)
        parameter.read(entry->value, block, reader, out);
  }

  /// `[path]` and every parameter that means something, defaults written out; reads back to the same struct. An empty
  /// path gives no heading.
  std::string write(const S& values, const std::string& path, int dims = 3) const {
    std::string out = path.empty() ? "" : "[" + path + "]\n";
    const std::string material = material_of(values);
    for (const Parameter<S>& parameter : parameters_)
      if (belongs(parameter.info, material)) out += write_line(parameter.info, parameter.write(values, dims));
    return out;
  }
  std::string write(const S& values) const { return write(values, info_.name); }

  /// The same as `{ a = 1, b = 2 }`.
  std::string write_inline(const S& values, int dims = 3) const {
    std::string out;
    for (const Parameter<S>& parameter : parameters_)
      if (const std::string text = parameter.write(values, dims); !text.empty())
        out += (out.empty() ? " " : ", ") + write_key(parameter.info.name) + " = " + text;
    return "{" + out + " }";
  }

  /// What differs between two sets of values, and whether a resumed run allows it.
  std::vector<ParameterChange> changes(const S& before, const S& after) const {
    std::vector<ParameterChange> out;
    for (const Parameter<S>& parameter : parameters_)
      if (const std::string a = parameter.write(before, 3), b = parameter.write(after, 3); a != b)
        out.push_back({parameter.info.name, a, b, parameter.info.resumable});
    return out;
  }

  const std::string& name() const { return info_.name; }
  TableInfo info() const { return info_over(S{}); }
  /// With other defaults than S's own.
  TableInfo info_over(const S& defaults) const {
    TableInfo info = info_;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].expand) {
        parameters_[i].expand(defaults, info.parameters[i]);
      } else {
        info.parameters[i].default_text = parameters_[i].write(defaults, 3);
      }
    }
    return info;
  }

 private:
  /// Empty where blocks are of no material.
  static std::string material_of(const S& values) {
    if constexpr (requires { std::string(values.material); })
      return values.material;
    else
      return {};
  }

  TableInfo info_;  // without defaults
  std::vector<Parameter<S>> parameters_;
};

namespace table_detail {

template <class T>
struct Unwrapped {
  using type = T;
  static constexpr bool optional = false, animated = false;
};
template <class T>
struct Unwrapped<Animated<T>> {
  using type = T;
  static constexpr bool optional = false, animated = true;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = typename Unwrapped<T>::type;
  static constexpr bool optional = true, animated = Unwrapped<T>::animated;
};

/// M is T, or optional or animated T.
template <class M, class... T>
concept Holds = (std::same_as<typename Unwrapped<M>::type, T> || ...);

template <class M>
std::string write_member(const M& member, int dims) {
  if constexpr (Unwrapped<M>::optional) {
    return member ? write_member(*member, dims) : std::string();
  } else if constexpr (std::same_as<typename Unwrapped<M>::type, Vec3d>) {
    return write_value(member, dims);
  } else if constexpr (std::same_as<M, ScenePath>) {
    return member.empty() ? std::string() : write_value(member);
  } else {
    return write_value(member);
  }
}

template <class S, class M>
Parameter<S> make_parameter(ParameterInfo info, M S::*member) {
  info.optional = Unwrapped<M>::optional;
  info.animatable = Unwrapped<M>::animated;
  Parameter<S> out;
  out.info = info;
  out.read = [info, member](const Value& value, const Block&, ReadContext& reader, S& s) {
    read_value(value, info, reader, s.*member);
  };
  out.write = [member, in_space = info.in_space](const S& s, int dims) {
    return write_member(s.*member, in_space ? 3 : dims);
  };
  return out;
}

}  // namespace table_detail

template <class S, table_detail::Holds<bool> M>
Parameter<S> boolean(const std::string& name, M S::*member, const PlainOptions& options) {
  return table_detail::make_parameter(make_info(name, options), member);
}

template <class S, table_detail::Holds<int, std::int64_t> M>
Parameter<S> integer(const std::string& name, M S::*member, const NumberOptions& options) {
  const bool narrow = table_detail::Holds<M, int>;
  return table_detail::make_parameter(make_integer_info(name, options, narrow), member);
}

template <class S, table_detail::Holds<double> M>
Parameter<S> number(const std::string& name, M S::*member, const NumberOptions& options) {
  return table_detail::make_parameter(make_info(name, options), member);
}

/// Bounds hold for every component, or are given for each: .min = {0, 0, -1}.
template <class S, table_detail::Holds<Vec3d> M>
Parameter<S> vec(const std::string& name, M S::*member, const VectorOptions& options) {
  return table_detail::make_parameter(make_info(name, options), member);
}

/// Three numbers in any scene.
template <class S, table_detail::Holds<Vec3d> M>
Parameter<S> colour(const std::string& name, M S::*member, const VectorOptions& options) {
  ParameterInfo info = make_info(name, options);
  info.colour = info.in_space = true;
  return table_detail::make_parameter(std::move(info), member);
}

template <class S, table_detail::Holds<std::string> M>
Parameter<S> text(const std::string& name, M S::*member, const TextOptions& options) {
  return table_detail::make_parameter(make_info(name, options, ParameterType::text), member);
}

template <class S, table_detail::Holds<std::vector<std::string>> M>
Parameter<S> texts(const std::string& name, M S::*member, const TextOptions& options) {
  return table_detail::make_parameter(make_info(name, options, ParameterType::texts), member);
}

template <class S, table_detail::Holds<ScenePath> M>
Parameter<S> file(const std::string& name, M S::*member, const PlainOptions& options) {
  ParameterInfo info = make_info(name, options);
  info.type = ParameterType::path;
  return table_detail::make_parameter(std::move(info), member);
}

/// One word for each value of an enum.
template <class E>
struct Choice {
  std::string name;
  E value;
  std::string help;
};

template <class S, class M>
requires std::is_enum_v<typename table_detail::Unwrapped<M>::type> Parameter<S> choice(
    const std::string& name, M S::*member, std::vector<Choice<typename table_detail::Unwrapped<M>::type>> choices,
    const PlainOptions& options) {
  ParameterInfo info = make_info(name, options);
  info.type = ParameterType::choice;
  info.optional = table_detail::Unwrapped<M>::optional;
  for (const auto& c : choices) info.choices.push_back({c.name, c.help});
  Parameter<S> out;
  out.info = info;
  out.read = [info, member, choices](const Value& value, const Block&, ReadContext& reader, S& s) {
    std::string word;
    if (!read_value(value, info, reader, word)) return;
    for (const auto& c : choices)
      if (c.name == word) s.*member = c.value;
  };
  out.write = [member, choices](const S& s, int) {
    for (const auto& c : choices)
      if (s.*member == c.value) return write_value(c.name);
    return std::string();
  };
  return out;
}

/// A struct inside a struct, with a table of its own: `motion = { position = ... }`, or `[source.jet.motion]`.
/// Optional ones serve shapes that are one of several: `std::optional<BoxShape> box`.
template <class S, class M, class N>
requires std::same_as<typename table_detail::Unwrapped<M>::type, N> Parameter<S> group(const std::string& name,
                                                                                       M S::*member,
                                                                                       const Table<N>& members,
                                                                                       const PlainOptions& options) {
  constexpr bool optional = table_detail::Unwrapped<M>::optional;
  Parameter<S> out;
  out.info = make_info(name, options);
  out.info.type = ParameterType::group;
  out.info.optional = optional;
  const auto table = std::make_shared<const Table<N>>(members);
  out.read = [name, member, table](const Value& value, const Block& block, ReadContext& reader, S& s) {
    const Block inner = inner_block(block, name, value);
    if constexpr (optional) {
      if (!(s.*member)) s.*member = N{};
      table->read_over(inner, reader, *(s.*member));
    } else {
      table->read_over(inner, reader, s.*member);
    }
  };
  out.write = [member, table](const S& s, int dims) {
    if constexpr (optional) {
      return s.*member ? table->write_inline(*(s.*member), dims) : std::string();
    } else {
      return table->write_inline(s.*member, dims);
    }
  };
  out.expand = [member, table](const S& defaults, ParameterInfo& info) {
    N inner{};
    if constexpr (optional) {
      if (defaults.*member) inner = *(defaults.*member);
    } else {
      inner = defaults.*member;
    }
    TableInfo shape = table->info_over(inner);
    info.members = std::move(shape.parameters);
    info.member_rules = std::move(shape.rules);
  };
  return out;
}

/// The parameters of a struct inside a struct, for a block that has them as its own: `friction_angle = 30` where a
/// group would have `grains = { friction_angle = 30 }`.
template <class S, class N>
std::vector<Parameter<S>> inlined(N S::*member, const std::vector<Parameter<N>>& parameters) {
  std::vector<Parameter<S>> out;
  for (const Parameter<N>& p : parameters) {
    Parameter<S>& q = out.emplace_back();
    q.info = p.info;
    q.read = [member, p](const Value& value, const Block& block, ReadContext& reader, S& s) {
      p.read(value, block, reader, s.*member);
    };
    q.write = [member, p](const S& s, int dims) { return p.write(s.*member, dims); };
    if (p.expand) q.expand = [member, p](const S& defaults, ParameterInfo& info) { p.expand(defaults.*member, info); };
  }
  return out;
}

}  // namespace silt
