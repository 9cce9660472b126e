#include "silt/scene/reference.h"

#include <algorithm>
#include <sstream>

#include "silt/scene/diagnostics.h"
#include "silt/scene/utf8.h"

namespace silt {
namespace {

std::string short_type(const ParameterInfo& info) {
  switch (info.type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::integer:
      return "whole number";
    case ParameterType::number:
      return "number";
    case ParameterType::vector:
      return info.colour ? "[red, green, blue]" : "[x, y, z]";
    case ParameterType::text:
      return info.choices.empty() ? "string" : "choice";
    case ParameterType::texts:
      return "list of strings";
    case ParameterType::path:
      return "file";
    case ParameterType::choice:
      return "choice";
    case ParameterType::group:
      return "table";
  }
  return {};
}

std::string type_and_unit(const ParameterInfo& info) {
  return short_type(info) + (info.unit.empty() ? "" : ", " + info.unit);
}

/// The range without its unit, which stands beside the type.
std::string bare_range(ParameterInfo info) {
  info.unit.clear();
  return range_text(info);
}

std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i ? between : "") + parts[i];
  return out;
}

std::vector<std::string> flags(const ParameterInfo& info) {
  std::vector<std::string> out;
  if (info.required) out.emplace_back("required");
  if (!info.only_for.empty()) out.push_back("of " + list_names(info.only_for, "and", 0) + " only");
  if (info.animatable) out.emplace_back("animatable");
  if (info.resumable) out.emplace_back("may change on resume");
  if (!info.refers_to.empty()) out.push_back("names a [" + info.refers_to + ".NAME]");
  return out;
}

/// Parameters with those of groups after them, named "motion.position".
std::vector<ParameterInfo> flattened(const std::vector<ParameterInfo>& parameters, const std::string& prefix = "") {
  std::vector<ParameterInfo> out;
  for (ParameterInfo p : parameters) {
    p.name = prefix + p.name;
    out.push_back(p);
    for (ParameterInfo& member : flattened(p.members, p.name + ".")) out.push_back(std::move(member));
  }
  return out;
}

/// "One of box, sphere and mesh must be given."
std::vector<std::string> rule_lines(const std::vector<ExclusiveRule>& rules) {
  std::vector<std::string> out;
  for (const ExclusiveRule& rule : rules)
    out.push_back((rule.required ? "Exactly one of " : "At most one of ") + list_names(rule.names, "and") +
                  " is given.");
  return out;
}

std::string group_help(const ParameterInfo& p) {
  std::string out = p.help;
  for (const std::string& line : rule_lines(p.member_rules)) out += (out.empty() ? "" : " ") + line;
  return out;
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string code(const std::string& text) {
  return text.empty() ? "" : "`" + text + "`";
}

std::string markdown_row(const ParameterInfo& p) {
  std::string help = cell(group_help(p));
  for (const ChoiceInfo& choice : p.choices)
    help += "<br>" + code(choice.name) + (choice.help.empty() ? "" : ": " + cell(choice.help));
  if (const auto marks = flags(p); !marks.empty()) help += (help.empty() ? "*" : " *") + cell(join(marks, ", ")) + "*";
  return "| " + code(p.name) + " | " + cell(type_and_unit(p)) + " | " + cell(code(p.required ? "" : p.default_text)) +
         " | " + cell(bare_range(p)) + " | " + help + " |\n";
}

/// Words of `text` in lines of at most `columns`, each after `indent` spaces.
std::string wrapped(const std::string& text, int indent, int columns, const std::string& opening = "") {
  const std::string margin(std::size_t(indent), ' ');
  std::istringstream words(text);
  std::string out, line = opening.empty() ? margin : opening, word;
  bool fresh = true;
  while (words >> word) {
    if (!fresh && utf8_count(line) + 1 + utf8_count(word) > columns) {
      out += line + "\n";
      line = margin;
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
    fresh = false;
  }
  return out + line + "\n";
}

std::string padded(std::string text, int width) {
  return text + std::string(std::size_t(std::max(0, width - utf8_count(text))), ' ');
}

std::string text_entry(const ParameterInfo& p, int name_width, int columns) {
  std::vector<std::string> facts{type_and_unit(p)};
  if (const std::string range = bare_range(p); !range.empty()) facts.push_back(range);
  if (!p.default_text.empty() && !p.required) facts.push_back("default " + p.default_text);
  for (const std::string& mark : flags(p)) facts.push_back(mark);
  const int indent = 2 + name_width + 2;
  std::string out = wrapped(join(facts, "; "), indent, columns, "  " + padded(p.name, name_width) + "  ");
  if (const std::string help = group_help(p); !help.empty()) out += wrapped(help, indent, columns);
  int word_width = 0;
  for (const ChoiceInfo& choice : p.choices) word_width = std::max(word_width, utf8_count(choice.name) + 2);
  for (const ChoiceInfo& choice : p.choices) {
    const std::string margin(std::size_t(indent + 2), ' '), word = '"' + choice.name + '"';
    out += choice.help.empty()
               ? margin + word + "\n"
               : wrapped(choice.help, indent + 4 + word_width, columns, margin + padded(word, word_width) + "  ");
  }
  return out;
}

std::string heading_text(const TableInfo& table) {
  return table.name.empty() ? "At the top of the file" : "[" + table.heading() + "]";
}

}  // namespace

std::string reference_markdown(const std::vector<TableInfo>& tables) {
  std::string out;
  for (const TableInfo& table : tables) {
    out += (out.empty() ? "## " : "\n## ") + (table.name.empty() ? heading_text(table) : code(heading_text(table))) +
           "\n\n";
    if (!table.help.empty()) out += table.help + "\n\n";
    for (const std::string& line : rule_lines(table.rules)) out += line + "\n\n";
    if (table.parameters.empty()) continue;
    out += "| parameter | type | default | range | |\n| --- | --- | --- | --- | --- |\n";
    for (const ParameterInfo& p : flattened(table.parameters)) out += markdown_row(p);
  }
  return out;
}

std::string reference_text(const std::vector<TableInfo>& tables, int columns) {
  std::string out;
  for (const TableInfo& table : tables) {
    out += (out.empty() ? "" : "\n") + heading_text(table) + "\n";
    if (!table.help.empty()) out += wrapped(table.help, 2, columns);
    for (const std::string& line : rule_lines(table.rules)) out += wrapped(line, 2, columns);
    out += "\n";
    const std::vector<ParameterInfo> parameters = flattened(table.parameters);
    int width = 0;
    for (const ParameterInfo& p : parameters) width = std::max(width, utf8_count(p.name));
    for (const ParameterInfo& p : parameters) out += text_entry(p, std::min(width, 28), columns);
  }
  return out;
}

}  // namespace silt
