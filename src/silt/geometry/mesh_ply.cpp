#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "silt/geometry/mesh_polygon.h"
#include "silt/geometry/mesh_reader.h"

namespace silt {
namespace {

enum class Kind { i8, u8, i16, u16, i32, u32, f32, f64 };

std::optional<Kind> kind_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Kind>, 16> names{{{"char", Kind::i8},
                                                                     {"int8", Kind::i8},
                                                                     {"uchar", Kind::u8},
                                                                     {"uint8", Kind::u8},
                                                                     {"short", Kind::i16},
                                                                     {"int16", Kind::i16},
                                                                     {"ushort", Kind::u16},
                                                                     {"uint16", Kind::u16},
                                                                     {"int", Kind::i32},
                                                                     {"int32", Kind::i32},
                                                                     {"uint", Kind::u32},
                                                                     {"uint32", Kind::u32},
                                                                     {"float", Kind::f32},
                                                                     {"float32", Kind::f32},
                                                                     {"double", Kind::f64},
                                                                     {"float64", Kind::f64}}};
  for (const auto& [text, kind] : names)
    if (text == name) return kind;
  return {};
}

std::size_t size_of(Kind kind) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[int(kind)];
}

struct Property {
  std::string name;
  Kind kind = Kind::f32;
  std::optional<Kind> list;  ///< of a list: what its length is written as
};

struct Element {
  std::string name;
  long long count = 0;
  std::vector<Property> properties;
};

enum class Format { text, little, big };

struct Header {
  Format format = Format::text;
  std::vector<Element> elements;
};

Header read_header(MeshLines& lines) {
  Header out;
  if (!lines.next() || lines.word() != "ply") lines.fail("it is no PLY file: those begin with a line 'ply'");
  bool formatted = false;
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word == "end_header") {
      if (!formatted) lines.fail("the header does not say which format it is");
      return out;
    }
    if (word == "format") {
      const std::string_view format = lines.word();
      if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
        lines.fail("there is no format " + quoted_word(format));
      out.format = format == "ascii" ? Format::text : format == "binary_little_endian" ? Format::little : Format::big;
      formatted = true;
    } else if (word == "element") {
      Element element;
      element.name = std::string(lines.word());
      element.count = lines.integer("an element");
      if (element.count < 0) lines.fail("an element has a negative count");
      out.elements.push_back(std::move(element));
    } else if (word == "property") {
      if (out.elements.empty()) lines.fail("a property comes before any element");
      Property property;
      std::string_view type = lines.word();
      if (type == "list") {
        property.list = kind_of(type = lines.word());
        if (!property.list || *property.list >= Kind::f32)
          lines.fail("the length of a list cannot be " + quoted_word(type));
        type = lines.word();
      }
      const std::optional<Kind> kind = kind_of(type);
      if (!kind) lines.fail("there is no type " + quoted_word(type));
      property.kind = *kind;
      property.name = std::string(lines.word());
      out.elements.back().properties.push_back(std::move(property));
    }
  }
  lines.fail("the header does not end");
}

/// The numbers after the header, one after the other.
class Numbers {
 public:
  Numbers(const MeshLines& after_header, Format how, std::string_view all, std::string file)
      : lines_(after_header), rest_(after_header.rest()), format_(how), whole_(all.size()), file_(std::move(file)) {}

