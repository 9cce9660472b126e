#include "silt/scene/table_steps.h"

#include <algorithm>
#include <utility>

#include "silt/scene/write_value.h"

namespace silt {
namespace {

std::string title(const Block& block) {
  return block.path().empty() ? "the scene" : "'" + block.path() + "'";
}

/// Returns the names that were most likely meant by those that it does not have.
std::vector<std::string> check_names(const Block& block, const TableInfo& info, Diagnostics& diagnostics) {
  const std::vector<std::string> names = names_of(info.parameters);
  std::vector<std::string> meant;
  for (const Entry& entry : block.entries()) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    std::string hint = did_you_mean(entry.key, names);
    if (hint.empty() && !names.empty() && names.size() <= 12) hint = "it has " + list_names(names, "and");
    diagnostics.error(entry.key_where, title(block) + " has no parameter '" + entry.key + "'", hint);
    meant.push_back(closest_name(entry.key, names));
  }
  return meant;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_rule(const Block& block, const ExclusiveRule& rule, const std::vector<std::string>& misspelt,
                Diagnostics& diagnostics) {
  std::vector<std::string> given;
  for (const std::string& name : rule.names)
    if (block.has(name)) given.push_back(name);
  if (given.size() > 1)
    diagnostics.error(block.key_where(given.back()),
                      title(block) + " has " + list_names(given, "and") + ", but may have only one of them");
  const auto& names = rule.names;
  const bool any = std::any_of(names.begin(), names.end(), [&](const std::string& n) { return has(misspelt, n); });
  if (given.empty() && rule.required && !any)
    diagnostics.error(block.where(), title(block) + " needs one of " + list_names(rule.names));
}

}  // namespace

TableInfo make_head(const std::string& heading, std::string help, std::vector<ExclusiveRule> rules) {
  constexpr std::string_view suffix = ".NAME";
  TableInfo head;
  head.named = heading.ends_with(suffix);
  head.name = head.named ? heading.substr(0, heading.size() - suffix.size()) : heading;
  head.help = std::move(help);
  head.rules = std::move(rules);
  return head;
}

bool check_block(const Block& block, const TableInfo& info, Diagnostics& diagnostics) {
  if (block && !block.value()->as<Entries>()) {
    const bool inner = block.path() != write_key(info.name);
    diagnostics.error(block.value()->where, "'" + (inner ? block.name() : block.path()) + "' must be " +
                                                (inner ? "a table { ... }" : "a block [" + block.path() + "]") +
                                                ", not " + describe(*block.value()));
    return false;
  }
  // Names outside of every block are checked against all tables together: check_document().
  std::vector<std::string> misspelt;  // and so not missing, too
  if (!block.path().empty()) misspelt = check_names(block, info, diagnostics);
  for (const ParameterInfo& parameter : info.parameters)
    if (parameter.required && !block.has(parameter.name) && !has(misspelt, parameter.name))
      diagnostics.error(block.where(), title(block) + " needs '" + parameter.name + "'",
                        parameter.help.empty() ? "" : parameter.name + ": " + parameter.help);
  for (const ExclusiveRule& rule : info.rules) check_rule(block, rule, misspelt, diagnostics);
  return true;
}

bool belongs(const ParameterInfo& info, const std::string& material) {
  const auto& some = info.only_for;
  return some.empty() || material.empty() || std::find(some.begin(), some.end(), material) != some.end();
}

void check_belonging(const Block& block, const TableInfo& info, const std::string& material, Diagnostics& diagnostics) {
  std::vector<std::string> theirs;
  for (const ParameterInfo& parameter : info.parameters)
    if (belongs(parameter, material)) theirs.push_back(parameter.name);
  for (const ParameterInfo& parameter : info.parameters)
    if (block.has(parameter.name) && !belongs(parameter, material))
      diagnostics.error(block.key_where(parameter.name),
                        "'" + parameter.name + "' is for " + list_names(parameter.only_for, "and", 0) + ", and " +
                            title(block) + " is " + material,
                        "of " + material + " it has " + list_names(theirs, "and"));
}

std::string write_line(const ParameterInfo& info, const std::string& text) {
  if (text.empty()) return {};
  return write_key(info.name) + " = " + text + (info.unit.empty() ? "" : "  # " + info.unit) + "\n";
}

Block inner_block(const Block& block, const std::string& name, const Value& value) {
  const std::string path = (block.path().empty() ? "" : block.path() + '.') + write_key(name);
  return {path, name, &value, block.key_where(name)};
}

}  // namespace silt
