#include "silt/scene/check_document.h"

#include <algorithm>
#include <map>

namespace silt {
namespace {

using Tables = std::vector<TableInfo>;

const TableInfo* find_table(const Tables& tables, std::string_view name) {
  const auto at = std::find_if(tables.begin(), tables.end(), [&](const TableInfo& t) { return t.name == name; });
  return at == tables.end() ? nullptr : &*at;
}

bool has_parameter(const TableInfo& table, const std::string& name) {
  const auto& all = table.parameters;
  return std::any_of(all.begin(), all.end(), [&](const ParameterInfo& p) { return p.name == name; });
}

void report_unknown(const Entry& entry, const Tables& tables, Diagnostics& diagnostics) {
  const bool block = entry.value.as<Entries>() != nullptr;
  std::vector<std::string> names, headings;
  std::string hint;
  for (const TableInfo& table : tables) {
    if (table.name.empty()) {
      for (const ParameterInfo& p : table.parameters) names.push_back(p.name);
    } else {
      names.push_back(table.name);
      headings.push_back("[" + table.heading() + "]");
      if (!block && hint.empty() && has_parameter(table, entry.key)) hint = "it belongs in [" + table.heading() + "]";
    }
  }
  if (hint.empty()) hint = did_you_mean(entry.key, names);
  if (hint.empty()) {
    hint = "blocks are ";
    for (const std::string& heading : headings) hint += (&heading == &headings.front() ? "" : ", ") + heading;
  }
  diagnostics.error(entry.key_where,
                    std::string("a scene has no ") + (block ? "block '" : "parameter '") + entry.key + "'", hint);
}

void check_named_kind(const Entry& kind, Diagnostics& diagnostics) {
  const std::string should = "write [" + kind.key + ".NAME], with a name of your own";
  const Entries* blocks = kind.value.as<Entries>();
  if (!blocks) {
    diagnostics.error(kind.key_where, "'" + kind.key + "' must be named blocks, not " + describe(kind.value), should);
    return;
  }
  if (blocks->empty()) diagnostics.error(kind.key_where, "'" + kind.key + "' needs a name", should);
  for (const Entry& entry : *blocks)
    if (!entry.value.as<Entries>()) {
      diagnostics.error(entry.key_where,
                        "'" + kind.key + "' needs a name before it has parameters like '" + entry.key + "'", should);
      return;
    }
}

/// The names that a kind of blocks has in a scene, in the order of the file, and sorted.
class Names {
 public:
  Names(const Document& document, const std::string& kind) : listed_(document.names(kind)), sorted_(listed_) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  bool has(const std::string& name) const { return std::binary_search(sorted_.begin(), sorted_.end(), name); }

  std::string hint(const std::string& missing, const std::string& kind) const {
    if (listed_.empty()) return "the scene has no [" + kind + ".NAME]";
    if (listed_.size() > most_compared) return {};
    const std::string close = did_you_mean(missing, listed_);
    return close.empty() ? "there is " + list_names(listed_, "and") : close;
  }

 private:
  static constexpr std::size_t most_compared = 1000;

  std::vector<std::string> listed_, sorted_;
};

/// Of every kind that something refers to, looked up once.
class NamesOfKinds {
 public:
  explicit NamesOfKinds(const Document& document) : document_(document) {}
  const Names& of(const std::string& kind) {
    const auto at = known_.find(kind);
    return at != known_.end() ? at->second : known_.emplace(kind, Names(document_, kind)).first->second;
  }

 private:
  const Document& document_;
  std::map<std::string, Names> known_;
};

void check_reference(const Value& value, const std::string& kind, const Names& names, Diagnostics& diagnostics) {
  if (const Values* list = value.as<Values>())
    for (const Value& item : *list) check_reference(item, kind, names, diagnostics);
  const auto* name = value.as<std::string>();
  if (!name || names.has(*name)) return;
  const std::string lacks = kind.back() == 's' ? "there are no " : "there is no ";
  diagnostics.error(value.where, lacks + kind + " named '" + *name + "'", names.hint(*name, kind));
}

/// What is of another material than the block is reported as that.
bool is_for(const ParameterInfo& parameter, const Value& table) {
  const Entry* material = parameter.only_for.empty() ? nullptr : find_entry(table, "material");
  const std::string* name = material ? material->value.as<std::string>() : nullptr;
  return !name || std::find(parameter.only_for.begin(), parameter.only_for.end(), *name) != parameter.only_for.end();
}

void check_references(const Value& table, const std::vector<ParameterInfo>& parameters, const Tables& tables,
                      NamesOfKinds& names, Diagnostics& diagnostics) {
  for (const ParameterInfo& parameter : parameters) {
    const Entry* entry = find_entry(table, parameter.name);
    if (!entry || !is_for(parameter, table)) continue;
    check_references(entry->value, parameter.members, tables, names, diagnostics);
    const TableInfo* target = find_table(tables, parameter.refers_to);
    if (!parameter.refers_to.empty() && target && target->named)
      check_reference(entry->value, parameter.refers_to, names.of(parameter.refers_to), diagnostics);
  }
}

}  // namespace

void check_document(const Document& document, const std::vector<TableInfo>& tables, Diagnostics& diagnostics) {
  const TableInfo* outside = find_table(tables, "");
  NamesOfKinds names(document);
  const Block top = document.block("");
  for (const Entry& entry : top.entries()) {
    const TableInfo* table = entry.key.empty() ? nullptr : find_table(tables, entry.key);
    if (!table && !(outside && has_parameter(*outside, entry.key))) report_unknown(entry, tables, diagnostics);
    if (table && table->named) check_named_kind(entry, diagnostics);
  }
  for (const TableInfo& table : tables) {
    if (!table.named) {
      const Block block = document.block(table.name);
      if (block) check_references(*block.value(), table.parameters, tables, names, diagnostics);
    } else {
      for (const Block& block : document.named_blocks(table.name))
        check_references(*block.value(), table.parameters, tables, names, diagnostics);
    }
  }
}

}  // namespace silt
