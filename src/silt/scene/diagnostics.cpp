#include "silt/scene/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

#include "silt/core/text.h"
#include "silt/scene/utf8.h"

namespace silt {
namespace {

constexpr int widest_excerpt = 120;  // characters of a source line shown; longer lines are cut around the place

/// The characters of `line` from `from`, at most `count` of them.
std::string slice(const std::string& line, int from, int count) {
  std::string out;
  int at = 0;
  for (std::size_t i = 0; i < line.size() && at < from + count; ++at) {
    const std::size_t n = std::max<std::size_t>(1, utf8_length(line, i));
    if (at >= from) out += line.substr(i, n);
    i += n;
  }
  return out;
}

/// The source line and, under it, a caret with a tail as long as what it points at.
std::string excerpt(const std::string& line, const Location& where) {
  const int count = utf8_count(line);
  const int column = std::clamp(where.column, 1, count + 1) - 1;
  const bool cut_left = count > widest_excerpt && column > widest_excerpt / 2;
  const int from = cut_left ? column - widest_excerpt / 3 : 0;
  const bool cut_right = count - from > widest_excerpt;
  const std::string shown =
      (cut_left ? "..." : "") + printable(slice(line, from, widest_excerpt)) + (cut_right ? "..." : "");

  std::string mark = cut_left ? "   " : "";
  // Tabs stay tabs, so that the caret stands under its column however wide they are shown.
  for (const char c : printable(slice(line, from, column - from)))
    if ((c & 0xc0) != 0x80) mark += c == '\t' ? '\t' : ' ';
  const int tail = std::min({where.length, count - column, from + widest_excerpt - column}) - 1;
  mark += '^' + std::string(std::size_t(std::max(tail, 0)), '~');
  return "\n  " + shown + "\n  " + mark;
}

std::string all_text(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += (out.empty() ? "" : "\n") + d.text();
  return out;
}

std::string folded(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c == '-' ? '_' : char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size() + 1;
  std::vector<int> before(n), last(n), now(n);
  for (std::size_t j = 0; j < n; ++j) last[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = int(i);
    for (std::size_t j = 1; j < n; ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[n - 1];
}

}  // namespace

std::string to_text(const Location& where) {
  if (!where.source) return "scene";
  if (where.line == 0 || where.source->command_line) return printable(where.source->name);
  return str(printable(where.source->name), ':', where.line, ':', where.column);
}

std::string Diagnostic::source_line() const {
  if (!where.source || where.line < 1 || where.line > int(where.source->lines.size())) return {};
  return where.source->lines[std::size_t(where.line - 1)];
}

std::string Diagnostic::text() const {
  std::string out = to_text(where) + (severity == Severity::error ? ": error: " : ": warning: ") + printable(message);
  if (where.line > 0) out += excerpt(source_line(), where);
  if (!suggestion.empty()) out += "\n  " + printable(suggestion);
  return out;
}

SceneError::SceneError(std::vector<Diagnostic> diagnostics)
    : InputError(all_text(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::error(const Location& where, std::string message, std::string suggestion) {
  add({Severity::error, where, std::move(message), std::move(suggestion)});
}

void Diagnostics::warning(const Location& where, std::string message, std::string suggestion) {
  add({Severity::warning, where, std::move(message), std::move(suggestion)});
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (std::find(sources_.begin(), sources_.end(), diagnostic.where.source) == sources_.end())
    sources_.push_back(diagnostic.where.source);
  errors_ += diagnostic.severity == Severity::error;
  all_.push_back(std::move(diagnostic));
  sorted_ = false;
}

const std::vector<Diagnostic>& Diagnostics::all() const {
  if (sorted_) return all_;
  const auto place = [&](const Location& where) {
    return std::tuple(std::find(sources_.begin(), sources_.end(), where.source), where.line, where.column);
  };
  std::stable_sort(all_.begin(), all_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a.where) < place(b.where); });
  sorted_ = true;
  return all_;
}

std::string Diagnostics::text() const {
  return all_text(all());
}

void Diagnostics::throw_if_errors() const {
  if (errors() > 0) throw SceneError(all());
}

std::string closest_name(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string wanted = folded(word);
  std::string best;
  int best_distance = 0;
  for (const std::string& candidate : candidates) {
    const int length = int(std::min(candidate.size(), wanted.size()));
    const int limit = std::max(1, (length + 1) / 3);
    if (length < 2 || wanted.size() > candidate.size() + std::size_t(limit)) continue;
    const int distance = edit_distance(wanted, folded(candidate));
    if (distance <= limit && (best.empty() || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty() || wanted.size() < 3) return best;
  // An abbreviation: "visc" for "viscosity", when it is the only one that begins so.
  const auto begins = [&](const std::string& candidate) { return folded(candidate).starts_with(wanted); };
  const auto at = std::find_if(candidates.begin(), candidates.end(), begins);
  return at != candidates.end() && std::none_of(at + 1, candidates.end(), begins) ? *at : std::string();
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string name = closest_name(word, candidates);
  return name.empty() ? std::string() : "did you mean '" + name + "'?";
}

std::string list_names(const std::vector<std::string>& names, std::string_view last_word, char quote) {
  const std::string mark(quote ? 1 : 0, quote);
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " " + std::string(last_word) + " " : ", ";
    out += mark + names[i] + mark;
  }
  return out;
}

}  // namespace silt