  double next(Kind kind, const char* what) {
    if (format_ == Format::text) {
      while (lines_.line().find_first_not_of(" \t\r\v\f") == std::string_view::npos)
        if (!lines_.next()) lines_.fail("the file ends before all is said");
      return lines_.number(what);
    }
    const std::size_t size = size_of(kind);
    if (rest_.size() < size) fail("the file ends before all is said");
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < size; ++i)
      bits = bits << 8 | static_cast<unsigned char>(rest_[format_ == Format::big ? i : size - 1 - i]);
    rest_ = rest_.substr(size);
    switch (kind) {
      case Kind::i8:
        return std::int8_t(bits);
      case Kind::i16:
        return std::int16_t(bits);
      case Kind::i32:
        return std::int32_t(bits);
      case Kind::f32:
        return std::bit_cast<float>(std::uint32_t(bits));
      case Kind::f64:
        return std::bit_cast<double>(bits);
      default:
        return double(bits);
    }
  }

  /// What a row of numbers takes at the least must still be there: a header may say anything.
  void require(const Element& element) {
    std::size_t least = 0;
    for (const Property& p : element.properties)
      least += format_ == Format::text ? 2 : size_of(p.list.value_or(p.kind));
    const std::size_t left = (format_ == Format::text ? lines_.rest() : rest_).size() + 1;
    if (std::size_t(element.count) > most_triangles || std::size_t(element.count) * least > left)
      fail(str("it should have ", element.count, " of '", element.name.substr(0, 40), "', and is too short for them"));
  }

  [[noreturn]] void fail(const std::string& message) const {
    if (format_ == Format::text) lines_.fail(message);
    throw InputError(str(file_, ": byte ", whole_ - rest_.size(), ": ", message));
  }

 private:
  MeshLines lines_;
  std::string_view rest_;
  Format format_;
  std::size_t whole_;
  std::string file_;
};

/// The length of a list.
std::size_t read_length(Numbers& numbers, const Property& p) {
  const double length = numbers.next(*p.list, "a list");
  if (!(length >= 0 && length <= 1e6) || length != std::floor(length))
    numbers.fail(str("a list has ", length, " numbers"));
  return std::size_t(length);
}

void skip(Numbers& numbers, const Property& p) {
  for (std::size_t n = p.list ? read_length(numbers, p) : 1; n > 0; --n) numbers.next(p.kind, "an element");
}

}  // namespace

TriangleMesh parse_ply(std::string_view bytes, const std::string& name) {
  MeshLines lines(bytes, name);
  const Header header = read_header(lines);
  const auto vertex_element =
      std::find_if(header.elements.begin(), header.elements.end(), [](const Element& e) { return e.name == "vertex"; });
  if (vertex_element == header.elements.end()) lines.fail("the header names no 'vertex'");
  const long long vertices = vertex_element->count;
  Numbers numbers(lines, header.format, bytes, name);
  TriangleMesh out;
  struct Face {
    std::size_t first, end;
  };
  std::vector<Face> faces;  // they may come before the vertices
  std::vector<int> corners;
  for (const Element& element : header.elements) {
    if (element.properties.empty()) continue;
    numbers.require(element);
    for (long long i = 0; i < element.count; ++i) {
      Vec3d v{};
      int found = 0;
      for (const Property& p : element.properties) {
        const int axis = p.name == "x" ? 0 : p.name == "y" ? 1 : p.name == "z" ? 2 : -1;
        if (element.name == "vertex" && axis >= 0 && !p.list) {
          v[axis] = numbers.next(p.kind, "a vertex");
          ++found;
        } else if (element.name == "face" && p.list && (p.name == "vertex_indices" || p.name == "vertex_index")) {
          const std::size_t n = read_length(numbers, p), first = corners.size();
          if (n > most_corners) numbers.fail(str("a face has ", n, " corners, and the limit is ", most_corners));
          for (std::size_t c = 0; c < n; ++c) {
            const double index = numbers.next(p.kind, "a face");
            if (!(index >= 0 && index < double(vertices)) || index != std::floor(index))
              numbers.fail(str("a face names vertex ", index, ", and the file has ", vertices, " of them"));
            corners.push_back(int(index));
          }
          if (n < 3) numbers.fail("a face has fewer than three corners");
          faces.push_back({first, corners.size()});
        } else {
          skip(numbers, p);
        }
      }
      if (element.name != "vertex") continue;
      if (found != 3) numbers.fail("a vertex lacks x, y or z");
      if (!good_vertex(v)) numbers.fail("a vertex is not a number, or too far away");
      out.vertices.push_back(v);
    }
  }
  if (out.vertices.size() != std::size_t(vertices))
    numbers.fail("the header names 'vertex' twice, or without properties");
  for (const Face& f : faces) {
    add_polygon(out, {corners.begin() + std::ptrdiff_t(f.first), corners.begin() + std::ptrdiff_t(f.end)});
    if (out.triangles.size() > most_triangles)
      numbers.fail(str("there are more triangles than the limit of ", most_triangles));
  }
  return out;
}

}  // namespace silt
