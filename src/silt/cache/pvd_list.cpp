#include "silt/cache/pvd_list.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "silt/cache/checkpoint.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 4> entities{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}};
constexpr std::string_view note_begin = "<!-- ", note_end = " -->";

std::string unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto entity =
        std::find_if(entities.begin(), entities.end(), [&](const auto& e) { return text.starts_with(e.second); });
    out += entity == entities.end() ? text.front() : entity->first;
    text.remove_prefix(entity == entities.end() ? 1 : entity->second.size());
  }
  return out;
}

/// The value of `name="value"` in a line.
std::optional<std::string> attribute(std::string_view line, std::string_view name) {
  const std::string start = str(' ', name, "=\"");
  const std::size_t at = line.find(start);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + start.size(), end = line.find('"', from);
  if (end == std::string_view::npos) return {};
  return unescaped(line.substr(from, end - from));
}

template <class T>
bool read_number(const std::optional<std::string>& text, T& value) {
  if (!text) return false;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  return error == std::errc() && end == text->data() + text->size();
}

std::optional<PvdEntry> entry_of(std::string_view line) {
  PvdEntry entry;
  const std::optional<std::string> name = attribute(line, "name"), file = attribute(line, "file");
  if (!name || !file || !read_number(attribute(line, "timestep"), entry.time) ||
      !read_number(attribute(line, "part"), entry.part))
    return {};
  entry.name = *name, entry.file = *file;
  return entry;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto entity = std::find_if(entities.begin(), entities.end(), [&](const auto& e) { return e.first == c; });
    if (entity == entities.end())
      out += c;
    else
      out += entity->second;
  }
  return out;
}

void PvdList::put(const PvdEntry& entry) {
  for (; looked_ < entries.size(); ++looked_) place_.emplace(entries[looked_].file, looked_);
  const auto [at, added] = place_.try_emplace(entry.file, entries.size());
  if (added)
    entries.push_back(entry);
  else
    entries[at->second] = entry;
}

std::string pvd_text(PvdList list) {
  std::stable_sort(list.entries.begin(), list.entries.end(),
                   [](const PvdEntry& a, const PvdEntry& b) { return a.time < b.time; });
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n";
  if (!list.note.empty()) text += str(note_begin, list.note, note_end, '\n');
  text += "<Collection>\n";
  for (const PvdEntry& e : list.entries)
    text += str("<DataSet timestep=\"", exact_text(e.time), "\" group=\"\" part=\"", e.part, "\" name=\"",
                xml_escaped(e.name), "\" file=\"", xml_escaped(e.file), "\"/>\n");
  return text + "</Collection>\n</VTKFile>\n";
}

PvdList read_pvd(std::string_view text) {
  PvdList list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(note_begin) && line.ends_with(note_end))
      list.note = line.substr(note_begin.size(), line.size() - note_begin.size() - note_end.size());
    else if (line.starts_with("<DataSet "))
      if (const auto entry = entry_of(line)) list.entries.push_back(*entry);
  }
  return list;
}

}  // namespace silt
