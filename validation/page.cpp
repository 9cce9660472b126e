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
  write_atomically(
      folder / (page.name + ".md"),
      str("# ", page.name, ": ", page.summary, "\n\n", page.about, "\n\n", trials::markdown_table(measures.all()), "\n",
          page.notes, page.notes.empty() ? "" : "\n\n", pictures, "Made by `", page.command, "`.\n"));
  return said;
}

}  // namespace silt::validation
