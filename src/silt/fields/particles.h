#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "silt/core/buffer.h"
#include "silt/core/vec.h"

namespace silt {

/// How a particle's velocity varies round it. A velocity has one coefficient for each product of axes, in units of
/// [m/s] per cell along each of them; a product is a set of axes: bit a stands for axis a.
enum class Modes {
  constant,     ///< its value alone: PIC, FLIP
  affine,       ///< and one slope along each axis: APIC
  multilinear,  ///< and those along products of axes: PolyPIC with linear weights
  biquadratic,  ///< and curvatures along the two axes that the component does not lie along: PolyPIC with quadratic
                ///< ones
};

/// Pieces of material, structure of arrays: where each one is, how it moves, and what pictures want to know of it. The
/// first `count` elements of every column are in use; columns that nobody needs (those along a flat axis, modes) are
/// empty. A particle lies at `cell + offset`, so that its place is as exact far from the lattice's origin as near it.
struct Particles {
  static constexpr int products = 8;  ///< sets of three axes
  /// Modes with a curvature come after the products. Of a component, whose own axis and the other two, the first and
  /// the second of them, have the powers:
  ///   8 + i: (i, 2, 0)   10 + i: (i, 0, 2)   12 + i: (i, 2, 1)   14 + i: (i, 1, 2)   16 + i: (i, 2, 2),   i = 0, 1
  /// A power 2 stands for the polynomial that is orthogonal to lower ones under the transfer's weights
  /// (transfer_stencil.h), in [m/s] per cell^2.
  static constexpr int all_modes = 18;
  /// Powers of a mode of a component along x, y and z.
  static constexpr Int3 powers(int component, int mode) {
    if (mode < products) return {mode & 1, mode >> 1 & 1, mode >> 2 & 1};
    constexpr int first[] = {2, 0, 2, 1, 2}, second[] = {0, 2, 1, 2, 2};
    Int3 out{};
    out[component] = mode & 1;
    out[component == 0 ? 1 : 0] = first[(mode - products) / 2];
    out[component == 2 ? 1 : 2] = second[(mode - products) / 2];
    return out;
  }
  /// As cell.x: this particle is dead, and the next sort takes it away.
  static constexpr int dead = std::numeric_limits<int>::min() / 2;

  Int3 active{1, 1, 1};
  Modes modes = Modes::constant;
  std::size_t count = 0;
  std::uint64_t born = 0;  ///< ids given so far: the next one
  std::uint64_t died = 0;  ///< born - died are alive, or dead and not yet taken away

  std::array<Buffer<int>, 3> cell;
  std::array<Buffer<float>, 3> offset;                       ///< within the cell, 0 <= offset < 1
  std::array<Buffer<float>, 3> velocity;                     ///< [m/s]
  std::array<std::array<Buffer<float>, all_modes>, 3> mode;  ///< [component][mode]; none for the empty product
  Buffer<std::uint64_t> id;                                  ///< never given twice
  Buffer<float> age;                                         ///< since it was born [s]
  Buffer<std::uint32_t> source;                              ///< the fill or emitter it came from
  Buffer<std::uint32_t> colour;                              ///< 0xRRGGBB, linear

  Particles() = default;
  explicit Particles(Int3 active_axes, Modes with = Modes::constant) : active(active_axes), modes(with) {}

  std::uint64_t alive() const { return born - died; }
  std::size_t capacity() const { return id.size(); }
  bool has_mode(int component, int number) const {
    if (number == 0 || !active[component]) return false;
    const Int3 power = powers(component, number);
    for (int a = 0; a < 3; ++a)
      if (power[a] && !active[a]) return false;
    if (number >= products) return modes == Modes::biquadratic;
    return modes >= Modes::multilinear || (modes == Modes::affine && power.x + power.y + power.z == 1);
  }
};

/// Every column that these particles, const or not, have, with its name: v("velocity.x", buffer).
template <class Set, class Visitor>
requires std::is_same_v<std::remove_const_t<Set>, Particles>
void visit(Set& p, Visitor&& v) {
  static constexpr const char* axis_name[3] = {".x", ".y", ".z"};
  for (int a = 0; a < 3; ++a) {
    if (!p.active[a]) continue;
    const std::string name = axis_name[a];
    v("cell" + name, p.cell[a]);
    v("offset" + name, p.offset[a]);
    v("velocity" + name, p.velocity[a]);
    for (int m = 1; m < Particles::all_modes; ++m) {
      if (!p.has_mode(a, m)) continue;
      std::string along;
      for (int b = 0; b < 3; ++b) along += std::string(std::size_t(Particles::powers(a, m)[b]), axis_name[b][1]);
      v("mode" + name + "." + along, p.mode[a][m]);
    }
  }
  v(std::string("id"), p.id);
  v(std::string("age"), p.age);
  v(std::string("source"), p.source);
  v(std::string("colour"), p.colour);
}

/// Of particles that have none of their own: who draws them chooses one.
constexpr std::uint32_t no_colour = 0xffffff;

/// A linear RGB colour as particles have it: 0xRRGGBB. Never `no_colour`: white is a shade darker.
std::uint32_t packed_colour(const Vec3d& rgb);

/// Makes room for so many in all. What is there stays.
void reserve(const Exec& exec, Particles& particles, std::size_t capacity);

/// Makes room for more, all zero, and counts them in; the caller fills them in, ids included. Returns the first.
std::size_t append(const Exec& exec, Particles& particles, std::size_t more);

/// Particles as kernels see them: columns that are not there are null.
template <class Int, class Float>
struct ParticleColumns {
  Int* cell[3];
  Float* offset[3];
  Float* velocity[3];
  Float* mode[3][Particles::all_modes];

  SILT_HD Vec3f offset_at(std::int64_t i) const {
    return {offset[0][i], offset[1] ? offset[1][i] : 0.5f, offset[2] ? offset[2][i] : 0.5f};
  }
  SILT_HD Cell cell_at(std::int64_t i) const {
    return {cell[0][i], cell[1] ? cell[1][i] : 0, cell[2] ? cell[2][i] : 0};
  }
};
using ParticleView = ParticleColumns<const int, const float>;

inline ParticleView read(const Exec& exec, const Particles& p) {
  ParticleView v;
  for (int a = 0; a < 3; ++a) {
    v.cell[a] = p.cell[a].read(exec), v.offset[a] = p.offset[a].read(exec), v.velocity[a] = p.velocity[a].read(exec);
    for (int m = 0; m < Particles::all_modes; ++m) v.mode[a][m] = p.mode[a][m].read(exec);
  }
  return v;
}

/// The largest float below 1: as far as an offset goes.
inline constexpr float last_offset = 0x1.fffffep-1f;

/// Splits a position along one axis, `offset` cells up from `cell`, into a cell and what is left within it.
SILT_HD_INLINE void split(float position, int& cell, float& offset) {
  const float whole = std::floor(position);
  const float rest = position - whole;
  cell += int(whole);
  offset = rest < 1 ? rest : last_offset;  // just below a whole number, the rest rounds to 1
}

}  // namespace silt
