#include "silt/cache/mesh_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "silt/cache/checkpoint.h"
#include "silt/cache/sides_text.h"
#include "silt/cache/vdb_archive.h"

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace silt {
namespace {

constexpr std::array<std::string_view, 9> known_properties{"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"};
constexpr std::array<std::string_view, 3> colour_properties{"red", "green", "blue"};
constexpr std::size_t face_bytes = 1 + 3 * sizeof(std::int32_t);

// --- Writing

template <class T>
std::string three(const Vec3<T>& v) {
  std::string text;
  for (int a = 0; a < 3; ++a) text += (a ? " " : "") + exact_text(double(v[a]));
  return text;
}

void check_name(const std::string& name, std::set<std::string>& used) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 127; });
  if (!plain) throw Error(str("an attribute of a mesh cannot be called '", name, "' in a PLY file"));
  if (!used.insert(name).second) throw Error(str("a mesh has two numbers called '", name, "'"));
}

void check(const Mesh& mesh) {
  const std::size_t n = mesh.positions.size();
  const auto must_fit = [&](const char* what, std::size_t count) {
    if (count != 0 && count != n)
      throw Error(str("the mesh '", mesh.name, "' has ", n, " corners and ", count, ' ', what));
  };
  must_fit("normals", mesh.normals.size());
  must_fit("velocities", mesh.velocities.size());
  must_fit("colours", mesh.colour.size());
  std::set<std::string> used(known_properties.begin(), known_properties.end());
  used.insert(colour_properties.begin(), colour_properties.end());
  for (const Attribute& a : mesh.attributes) {
    check_name(a.name, used);
    if (a.values.size() != n)
      throw Error(str("the mesh '", mesh.name, "' has ", n, " corners and ", a.values.size(), " of '", a.name, "'"));
  }
  const auto most = std::size_t(std::numeric_limits<std::int32_t>::max());
  if (n > most || mesh.triangles.size() > most) throw Error("more corners or triangles than a PLY file can number");
}

std::string header_of(const Frame& frame, const Mesh& mesh) {
  const Domain& domain = frame.domain;
  std::string text = "ply\nformat binary_little_endian 1.0\n";
  const auto comment = [&](const char* key, const std::string& value) {
    text += str("comment ", key, ' ', value, '\n');
  };
  comment("creator", "silt " SILT_VERSION);
  comment("silt_cache_version", str(cache_format));
  comment("frame", str(frame.number));
  comment("time", exact_text(frame.time));
  comment("silt_material", mesh.material);
  comment("silt_name", mesh.name);
  comment("silt_origin", three(domain.lattice.origin));
  comment("silt_h", exact_text(domain.lattice.h));
  comment("silt_active", three(domain.lattice.active));
  comment("silt_cells_lo", three(domain.cells.lo));
  comment("silt_cells_hi", three(domain.cells.hi));
  comment("silt_sides", sides_text(domain));
  for (const Attribute& a : mesh.attributes)
    if (!a.unit.empty()) comment("silt_unit", a.name + ' ' + a.unit);
  text += str("element vertex ", mesh.positions.size(), '\n');
  const auto property = [&](std::string_view name) { text += str("property float ", name, '\n'); };
  for (int i = 0; i < 9; ++i)
    if (i < 3 || (i < 6 ? has_normals(mesh) : has_velocities(mesh))) property(known_properties[std::size_t(i)]);
  for (const Attribute& a : mesh.attributes) property(a.name);
  for (const std::string_view name : colour_properties)
    if (!mesh.colour.empty()) text += str("property uchar ", name, '\n');
  text += str("element face ", mesh.triangles.size(), "\nproperty list uchar int vertex_indices\nend_header\n");
  return text;
}

// --- Reading

struct Header {
  std::multimap<std::string, std::string> comments;
  std::uint64_t vertices = 0, faces = 0;
  std::vector<std::string> properties;  ///< those that are floats
  std::size_t colours = 0;              ///< bytes after them: of red, green, blue; 0 or 3
  std::size_t size = 0;                 ///< in bytes

  std::size_t vertex_bytes() const { return sizeof(float) * properties.size() + colours; }

