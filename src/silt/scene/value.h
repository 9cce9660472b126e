#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "silt/scene/location.h"

namespace silt {

struct Value;
struct Entry;
using Values = std::vector<Value>;
using Entries = std::vector<Entry>;  ///< a TOML table, its keys in the order of the file

/// A value of a scene file and where it stands.
struct Value {
  std::variant<bool, std::int64_t, double, std::string, Values, Entries> data;
  Location where;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&data);
  }
};

/// One `key = value`, or one `[key]`.
struct Entry {
  std::string key;
  Location key_where;
  Value value;
};

/// The entry of that name, or nullptr. Null too when the value is no table.
const Entry* find_entry(const Value& table, std::string_view key);

/// Follows "motion.position" or "volumes.2" (an index into an array, from 0) down from a value; nullptr when it leads
/// nowhere.
const Value* find_value(const Value& from, std::string_view path);

/// What a value is, for a message: "the string \"thick\"", "-3", "a list", "a table".
std::string describe(const Value& value);

}  // namespace silt
