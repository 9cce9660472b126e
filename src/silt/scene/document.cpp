#include "silt/scene/document.h"

#include <utility>

#include "silt/scene/diagnostics.h"
#include "silt/scene/write_value.h"

namespace silt {

const Entries& Block::entries() const {
  static const Entries none;
  const Entries* entries = value_ ? value_->as<Entries>() : nullptr;
  return entries ? *entries : none;
}

const Value* Block::find(std::string_view parameter) const {
  return value_ ? find_value(*value_, parameter) : nullptr;
}

const Location& Block::where(std::string_view parameter) const {
  const Value* value = find(parameter);
  return value ? value->where : where_;
}

const Location& Block::key_where(std::string_view parameter) const {
  const std::size_t dot = parameter.rfind('.');
  const bool nested = dot != std::string_view::npos;
  const Value* table = nested ? find(parameter.substr(0, dot)) : value_;
  const Entry* entry = table ? find_entry(*table, nested ? parameter.substr(dot + 1) : parameter) : nullptr;
  return entry ? entry->key_where : where(parameter);
}

Block Document::block(std::string_view name) const {
  if (name.empty()) return {"", "", &root_, whole()};
  const Entry* entry = find_entry(root_, name);
  return {write_key(name), std::string(name), entry ? &entry->value : nullptr, entry ? entry->key_where : whole()};
}

Block Document::block(std::string_view kind, std::string_view name) const {
  const Block blocks = block(kind);
  const Entry* entry = blocks ? find_entry(*blocks.value(), name) : nullptr;
  return {blocks.path() + '.' + write_key(name), std::string(name), entry ? &entry->value : nullptr,
          entry ? entry->key_where : blocks.where()};
}

std::vector<Block> Document::named_blocks(std::string_view kind) const {
  std::vector<Block> out;
  const Block blocks = block(kind);
  for (const Entry& entry : blocks.entries())
    if (entry.value.as<Entries>())
      out.emplace_back(blocks.path() + '.' + write_key(entry.key), entry.key, &entry.value, entry.key_where);
  return out;
}

std::vector<std::string> Document::names(std::string_view kind) const {
  std::vector<std::string> out;
  for (const Block& block : named_blocks(kind)) out.push_back(block.name());
  return out;
}

void Document::assign(const std::vector<std::pair<std::string, Location>>& path, Value value) {
  Value* at = &root_;
  std::string so_far;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto& [key, where] = path[i];
    Entries* entries = at->as<Entries>();
    if (!entries) {
      Diagnostics diagnostics;
      diagnostics.error(where, "'" + so_far + "' is " + describe(*at) + ", so it has no parameter '" + key + "'");
      diagnostics.throw_if_errors();
    }
    Entry* entry = const_cast<Entry*>(find_entry(*at, key));
    if (!entry) entry = &entries->emplace_back(Entry{key, where, Value{Entries{}, where}});
    if (i + 1 == path.size()) *entry = Entry{key, where, std::move(value)};
    at = &entry->value;
    so_far += (so_far.empty() ? "" : ".") + write_key(key);
  }
}

}  // namespace silt