  const std::string& comment(const std::string& key) const {
    const auto found = comments.find(key);
    if (found == comments.end()) throw IoError("silt did not write it");
    return found->second;
  }
  /// The numbers of a comment.
  template <class T>
  std::vector<T> numbers(const std::string& key, std::size_t count) const {
    std::istringstream in(comment(key));
    std::vector<T> out(count);
    for (T& value : out) strict(in) >> value;
    if (!in) throw IoError(str("its comment '", key, "' is no number"));
    return out;
  }
  template <class T>
  Vec3<T> three(const std::string& key) const {
    const std::vector<T> v = numbers<T>(key, 3);
    return {v[0], v[1], v[2]};
  }
};

/// Lines until "end_header"; anything that `header_of` does not write is refused.
Header read_header(std::string_view text) {
  Header header;
  int line_number = 0;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) throw IoError("its header does not end");
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++line_number;
    const auto count_after = [&](std::string_view start) {
      std::istringstream in{std::string(line.substr(start.size()))};
      std::uint64_t count = 0;
      if (!(strict(in) >> count)) throw IoError(str("line ", line_number, " has no count"));
      return count;
    };
    if (line_number == 1 && line != "ply") throw IoError("it is no PLY file");
    if (line_number == 2 && line != "format binary_little_endian 1.0") throw IoError("silt did not write it");
    if (line_number <= 2 || line == "property list uchar int vertex_indices") continue;
    if (line == "end_header") {
      header.size = at;
      return header;
    }
    if (line.starts_with("comment ")) {
      const std::string_view rest = line.substr(8);
      const std::size_t space = std::min(rest.find(' '), rest.size());
      header.comments.emplace(rest.substr(0, space), rest.substr(std::min(space + 1, rest.size())));
    } else if (line.starts_with("element vertex ")) {
      header.vertices = count_after("element vertex ");
    } else if (line.starts_with("element face ")) {
      header.faces = count_after("element face ");
    } else if (header.colours < 3 && line == str("property uchar ", colour_properties[header.colours])) {
      ++header.colours;
    } else if (header.colours == 0 && line.starts_with("property float ")) {
      header.properties.emplace_back(line.substr(15));
    } else {
      throw IoError(str("silt does not write lines such as '", line.substr(0, 60), "'"));
    }
  }
}

Header checked_header(const Bytes& bytes) {
  const Header header = read_header(bytes.text());
  const int version = header.numbers<int>("silt_cache_version", 1)[0];
  if (version > cache_format)
    throw InputError(
        str("its cache version ", version, " is newer than this silt " SILT_VERSION " reads (", cache_format, ")"));
  if (header.colours % 3 != 0) throw IoError("it has but a part of a colour");
  const std::uint64_t most = std::uint64_t(std::numeric_limits<std::int32_t>::max());
  if (header.vertices > most || header.faces > most) throw IoError("it counts more than it can have");
  const std::uint64_t wanted = header.size + header.vertices * header.vertex_bytes() + header.faces * face_bytes;
  if (wanted != bytes.size()) throw IoError(str("it has ", bytes.size(), " bytes, ", wanted, " expected"));
  return header;
}

Frame frame_of(const Header& header) {
  Frame frame;
  frame.number = header.numbers<int>("frame", 1)[0];
  frame.time = header.numbers<double>("time", 1)[0];
  frame.domain.lattice.origin = header.three<double>("silt_origin");
  frame.domain.lattice.h = header.numbers<double>("silt_h", 1)[0];
  frame.domain.lattice.active = header.three<int>("silt_active");
  frame.domain.cells = {header.three<int>("silt_cells_lo"), header.three<int>("silt_cells_hi")};
  read_sides(header.comment("silt_sides"), frame.domain);
  return frame;
}

/// Where the numbers of a vertex go: a row of the file is as many floats as there are of these.
std::vector<float*> places_of(const Header& header, Mesh& mesh, std::vector<std::size_t>& stride) {
  const std::size_t n = std::size_t(header.vertices);
  std::vector<float*> to;
  mesh.attributes.reserve(header.properties.size());
  for (const std::string& name : header.properties) {
    const auto known = std::find(known_properties.begin(), known_properties.end(), name);
    if (known == known_properties.end()) {
      Attribute& attribute = mesh.attributes.emplace_back(Attribute{name, "", {}});
      attribute.values.resize(n);
      to.push_back(attribute.values.data()), stride.push_back(1);
      continue;
    }
    const auto index = known - known_properties.begin();
    std::vector<Vec3f>& list = index < 3 ? mesh.positions : index < 6 ? mesh.normals : mesh.velocities;
    list.resize(n);
    to.push_back(n ? &list.front()[int(index % 3)] : nullptr), stride.push_back(3);
  }
  return to;
}

