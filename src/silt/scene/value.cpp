#include "silt/scene/value.h"

#include <charconv>

#include "silt/scene/utf8.h"
#include "silt/scene/write_value.h"

namespace silt {

const Entry* find_entry(const Value& table, std::string_view key) {
  if (const Entries* entries = table.as<Entries>())
    for (const Entry& entry : *entries)
      if (entry.key == key) return &entry;
  return nullptr;
}

const Value* find_value(const Value& from, std::string_view path) {
  const Value* at = &from;
  while (at && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (const Values* array = at->as<Values>()) {
      std::size_t index = array->size();
      std::from_chars(step.data(), step.data() + step.size(), index);
      at = index < array->size() ? &(*array)[index] : nullptr;
    } else {
      const Entry* entry = find_entry(*at, step);
      at = entry ? &entry->value : nullptr;
    }
  }
  return at;
}

std::string describe(const Value& value) {
  if (value.as<Values>()) return "a list";
  if (value.as<Entries>()) return "a table";
  if (const auto* x = value.as<bool>()) return write_value(*x);
  if (const auto* x = value.as<std::int64_t>()) return std::to_string(*x);
  if (const auto* x = value.as<double>()) return write_value(*x);
  const std::string& text = *value.as<std::string>();
  return utf8_count(text) > 60 ? "a long string" : "the string " + write_value(text);
}

}  // namespace silt
