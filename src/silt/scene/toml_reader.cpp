// The only file that sees toml++.
#include "silt/scene/toml_reader.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "silt/core/input_file.h"
#include "silt/core/text.h"
#include "silt/scene/diagnostics.h"
#include "silt/scene/toml_guard.h"
#include "silt/scene/utf8.h"

namespace silt {
namespace {

using SourcePtr = std::shared_ptr<const SourceText>;

constexpr std::uint64_t largest_file = 16u << 20;  // bytes; a scene with thousands of keys is a hundredth of it
constexpr int deepest_value = 300;                 // toml++ itself stops at 256, but for dots

[[noreturn]] void fail(const Location& where, std::string message, std::string suggestion = {}) {
  throw SceneError({{Severity::error, where, std::move(message), std::move(suggestion)}});
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

/// A region that ends on a later line is taken to the end of its first one.
Location to_location(const SourcePtr& source, const toml::source_region& region) {
  Location where{source, int(region.begin.line), int(region.begin.column), 1};
  if (region.end.line == region.begin.line && region.end.column > region.begin.column) {
    where.length = int(region.end.column - region.begin.column);
  } else if (region.end.line > region.begin.line && region.begin.line <= source->lines.size()) {
    where.length = std::max(1, utf8_count(source->lines[region.begin.line - 1]) - where.column + 1);
  }
  return where;
}

Value to_value(const toml::node& node, const SourcePtr& source, int depth) {
  Value value{false, to_location(source, node.source())};
  if (depth > deepest_value) fail(value.where, "tables are nested too deeply");
  if (const auto* table = node.as_table()) {
    Entries entries;
    for (auto&& [key, child] : *table)
      entries.push_back(
          {std::string(key.str()), to_location(source, key.source()), to_value(child, source, depth + 1)});
    // toml++ sorts its keys by name; people expect the order of their file.
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.key_where.line, a.key_where.column) < std::tie(b.key_where.line, b.key_where.column);
    });
    value.data = std::move(entries);
  } else if (const auto* array = node.as_array()) {
    Values items;
    for (auto&& child : *array) items.push_back(to_value(child, source, depth + 1));
    value.data = std::move(items);
  } else if (const auto* text = node.as_string()) {
    value.data = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.data = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.data = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.data = boolean->get();
  } else {
    fail(value.where, "dates and times have no use in a scene", "times are numbers, in seconds");
  }
  return value;
}

Location place_of(std::string_view text, std::size_t byte, const SourcePtr& source) {
  const std::size_t start = text.rfind('\n', byte) + 1;  // npos + 1 is 0
  const auto line = std::count(text.begin(), text.begin() + std::ptrdiff_t(start), '\n') + 1;
  return {source, int(line), utf8_count(text.substr(start, byte - start)) + 1, 1};
}

void refuse_risks(std::string_view text, const SourcePtr& source) {
  const std::optional<TomlRiskAt> found = find_toml_risk(text);
  if (!found) return;
  const Location where = place_of(text, found->byte, source);
  if (found->risk == TomlRisk::deep_key) fail(where, str("there are more than ", most_dots, " dots in one name"));
  const std::string_view rest = text.substr(found->byte);
  const std::string shown = printable(rest.substr(0, std::max<std::size_t>(1, utf8_length(rest, 0))));
  if (found->risk == TomlRisk::continued)
    fail(where, "what a backslash continues on the next line cannot begin with '" + shown + "'",
         "leave the backslash out, or write the text in one line");
  fail(where, "this is not TOML: '" + shown + "' may only stand in quotes and in comments");
}

/// "Error while parsing string: encountered end-of-file" -> "while parsing string: encountered end-of-file".
std::string tidy(std::string_view description) {
  constexpr std::string_view opening = "Error while ";
  if (description.starts_with(opening)) description.remove_prefix(opening.size() - 6);
  return "this is not TOML: " + std::string(description);
}

Value parse_value(std::string_view text, const SourcePtr& source) {
  refuse_risks(text, source);
  try {
    const toml::table table = toml::parse(text);
    return to_value(table, source, 0);
  } catch (const toml::parse_error& e) {
    fail(to_location(source, e.source()), tidy(e.description()));
  }
}

/// Letters, digits and what names and file paths are made of.
bool is_bare_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0 || std::strchr("_-+./~#:", c) != nullptr;
  });
}

/// The names of "a.b.'c d'=..." and their places.
std::vector<std::pair<std::string, Location>> parse_path(std::string_view keys, const SourcePtr& source) {
  const Value root = parse_value(std::string(keys) + "=0", source);
  std::vector<std::pair<std::string, Location>> path;
  for (const Value* at = &root; at->as<Entries>();) {
    const Entries& entries = *at->as<Entries>();
    if (entries.size() != 1) break;
    path.emplace_back(entries[0].key, entries[0].key_where);
    at = &entries[0].value;
  }
  return path;
}

/// The '=' after the name, which may hold quoted parts.
std::size_t find_equals(std::string_view assignment) {
  char quote = 0;
  for (std::size_t i = 0; i < assignment.size(); ++i) {
    const char c = assignment[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '=') {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// What stands after the '=', `depth` names down from the root of the assignment read as a small document.
Value parse_override_value(std::string_view assignment, std::size_t equals, std::size_t depth,
                           const SourcePtr& source) {
  try {
    Value at = parse_value(assignment, source);
    for (std::size_t i = 0; i < depth; ++i) at = Value(at.as<Entries>()->front().value);
    return at;
  } catch (const SceneError&) {
    const std::string_view text = trim(assignment.substr(equals + 1));
    if (!is_bare_word(text)) throw;
    const int column = utf8_count(assignment.substr(0, std::size_t(text.data() - assignment.data()))) + 1;
    return {std::string(text), {source, 1, column, utf8_count(text)}};
  }
}

}  // namespace

Document parse_document(std::string_view text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  auto source = std::make_shared<SourceText>();
  source->name = name;
  source->lines = split_lines(text);
  source->directory = std::filesystem::path(name).parent_path();
  Value root = parse_value(text, source);
  return {source, std::move(root)};
}

Document read_document(const std::filesystem::path& path) {
  return parse_document(read_named_file(path, largest_file), path.string());
}

void apply_override(Document& document, std::string_view assignment) {
  auto source = std::make_shared<SourceText>();
  source->name = "--set " + std::string(assignment);
  source->lines = {std::string(assignment)};
  source->directory = document.source().directory;
  source->command_line = true;

  const Location whole{source, 1, 1, utf8_count(assignment)};
  if (assignment.find_first_of("\r\n") != std::string_view::npos) fail(whole, "one --set takes one line");
  const std::size_t equals = find_equals(assignment);
  const std::string shape = "--set takes NAME=VALUE, for example --set source.jet.rate=2";
  if (equals == std::string_view::npos || trim(assignment.substr(0, equals)).empty()) fail(whole, shape);

  const auto path = parse_path(assignment.substr(0, equals), source);
  if (path.empty()) fail(whole, shape);  // the name was a comment
  document.assign(path, parse_override_value(assignment, equals, path.size(), source));
}

}  // namespace silt