void read_faces(const char* from, const Header& header, Mesh& mesh) {
  mesh.triangles.resize(std::size_t(header.faces));
  for (Int3& triangle : mesh.triangles) {
    if (*from != 3) throw IoError("it has faces that are no triangles");
    std::memcpy(&triangle, from + 1, sizeof triangle);
    from += face_bytes;
    for (int a = 0; a < 3; ++a)
      if (triangle[a] < 0 || std::uint64_t(triangle[a]) >= header.vertices)
        throw IoError(str("a face has corner ", triangle[a], " of ", header.vertices));
  }
}

}  // namespace

Bytes encode_mesh(const Frame& frame, const Mesh& mesh) {
  check(mesh);
  const std::string header = header_of(frame, mesh);
  const std::size_t vector_bytes = sizeof(Vec3f), n = mesh.positions.size();
  const std::size_t row = vector_bytes * (1 + !mesh.normals.empty() + !mesh.velocities.empty()) +
                          sizeof(float) * mesh.attributes.size() + colour_properties.size() * !mesh.colour.empty();
  Bytes bytes(header.size() + n * row + mesh.triangles.size() * face_bytes);
  char* to = bytes.data();
  const auto put = [&to](const void* from, std::size_t size) { std::memcpy(to, from, size), to += size; };
  put(header.data(), header.size());
  for (std::size_t i = 0; i < n; ++i) {
    put(&mesh.positions[i], vector_bytes);
    if (!mesh.normals.empty()) put(&mesh.normals[i], vector_bytes);
    if (!mesh.velocities.empty()) put(&mesh.velocities[i], vector_bytes);
    for (const Attribute& a : mesh.attributes) put(&a.values[i], sizeof(float));
    if (!mesh.colour.empty())
      for (const int shift : {16, 8, 0}) *to++ = char(mesh.colour[i] >> shift);
  }
  for (const Int3& triangle : mesh.triangles) {
    *to++ = 3;
    put(&triangle, sizeof triangle);
  }
  return bytes;
}

Frame decode_mesh(const std::filesystem::path& path, const Bytes& bytes) {
  return guarded(str(path.string(), " cannot be read"), [&] {
    const Header header = checked_header(bytes);
    Frame frame = frame_of(header);
    Mesh& mesh = frame.meshes.emplace_back();
    mesh.material = header.comment("silt_material");
    mesh.name = header.comment("silt_name");
    std::vector<std::size_t> stride;
    const std::vector<float*> to = places_of(header, mesh, stride);
    if (mesh.positions.size() != header.vertices) throw IoError("its vertices have no positions");
    const char* from = bytes.data() + header.size;
    if (header.colours) mesh.colour.resize(std::size_t(header.vertices));
    for (std::size_t i = 0; i < header.vertices; ++i) {
      for (std::size_t p = 0; p < to.size(); ++p, from += sizeof(float))
        std::memcpy(to[p] + i * stride[p], from, sizeof(float));
      for (std::size_t c = 0; c < header.colours; ++c) mesh.colour[i] = mesh.colour[i] << 8 | std::uint8_t(*from++);
    }
    read_faces(from, header, mesh);
    const auto [first, last] = header.comments.equal_range("silt_unit");
    for (Attribute& a : mesh.attributes)
      for (auto unit = first; unit != last; ++unit)
        if (unit->second.starts_with(a.name + ' ')) a.unit = unit->second.substr(a.name.size() + 1);
    return frame;
  });
}

MeshFileInfo describe_mesh(const std::filesystem::path& path, const Bytes& bytes) {
  const Frame frame = decode_mesh(path, bytes);
  const Mesh& mesh = frame.meshes.front();
  const Header header = read_header(bytes.text());
  MeshFileInfo info;
  info.metadata.assign(header.comments.begin(), header.comments.end());
  info.vertices = std::int64_t(mesh.positions.size());
  info.triangles = std::int64_t(mesh.triangles.size());
  info.properties = header.properties;
  info.properties.insert(info.properties.end(), colour_properties.begin(),
                         colour_properties.begin() + std::ptrdiff_t(header.colours));
  if (mesh.positions.empty()) return info;
  info.lo = info.hi = mesh.positions.front().as<double>();
  for (const Vec3f& x : mesh.positions) info.lo = min(info.lo, x.as<double>()), info.hi = max(info.hi, x.as<double>());
  return info;
}

}  // namespace silt
