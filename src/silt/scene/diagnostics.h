#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "silt/core/error.h"
#include "silt/scene/location.h"

namespace silt {

enum class Severity { error, warning };

/// One thing to say about a scene, and where. As text:
///
///   dam.toml:14:1: error: 'liquid' has no parameter 'viscocity'
///     viscocity = 0.05
///     ^~~~~~~~~
///     did you mean 'viscosity'?
struct Diagnostic {
  Severity severity = Severity::error;
  Location where;
  std::string message;
  std::string suggestion;  ///< a whole line, or empty

  /// The line of source `where` points into; empty when it is the source as a whole.
  std::string source_line() const;
  /// As above, without a final line end.
  std::string text() const;
};

/// Bad scene input; what() is every diagnostic's text.
class SceneError : public InputError {
 public:
  explicit SceneError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Collects everything there is to say about a scene, so that a user mends all of it at once.
class Diagnostics {
 public:
  void error(const Location& where, std::string message, std::string suggestion = {});
  void warning(const Location& where, std::string message, std::string suggestion = {});

  /// Sorted by place within each source.
  const std::vector<Diagnostic>& all() const;
  std::size_t errors() const { return errors_; }
  std::string text() const;
  /// Throws a SceneError with all of them, warnings too, when at least one is an error.
  void throw_if_errors() const;

 private:
  void add(Diagnostic diagnostic);

  mutable std::vector<Diagnostic> all_;  // sorted when they are asked for: there may be one for every line
  mutable bool sorted_ = true;
  std::size_t errors_ = 0;
  std::vector<std::shared_ptr<const SourceText>> sources_;  // in order of appearance
};

/// The candidate a misspelt word was most likely meant to be; empty when none is close. Case, '-' and '_' count as
/// equal, two neighbouring letters swapped as one mistake; about one mistake in three letters is close, and so is
/// the beginning of a single candidate.
std::string closest_name(std::string_view word, const std::vector<std::string>& candidates);

/// "did you mean 'viscosity'?", or empty when none is close.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// Names for a sentence: "'a'", "'a' or 'b'", "'a', 'b' or 'c'". A quote of 0 is none.
std::string list_names(const std::vector<std::string>& names, std::string_view last_word = "or", char quote = '\'');

}  // namespace silt
