#include "validation/page.h"

#include "silt/cache/file_ops.h"
#include "silt/core/text.h"
#include "trials/text.h"

namespace silt::validation {

namespace fs = std::filesystem;

std::string write_page(const Page& page, const trials::Measures& measures, const fs::path& folder,
                       const std::vector<std::string>& pythons) {
  make_folder(folder / "plots");
  make_folder(folder / "data");
  std::string said, pictures;
  for (const Plot& plot : page.plots) {
    const std::string stem = page.name + "_" + plot.name, png = "plots/" + stem + ".png", csv = "data/" + stem + ".csv";
    write_atomically(folder / csv, plot.csv());
    const std::string problem = draw(plot, folder / png, pythons);
    if (!problem.empty()) {
      said += "  plot " + stem + " skipped: " + problem + "\n";
      remove_file(folder / png);  // one of an earlier run would not show these numbers
    }
    pictures +=
        (problem.empty() ? "![" + plot.title + "](" + png + ")\n\n" : "") + plot.title + " ([data](" + csv + "))\n\n";
  }
  write_atomically(folder / (page.name + ".md"),
                   trials::page_text({.name = page.name,
                                      .summary = page.summary,
                                      .about = page.about,
                                      .measures = measures.all(),
                                      .after = str(page.notes, page.notes.empty() ? "" : "\n\n", pictures),
                                      .command = page.command}));
  return said;
}

}  // namespace silt::validation
