#include "silt/cache/vtk_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>

#include "silt/cache/checkpoint.h"
#include "silt/cache/mesh_file.h"
#include "silt/cache/pvd_list.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/fields/joined_volume.h"

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace silt {
namespace {

constexpr const char* type_name(float) {
  return "Float32";
}
constexpr const char* type_name(double) {
  return "Float64";
}
constexpr const char* type_name(std::int32_t) {
  return "Int32";
}
constexpr const char* type_name(std::int64_t) {
  return "Int64";
}
constexpr const char* type_name(std::uint8_t) {
  return "UInt8";
}

/// The XML, and beside it the numbers that go behind it.
class VtkWriter {
 public:
  VtkWriter(const char* type, const Frame& frame) : type_(type) {
    xml_ = str("<?xml version=\"1.0\"?>\n<VTKFile type=\"", type,
               "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n");
    time_ = exact_text(frame.time);
  }

  /// The dataset's element, with the instant in it, and its one piece.
  void open(const std::string& whole, const std::string& piece) {
    line(str("<", type_, whole, ">"));
    line("<FieldData>");
    line(str("<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">", time_,
             "</DataArray>"));
    line("</FieldData>");
    line(str("<Piece", piece, ">"));
  }
  void line(std::string_view text) { xml_ += str(text, '\n'); }

  template <class T>
  void array(std::string_view name, int components, std::span<const T> values) {
    line(str("<DataArray type=\"", type_name(T{}), "\" Name=\"", xml_escaped(name), "\" NumberOfComponents=\"",
             components, "\" format=\"appended\" offset=\"", numbers_.size(), "\"/>"));
    const std::uint64_t size = values.size_bytes();
    numbers_.append(reinterpret_cast<const char*>(&size), sizeof size);
    numbers_.append(reinterpret_cast<const char*>(values.data()), size);
  }
  template <class T>
  void array(std::string_view name, const std::vector<T>& values, int components = 1) {
    array(name, components, std::span<const T>(values));
  }
  template <class T>
  void array(std::string_view name, const std::vector<Vec3<T>>& values) {
    const T* first = values.empty() ? nullptr : &values.front().x;
    array(name, 3, std::span<const T>(first, 3 * values.size()));
  }

  Bytes finish() {
    line(str("</Piece>\n</", type_, ">\n<AppendedData encoding=\"raw\">"));
    xml_ += '_';
    constexpr std::string_view end = "\n</AppendedData>\n</VTKFile>\n";
    Bytes bytes(xml_.size() + numbers_.size() + end.size());
    char* to = bytes.data();
    for (const std::string_view part : {std::string_view(xml_), std::string_view(numbers_), end})
      to = std::copy(part.begin(), part.end(), to);
    return bytes;
  }

 private:
  const char* type_;
  std::string xml_, time_, numbers_;
};

std::string houdini_name(const Volume& volume) {
  return volume.name == "velocity" ? "vel" : volume.name;
}

/// One volume of a material, from all its boxes.
struct NamedVolume {
  std::vector<const Volume*> parts;
  const Volume& first() const { return *parts.front(); }
};

std::vector<NamedVolume> volumes_of(const Frame& frame, std::string_view material) {
  std::vector<NamedVolume> volumes;
  for (const Volume& volume : frame.volumes) {
    if (volume.material != material) continue;
    const auto same = std::find_if(volumes.begin(), volumes.end(),
                                   [&](const NamedVolume& v) { return v.first().name == volume.name; });
    if (same == volumes.end())
      volumes.push_back({{&volume}});
    else
      same->parts.push_back(&volume);
  }
  return volumes;
}

/// One cell of the domain where there is nothing: VTK's reader takes an image without cells for a damaged file.
Box hull_of(const std::vector<NamedVolume>& volumes, const Domain& domain) {
  Box all;
  for (const NamedVolume& volume : volumes)
    for (const Volume* part : volume.parts) all = hull(all, part->cells);
  return all.empty() ? Box{domain.cells.lo, domain.cells.lo + Int3{1, 1, 1}} : all;
}

std::string extent_text(const Box& b) {
  return str(b.lo.x, ' ', b.hi.x, ' ', b.lo.y, ' ', b.hi.y, ' ', b.lo.z, ' ', b.hi.z);
}

std::string origin_text(const Vec3d& v) {
  return str(exact_text(v.x), ' ', exact_text(v.y), ' ', exact_text(v.z));
}

// --- Cells in use

bool in_use(const Volume& part, Cell c) {
  const float* value = part.values.data() + part.index(c);
  return std::any_of(value, value + part.components(), [&](float v) { return !(v == part.background); });
}

/// Ordered by z, y, x, each once.
void make_set(std::vector<Cell>& cells) {
  const auto key = [](Cell c) { return std::array{c.z, c.y, c.x}; };
  std::sort(cells.begin(), cells.end(), [&](Cell a, Cell b) { return key(a) < key(b); });
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

std::vector<Cell> cells_in_use(const std::vector<NamedVolume>& volumes) {
  std::vector<Cell> cells;
  for (const NamedVolume& volume : volumes)
    for (const Volume* part : volume.parts)
      for (int z = part->cells.lo.z; z < part->cells.hi.z; ++z)
        for (int y = part->cells.lo.y; y < part->cells.hi.y; ++y)
          for (int x = part->cells.lo.x; x < part->cells.hi.x; ++x)
            if (in_use(*part, {x, y, z})) cells.push_back({x, y, z});
  make_set(cells);
  return cells;
}

/// Corners of cells, each once, and for every cell its eight in the order of VTK's voxel: x fastest.
struct Corners {
  std::vector<Cell> list;
  std::vector<std::int64_t> of_cells;

  explicit Corners(const std::vector<Cell>& cells) {
    for (const Cell& c : cells)
      for (int n = 0; n < 8; ++n) list.push_back(corner(c, n));
    make_set(list);
    const auto before = [](Cell a, Cell b) { return std::array{a.z, a.y, a.x} < std::array{b.z, b.y, b.x}; };
    for (const Cell& c : cells)
      for (int n = 0; n < 8; ++n)
        of_cells.push_back(std::lower_bound(list.begin(), list.end(), corner(c, n), before) - list.begin());
  }
  static Cell corner(Cell c, int n) { return c + Cell{n & 1, n >> 1 & 1, n >> 2}; }
};

float value_at(const NamedVolume& volume, Cell c, int component) {
  for (const Volume* part : volume.parts)
    if (part->cells.contains(c)) return part->at(c, component);
  return volume.first().background;
}

/// Where each of a list's elements ends, when all are as long.
std::vector<std::int64_t> ends(std::size_t count, int each) {
  std::vector<std::int64_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = std::int64_t(i + 1) * each;
  return out;
}

// --- Points and triangles

std::string piece_counts(std::size_t points, std::size_t vertices, std::size_t polygons) {
  return str(" NumberOfPoints=\"", points, "\" NumberOfVerts=\"", vertices,
             "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"", polygons, "\"");
}

void add_attributes(VtkWriter& out, const std::vector<Attribute>& attributes) {
  for (const Attribute& a : attributes) out.array(a.name, a.values);
}

template <class To, class From>
std::vector<To> as(const std::vector<From>& values) {
  return {values.begin(), values.end()};
}

std::vector<Vec3f> colours(const std::vector<std::uint32_t>& rgb) {
  std::vector<Vec3f> out;
  for (const std::uint32_t c : rgb)
    out.push_back(Vec3f{float(c >> 16 & 255), float(c >> 8 & 255), float(c & 255)} / 255.0f);
  return out;
}

}  // namespace

Bytes encode_vti(const Frame& frame, std::string_view material) {
  const std::vector<NamedVolume> volumes = volumes_of(frame, material);
  const Box box = hull_of(volumes, frame.domain);
  if (box.count() > most_image_cells)
    throw InputError(str("the volumes of ", material, " lie in a box of ", box.count(),
                         " cells, too many for a .vti: '--what cells' writes those in use alone"));
  const Lattice& lattice = frame.domain.lattice;
  const std::string h = exact_text(lattice.h);
  VtkWriter out("ImageData", frame);
  out.open(str(" WholeExtent=\"", extent_text(box), "\" Origin=\"", origin_text(lattice.origin), "\" Spacing=\"", h,
               ' ', h, ' ', h, "\""),
           str(" Extent=\"", extent_text(box), "\""));
  out.line("<CellData>");
  for (const NamedVolume& volume : volumes) {
    const Volume whole = joined_volume(volume.parts, box);
    out.array(houdini_name(whole), whole.values, whole.components());
  }
  out.line("</CellData>");
  return out.finish();
}

Bytes encode_vtu(const Frame& frame, std::string_view material) {
  const std::vector<NamedVolume> volumes = volumes_of(frame, material);
  const std::vector<Cell> cells = cells_in_use(volumes);
  const Corners corners(cells);
  const Lattice& lattice = frame.domain.lattice;
  std::vector<Vec3d> positions;
  for (const Cell& c : corners.list) positions.push_back(lattice.origin + c.as<double>() * lattice.h);

  VtkWriter out("UnstructuredGrid", frame);
  out.open("", str(" NumberOfPoints=\"", positions.size(), "\" NumberOfCells=\"", cells.size(), "\""));
  out.line("<CellData>");
  for (const NamedVolume& volume : volumes) {
    const int components = volume.first().components();
    std::vector<float> values;
    values.reserve(cells.size() * std::size_t(components));
    for (const Cell& c : cells)
      for (int a = 0; a < components; ++a) values.push_back(value_at(volume, c, a));
    out.array(houdini_name(volume.first()), values, components);
  }
  out.line("</CellData>\n<Points>");
  out.array("P", positions);
  out.line("</Points>\n<Cells>");
  constexpr std::uint8_t voxel = 11;  // VTK_VOXEL
  out.array("connectivity", corners.of_cells);
  out.array("offsets", ends(cells.size(), 8));
  out.array("types", std::vector<std::uint8_t>(cells.size(), voxel));
  out.line("</Cells>");
  return out.finish();
}

Bytes encode_vtp(const Frame& frame, const Points& points) {
  const std::size_t n = points.count();
  const bool nothing = n == 0;  // then all arrays that frames with points may have
  VtkWriter out("PolyData", frame);
  out.open("", piece_counts(n, n, 0));
  out.line("<PointData>");
  if (nothing || !points.velocities.empty()) out.array("v", points.velocities);
  if (nothing || !points.id.empty()) out.array("id", as<std::int64_t>(points.id));
  if (nothing || !points.age.empty()) out.array("age", points.age);
  if (nothing || !points.source.empty()) out.array("source", as<std::int32_t>(points.source));
  if (nothing || !points.colour.empty()) out.array("Cd", colours(points.colour));
  out.array("pscale", std::vector<float>(n, points.radius));
  add_attributes(out, points.attributes);
  out.line("</PointData>\n<Points>");
  out.array("P", points.positions);
  out.line("</Points>\n<Verts>");
  std::vector<std::int64_t> vertices(n);
  std::iota(vertices.begin(), vertices.end(), 0);
  out.array("connectivity", vertices);
  out.array("offsets", ends(n, 1));
  out.line("</Verts>");
  return out.finish();
}

Bytes encode_vtp(const Frame& frame, const Mesh& mesh) {
  VtkWriter out("PolyData", frame);
  out.open("", piece_counts(mesh.positions.size(), 0, mesh.triangles.size()));
  out.line("<PointData>");
  if (has_normals(mesh)) out.array("N", mesh.normals);
  if (has_velocities(mesh)) out.array("v", mesh.velocities);
  if (!mesh.colour.empty()) out.array("Cd", colours(mesh.colour));
  add_attributes(out, mesh.attributes);
  out.line("</PointData>\n<Points>");
  out.array("P", mesh.positions);
  out.line("</Points>\n<Polys>");
  std::vector<std::int64_t> corners;
  for (const Int3& t : mesh.triangles) corners.insert(corners.end(), {t.x, t.y, t.z});
  out.array("connectivity", corners);
  out.array("offsets", ends(mesh.triangles.size(), 3));
  out.line("</Polys>");
  return out.finish();
}

}  // namespace silt
