#include "silt/cache/frame_export.h"

#include <regex>

#include "silt/cache/fault.h"
#include "silt/cache/test_child.h"
#include "silt/cache/test_tools.h"
#include "silt/cache/vtk_file.h"

namespace silt {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr ExportParts everything{true, true, true, true, true};

fs::file_time_type before_all(int) {
  return fs::file_time_type::min();
}

Frame full_frame(int number) {
  Frame frame = small_frame(number, {{0, 0, 0}, {8, 8, 8}});
  frame.points.push_back(small_points(frame, 20));
  frame.meshes.push_back(small_mesh());
  return frame;
}

std::vector<std::string> files_listed(const fs::path& pvd) {
  const std::string text = slurp(pvd);
  EXPECT_TRUE(text.ends_with("</Collection>\n</VTKFile>\n")) << pvd;
  const std::regex file("file=\"([^\"]*)\"");
  std::vector<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), file), end; it != end; ++it) names.push_back((*it)[1]);
  return names;
}

// At whatever operation the program dies, the lists that are there are whole, and so is all that they list.
TEST(FrameExport, ListsAreValidAfterACrashAnywhere) {
  TestFolder folder;
  for (int n = 1;; ++n) {
    const fs::path out = folder / std::to_string(n);
    fs::create_directory(out);
    const int code = in_child([&] {
      set_fault("crash:" + std::to_string(n));
      FrameExporter exporter(Folder(out), {ExportFormat::vtk, everything, {}}, before_all);
      for (const int number : {1, 2}) exporter.write(full_frame(number));
    });
    for (const fs::directory_entry& e : fs::directory_iterator(out)) {
      if (e.path().extension() != ".pvd" || is_temporary_name(e.path().filename().string())) continue;
      for (const std::string& name : files_listed(e.path()))
        EXPECT_TRUE(slurp(out / name).ends_with("</VTKFile>\n")) << name << " after operation " << n;
    }
    if (code == 0) {
      EXPECT_EQ(files_listed(out / "all.pvd").size(), 8u);
      EXPECT_EQ(files_listed(out / "water.points.pvd").size(), 2u);
      break;
    }
    ASSERT_EQ(code, fault_exit_code) << n;
    fs::remove_all(out);
  }
}

TEST(FrameExport, OnlyWhatWasAskedFor) {
  TestFolder folder;
  FrameExporter exporter(Folder(folder.path()), {ExportFormat::ply, {.points = true}, {}}, before_all);
  exporter.write(full_frame(3));
  EXPECT_EQ(exporter.files(), 1);
  EXPECT_TRUE(fs::exists(folder / "water.points.0003.ply"));
}

// Some frames now and some later: the lists have them all, in the order of their times; but for those that the run has
// made anew since, that are gone, or that were turned otherwise.
TEST(FrameExport, ListsKeepWhatIsThere) {
  TestFolder folder;
  using Names = std::vector<std::string>;
  const ExportOptions points{ExportFormat::vtk, {.points = true}, {}}, meshes{ExportFormat::vtk, {.meshes = true}, {}};
  const auto write = [&](const ExportOptions& options, std::initializer_list<int> numbers,
                         const FrameExporter::CachedAt& cached_at = before_all) {
    FrameExporter exporter(Folder(folder.path()), options, cached_at);
    for (const int number : numbers) exporter.write(full_frame(number));
  };
  const auto name = [](int frame) { return "water.points.000" + std::to_string(frame) + ".vtp"; };
  write(points, {3, 4});
  write(points, {1, 4});
  EXPECT_EQ(files_listed(folder / "water.points.pvd"), (Names{name(1), name(3), name(4)}));
  EXPECT_EQ(files_listed(folder / "all.pvd"), (Names{name(1), name(3), name(4)}));
  write(meshes, {3});
  EXPECT_EQ(files_listed(folder / "all.pvd").size(), 4u);
  EXPECT_EQ(files_listed(folder / "water.points.pvd").size(), 3u);
  const PvdList all = read_pvd(slurp(folder / "all.pvd"));
  for (const PvdEntry& e : all.entries) EXPECT_EQ(e.part, e.name == "water.points" ? 0 : 1);
  fs::remove(folder / name(3));
  write(points, {2}, [](int frame) { return frame == 1 ? fs::file_time_type::max() : fs::file_time_type::min(); });
  EXPECT_EQ(files_listed(folder / "water.points.pvd"), (Names{name(2), name(4)}));
  write({ExportFormat::vtk, {.points = true}, {UpAxis::y, 1}}, {5});
  EXPECT_EQ(files_listed(folder / "all.pvd"), (Names{name(5)}));
}

// They would take longer than the frames.
TEST(FrameExport, LongListsAreNotMadeAnewAfterEachFrame) {
  TestFolder folder;
  FrameExporter exporter(Folder(folder.path()), {ExportFormat::vtk, {.meshes = true}, {}}, before_all);
  int times = 0;
  std::string before;
  for (int number = 1; number <= 300; ++number) {
    Frame frame;
    frame.number = number, frame.time = number;
    frame.meshes.push_back(small_mesh());
    exporter.write(frame);
    const std::string list = slurp(folder / "all.pvd");
    times += list != before;
    before = list;
  }
  EXPECT_LT(times, 200);
  EXPECT_GE(files_listed(folder / "all.pvd").size(), 295u);
  exporter.finish();
  EXPECT_EQ(files_listed(folder / "all.pvd").size(), 300u);
  EXPECT_EQ(files_listed(folder / "water.surface.pvd").size(), 300u);
}

TEST(Vtk, AHugeEmptyBoxIsRefused) {
  Frame frame = small_frame(1, {{0, 0, 0}, {8, 8, 8}});
  for (const Volume& v : std::vector<Volume>(frame.volumes)) {
    Volume far = v;
    far.cells = {v.cells.lo + Int3{20000, 9000, 0}, v.cells.hi + Int3{20000, 9000, 0}};
    frame.volumes.push_back(far);
  }
  EXPECT_NE(message_of<InputError>([&] { encode_vti(frame, "smoke"); }).find("--what cells"), std::string::npos);
  EXPECT_LT(encode_vtu(frame, "smoke").size(), 1000000u);
}

}  // namespace
}  // namespace silt
