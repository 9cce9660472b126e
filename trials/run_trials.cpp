#include "trials/run_trials.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/core/timer.h"
#include "silt/scene/diagnostics.h"
#include "trials/text.h"

namespace silt::trials {

namespace {

void print_list(const Program& program, std::ostream& out) {
  std::size_t width = 0;
  for (const Trial& trial : program.trials) width = std::max(width, trial.name.size());
  for (const Trial& trial : program.trials)
    out << trial.name << std::string(width + 2 - trial.name.size(), ' ') << trial.summary << '\n';
}

void print_json_list(const Program& program, std::ostream& out) {
  const char* before = "[\n";
  for (const Trial& trial : program.trials) {
    out << before << "  {\"name\": " << json_string(trial.name) << ", \"summary\": " << json_string(trial.summary)
        << '}';
    before = ",\n";
  }
  out << "\n]\n";
}

void print_help(const Program& program, std::ostream& out) {
  out << program.command << " [NAME...] [options]: runs the named " << program.many << ", or all\n\n";
  print_list(program, out);
  out << "\n--list            the names, a line each\n"
         "--json            on standard output nothing but an array of {name, measured, bound, pass}; with --list of "
         "{name, "
         "summary}\n"
         "--quick           a smaller form, in seconds, with bounds of its own\n"
         "--threads N       at most N threads\n"
         "--device DEVICE   cpu or cuda\n"
      << program.help;
}

std::vector<const Trial*> chosen(const Program& program, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const Trial& trial : program.trials) names.push_back(trial.name);
  std::vector<const Trial*> out;
  for (const std::string& word : words) {
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) {
      const std::string meant = did_you_mean(word, names);
      throw InputError(str("there is no ", program.each, " '", word, "'; ",
                           meant.empty() ? "there is " + list_names(names, "and") : meant));
    }
    const Trial* trial = &program.trials[std::size_t(at - names.begin())];
    if (std::find(out.begin(), out.end(), trial) == out.end()) out.push_back(trial);
  }
  if (words.empty())
    for (const Trial& trial : program.trials) out.push_back(&trial);
  return out;
}

/// A trial that breaks down is one that missed its bounds, and keeps no other from running.
Measures run_one(const Trial& trial, const Options& options, bool tells_all, std::ostream& out, std::ostream& err) {
  Measures measures(trial.name);
  if (!options.json) out << trial.name << ": " << trial.summary << std::endl;
  const Timer timer;
  std::string after;
  try {
    after = trial.run(options, measures);
  } catch (const std::exception& e) {
    err << "silt: error: " << trial.name << ": " << e.what() << std::endl;
    measures.at_least("completed", 0, 1);
  }
  if (options.json) return measures;
  char seconds[64];
  std::snprintf(seconds, sizeof seconds, "  %.1f s\n", timer.seconds());
  std::vector<Measure> shown;
  for (const Measure& m : measures.all())
    if (tells_all || m.sense != Measure::Sense::told) shown.push_back(m);
  out << plain_table(shown) << after << seconds << std::endl;
  return measures;
}

int run_chosen(const std::vector<const Trial*>& trials, const Options& options, bool tells_all, std::ostream& out,
               std::ostream& err) {
  std::vector<Measure> all;
  std::string missed;
  for (const Trial* trial : trials) {
    const Measures measures = run_one(*trial, options, tells_all, out, err);
    for (const Measure& m : measures.all()) {
      all.push_back(m);
      if (!m.pass()) missed += (missed.empty() ? "" : ", ") + m.name;
    }
  }
  const auto judged =
      std::count_if(all.begin(), all.end(), [](const Measure& m) { return m.sense != Measure::Sense::told; });
  if (options.json)
    out << json_array(all) << std::endl;
  else
    out << judged << (judged == 1 ? " bound, " : " bounds, ")
        << (missed.empty() ? std::string("all met") : "missed: " + missed) << std::endl;
  return missed.empty() ? 0 : 1;
}

}  // namespace

int run_trials(const Program& program, const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
  try {
    Options options = parse_options(words, program.extras);
    if (options.help) return print_help(program, out), 0;
    const std::vector<const Trial*> trials = chosen(program, options.names);
    if (options.list) return (options.json ? print_json_list : print_list)(program, out), 0;
    const Exec exec(options.device, options.threads);  // there is such a device, or nothing is run
    options.pages = page_folder(options, program.places);
    if (options.pages) {
      prepare_folder(*options.pages);
      for (const std::string& name : program.places.beneath) prepare_folder(*options.pages / name);
    }
    return run_chosen(trials, options, program.tells_all, out, err);
  } catch (const InputError& e) {
    err << "silt: error: " << e.what() << std::endl;
    return 2;
  }
}

}  // namespace silt::trials
