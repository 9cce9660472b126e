#pragma once

/// .pvd: the lists of files, each with its instant, that ParaView opens.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace silt {

/// One file at one instant; files of the same `part` are one thing that moves.
struct PvdEntry {
  double time = 0;
  int part = 0;
  std::string name;  ///< "water.points"
  std::string file;  ///< beside the .pvd
  friend bool operator==(const PvdEntry&, const PvdEntry&) = default;
};

struct PvdList {
  std::string note;  ///< of whoever made it: a comment
  std::vector<PvdEntry> entries;

  /// In the place of one of the same file, if there is one.
  void put(const PvdEntry& entry);

 private:
  std::unordered_map<std::string, std::size_t> place_;  // of a file in `entries`, as far as put() has looked:
  std::size_t looked_ = 0;
};

/// By time, and at one instant as they were added.
std::string pvd_text(PvdList list);

/// What pvd_text() wrote; lines that it does not write are passed over.
PvdList read_pvd(std::string_view text);

/// For attributes of XML.
std::string xml_escaped(std::string_view text);

}  // namespace silt
