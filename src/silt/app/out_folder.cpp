#include "silt/app/out_folder.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "silt/cache/file_ops.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {

void prepare_folder(const std::filesystem::path& out) {
  const auto refuse = [](const std::string& why) { throw InputError(str(why, ": choose another folder with --out")); };
  try {
    make_folder(out);
  } catch (const DiskFullError&) {
    throw;
  } catch (const IoError& e) {
    refuse(e.what());
  }
  if (::access(out.c_str(), W_OK | X_OK) != 0)
    refuse(str("cannot write to ", out.string(), ": ", std::generic_category().message(errno)));
}

}  // namespace silt
