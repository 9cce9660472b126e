#include "silt/scene/toml_guard.h"

#include <algorithm>

namespace silt {
namespace {

/// Follows a text as far as telling strings and comments from the rest needs. Where a string or comment is malformed
/// toml++ stops, so what is made of the text behind that does not matter.
class TomlWalk {
 public:
  explicit TomlWalk(std::string_view text) : text_(text) {}

  std::optional<TomlRiskAt> run() {
    while (at_ < text_.size() && !risk_) {
      const char c = text_[at_];
      if (c == '"' || c == '\'')
        string(c);
      else if (c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        plain(c);
    }
    return risk_;
  }

 private:
  static bool is_ascii(char c) { return (c & 0x80) == 0; }

  std::size_t run_of(char c) const { return std::min(text_.find_first_not_of(c, at_), text_.size()) - at_; }

  void plain(char c) {
    if (!is_ascii(c)) risk_ = {TomlRisk::not_ascii, at_};
    if (c == '.' && ++dots_ > most_dots) risk_ = {TomlRisk::deep_key, at_};
    if (std::string_view(",=[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
    ++at_;
  }

  /// From its opening quote to behind its closing one.
  void string(char quote) {
    const bool many_lines = run_of(quote) >= 3;
    at_ += many_lines ? 3 : 1;
    while (at_ < text_.size() && !risk_) {
      const char c = text_[at_];
      if (c == quote && (!many_lines || run_of(quote) >= 3)) {
        at_ += many_lines ? std::min<std::size_t>(run_of(quote), 5) : 1;  // up to two stand before the closing three
        return;
      }
      if (c == '\n' && !many_lines) return;
      if (c == '\\' && quote == '"')
        escape(many_lines);
      else
        ++at_;
    }
  }

  void escape(bool many_lines) {
    ++at_;
    if (!many_lines) {
      ++at_;
      return;
    }
    const std::size_t next = std::min(text_.find_first_not_of(" \t\r\n\v\f", at_), text_.size());
    if (next < text_.size() && !is_ascii(text_[next])) risk_ = {TomlRisk::continued, next};
    at_ = std::max(next, at_ + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int dots_ = 0;
  std::optional<TomlRiskAt> risk_;
};

}  // namespace

std::optional<TomlRiskAt> find_toml_risk(std::string_view text) {
  return TomlWalk(text).run();
}

}  // namespace silt
