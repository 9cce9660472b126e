#pragma once

/// What all .vdb files of the cache have in common: the instant and the domain, as metadata; a transform that puts
/// index (i, j, k) at the centre of cell (i, j, k) of the lattice, origin + (i + 1/2, j + 1/2, k + 1/2) h; and bytes
/// that are the same for the same frame.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/fields/frame.h"

namespace silt {

inline constexpr int cache_format = 1;

/// An openvdb::GridBase::Ptr: OpenVDB's headers stay in source files.
using AnyGrid = std::shared_ptr<void>;

void initialize_openvdb();

/// Whatever OpenVDB throws becomes an IoError that begins with `what`.
template <class Action>
auto guarded(std::string_view what, const Action& action) {
  initialize_openvdb();
  try {
    return action();
  } catch (const InputError& e) {
    throw InputError(str(what, ": ", e.what()));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw IoError(str(what, ": ", e.what()));
  }
}

/// Gives the grids their transform and writes them. Within `guarded`.
Bytes write_vdb(const Frame& frame, std::string_view material, const std::vector<AnyGrid>& grids);

/// The grids of any .vdb, and its metadata as text. Within `guarded`.
struct VdbContents {
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<AnyGrid> grids;
};
VdbContents read_vdb(const Bytes& bytes);

/// Of a file of the cache: a frame that has nothing in it yet. IoError when silt did not write it. Within `guarded`.
struct CachedGrids {
  Frame frame;
  std::string material;
  std::vector<AnyGrid> grids;
};
CachedGrids read_cached(const Bytes& bytes);

}  // namespace silt
