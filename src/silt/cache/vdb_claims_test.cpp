#include "silt/cache/vdb_claims.h"

#include <sys/resource.h>

#include "silt/cache/points_file.h"
#include "silt/cache/test_child.h"
#include "silt/cache/test_tools.h"
#include "silt/cache/volume_file.h"

namespace silt {
namespace {

using namespace test;

long peak_megabytes() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss / 1024;
}

/// Whatever looks like a length near the beginning in turn claims `length`; reading must stay small. (Not all the files
/// together: OpenVDB leaks nodes of a third of a megabyte when it throws.)
void claim_everywhere(const Bytes& file, std::uint32_t length) {
  int refused = 0;
  for (std::size_t at = 0; at + 4 < std::min<std::size_t>(file.size(), 2000); ++at) {
    Bytes harmed(file.text());
    std::uint32_t was = 0;
    std::memcpy(&was, file.data() + at, 4);
    if (was == 0 || was > 255) continue;
    std::memcpy(harmed.data() + at, &length, 4);
    const long before = peak_megabytes();
    try {
      describe_volumes("a.vdb", harmed);
    } catch (const IoError&) {
      ++refused;
    }
    EXPECT_LT(peak_megabytes() - before, 50) << at << ' ' << length;
  }
  EXPECT_GT(refused, 50);
}

// A text of 4 GB in a file of 2 kB was believed, and took as much memory before the file was found too short.
TEST(VdbClaims, AreHeldAgainstTheLengthOfTheFile) {
  EXPECT_EQ(in_child([] {
              Frame frame = small_frame(1, {{0, 0, 0}, {4, 4, 4}});
              const Bytes volumes = encode_volumes(frame, "smoke");
              frame.points.push_back(small_points(frame, 20));
              const Bytes points = encode_points(frame, "water");
              for (const std::uint32_t length : {0xffffff00u, 0x20000000u}) {
                claim_everywhere(volumes, length);
                claim_everywhere(points, length);
              }
            }),
            0);
}

TEST(VdbClaims, AreCounted) {
  const std::string text("\4\0\0\0word\1\0\0\0", 12);
  VdbClaims(text, 0).text();
  EXPECT_THROW(VdbClaims(text, 8).text(), IoError);
  EXPECT_THROW(VdbClaims(text, 10).text(), IoError);
  EXPECT_THROW(VdbClaims(text, 100).skip(1), IoError);
  VdbClaims(text, 0).count(2);
  EXPECT_THROW(VdbClaims(text, 0).count(3), IoError);
}

}  // namespace
}  // namespace silt
