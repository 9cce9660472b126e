#include "trials/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace silt::trials {

namespace {

using Row = std::array<std::string, 4>;

std::vector<Row> rows_of(const std::vector<Measure>& measures) {
  std::vector<Row> rows;
  for (const Measure& m : measures)
    rows.push_back({m.name, m.measured_text(), m.bound_text(),
                    m.sense == Measure::Sense::told ? ""
                    : m.pass()                      ? "pass"
                    : m.why_not.empty()             ? "FAIL"
                                                    : "FAIL: " + m.why_not});
  return rows;
}

}  // namespace

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string plain_table(const std::vector<Measure>& measures) {
  std::vector<Row> rows = rows_of(measures);
  rows.insert(rows.begin(), {"measure", "measured", "bound", ""});
  std::array<std::size_t, 4> width{};
  for (const Row& row : rows)
    for (int i = 0; i < 4; ++i) width[i] = std::max(width[i], row[i].size());
  std::string out;
  for (const Row& row : rows) {
    std::string line = " ";
    for (int i = 0; i < 4; ++i) line += " " + row[i] + std::string(width[i] + 1 - row[i].size(), ' ');
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string markdown_table(const std::vector<Measure>& measures) {
  std::string out = "| measure | measured | bound | |\n| --- | --- | --- | --- |\n";
  for (const Row& row : rows_of(measures))
    out += "| `" + row[0] + "` | " + row[1] + " | " + row[2] + " | " + row[3] + " |\n";
  return out;
}

std::string page_text(const PageParts& p) {
  return "# " + p.name + ": " + p.summary + "\n\n" + p.about + "\n\n" + markdown_table(p.measures) + "\n" + p.after +
         "Made by `" + p.command + "`.\n";
}

std::string json_array(const std::vector<Measure>& measures) {
  std::string out = "[";
  for (const Measure& m : measures) {
    const bool told = m.sense == Measure::Sense::told;
    out += std::string(out.size() > 1 ? "," : "") + "\n  {\"name\": " + json_string(m.name) +
           ", \"measured\": " + json_number(m.measured) + ", \"bound\": " + (told ? "null" : json_number(m.bound)) +
           ", \"pass\": " + (m.pass() ? "true" : "false") + "}";
  }
  return out + (measures.empty() ? "]" : "\n]");
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string csv_number(double value) {
  return std::isfinite(value) ? json_number(value) : "nan";
}

std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      out += (std::snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(c)), escaped);
    else
      out += c;
  }
  return out + '"';
}

}  // namespace silt::trials
