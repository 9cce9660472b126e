// The lines of manifest.jsonl and stats.jsonl, as they are and with checksums that hold. In stats.jsonl a line's files
// stand behind tabs here.
#include "campaign/checked.h"
#include "campaign/target.h"
#include "silt/cache/stats_files.h"

namespace {

/// What was read must be written and read again as the same.
void read_again(const silt::ManifestEntry& entry) {
  const auto again = silt::parse_manifest_line(silt::manifest_line(entry));
  if (!again || again->name != entry.name || again->stamp != entry.stamp || again->frame != entry.frame)
    __builtin_trap();
}

void read_lines(std::string_view text) {
  using namespace silt;
  for_each_line(text, [](std::string_view line) {
    parse_manifest_line(line);
    if (const auto entry = parse_manifest_line(checked(line))) read_again(*entry);
    std::vector<std::string> files;
    for (std::size_t tab; (tab = line.rfind('\t')) != line.npos; line = line.substr(0, tab))
      files.push_back(checked(line.substr(tab + 1)));
    for (const ManifestEntry& entry : files_in_stats(with_files(line, files) + '\n')) read_again(entry);
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  survives(data, size, [](std::string_view text) { files_in_stats(text); });
  return survives(data, size, read_lines);
}
