#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "silt/scene/value.h"

namespace silt {

/// One block of a scene, `[smoke]` or `[source.jet]`, or a table inside one. A view: the Document must outlive it.
/// An absent block is a Block too, an empty one, so that reading it gives the defaults.
class Block {
 public:
  Block(std::string path, std::string name, const Value* value, Location where)
      : path_(std::move(path)), name_(std::move(name)), value_(value), where_(std::move(where)) {}

  explicit operator bool() const { return value_ != nullptr; }
  const std::string& path() const { return path_; }  ///< "source.jet", quoted where TOML needs it
  const std::string& name() const { return name_; }  ///< "jet"
  const Value* value() const { return value_; }      ///< nullptr when absent
  /// Its keys; none when absent.
  const Entries& entries() const;
  bool has(std::string_view parameter) const { return find(parameter) != nullptr; }
  const Value* find(std::string_view parameter) const;

  /// Where the block's name stands; for an absent block, the file as a whole.
  const Location& where() const { return where_; }
  /// Where a parameter's value stands, or the block itself when it was not given. "motion.position" and "volumes.2"
  /// reach into tables and lists.
  const Location& where(std::string_view parameter) const;
  /// The same for the parameter's name.
  const Location& key_where(std::string_view parameter) const;

 private:
  std::string path_, name_;
  const Value* value_;
  Location where_;
};

/// The text of a scene as values that know their places. It knows no parameter; tables do.
class Document {
 public:
  Document(std::shared_ptr<const SourceText> source, Value root) : source_(std::move(source)), root_(std::move(root)) {}

  const std::string& name() const { return source_->name; }
  const SourceText& source() const { return *source_; }
  const Value& root() const { return root_; }

  /// `[name]`; "" is the file itself: what stands outside of every block.
  Block block(std::string_view name) const;
  /// `[kind.NAME]`.
  Block block(std::string_view kind, std::string_view name) const;
  /// Every `[kind.NAME]`, in the order of the file.
  std::vector<Block> named_blocks(std::string_view kind) const;
  /// Their names.
  std::vector<std::string> names(std::string_view kind) const;

  /// Sets the value at a path, replacing what was there and making the blocks that lead to it. Each step of the path
  /// carries its name and place. Throws a SceneError when a step is a plain value.
  void assign(const std::vector<std::pair<std::string, Location>>& path, Value value);

 private:
  Location whole() const { return {source_, 0, 0, 0}; }

  std::shared_ptr<const SourceText> source_;
  Value root_;
};

}  // namespace silt
