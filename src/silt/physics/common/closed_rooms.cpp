#include "silt/physics/common/closed_rooms.h"

#include <algorithm>
#include <limits>

#include "silt/fields/images.h"

namespace silt {
namespace {

/// Of a room: what it may hold more, for cells that solids cut are measured by their centres.
constexpr double slack = 0.02;

/// A larger domain with obstacles is not looked at: six bytes a cell would outgrow all else.
constexpr std::int64_t most_cells = 1 << 27;

/// The part of a cell that is free where its centre is: what has less is a wall, whichever room it is counted to.
constexpr double least_way = 0.5;

constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

bool has_open_side(const Domain& domain) {
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end)
      if (domain.lattice.active[a] && domain.side(a, end) == Side::open) return true;
  return false;
}

std::uint64_t difference_or_none(double room, double taken) {
  return room > taken ? std::uint64_t(room - taken) : 0;
}

}  // namespace

ClosedRooms::ClosedRooms(const Setting& setting) : setting_(setting), still_(all_still(setting.obstacles)) {}

void ClosedRooms::look(const Exec& exec, double time) {
  if (looked_at_ >= 0 && (still_ || looked_at_ == time)) return;
  const std::size_t n = std::size_t(setting_.domain.cells.count());
  if (distance_.size() != n) distance_ = Buffer<float>(n);
  distance_at_centres(exec, setting_.domain, place(setting_.obstacles, time), distance_);
  label_.assign(n, Label(unknown));
  cells_.assign(2, 0);
  looked_at_ = time;
}

std::size_t ClosedRooms::index(Cell c) const {
  const Box& box = setting_.domain.cells;
  const Int3 n = box.size(), at = c - box.lo;
  return (std::size_t(at.z) * n.y + at.y) * n.x + at.x;
}

double ClosedRooms::free_part(Cell c) const {
  return std::clamp(0.5 + distance_.host()[index(c)] / setting_.domain.lattice.h, 0.0, 1.0);
}

/// The next cell, round periodic sides; itself beyond a wall, and beyond an open side, where it `leaves`.
Cell ClosedRooms::beside(Cell c, int axis, int end, bool& leaves) const {
  const Domain& domain = setting_.domain;
  Cell to = end ? c + unit(axis) : c - unit(axis);
  if (domain.cells.contains(to)) return to;
  if (domain.side(axis, end) == Side::open) leaves = true;
  if (!domain.periodic(axis)) return c;
  to[axis] = end ? domain.cells.lo[axis] : domain.cells.hi[axis] - 1;
  return to;
}

/// Deep first, and last what is pushed last: the way to an open side is the first that is tried.
int ClosedRooms::walk(Cell from) {
  const Domain& domain = setting_.domain;
  const int label = int(cells_.size());
  bool leaves = false;
  double room = 0;
  in_.clear();
  next_.assign(1, from);
  label_[index(from)] = Label(label);
  while (!next_.empty() && !leaves) {
    const Cell c = next_.back();
    next_.pop_back();
    in_.push_back(c);
    const double part = free_part(c);
    room += part;
    if (part <= least_way) continue;  // its centre lies in a solid: it belongs to the room, and is no way
    for (const bool last : {false, true})
      for (int a = 0; a < 3; ++a)
        for (int end = 0; end < 2 && domain.lattice.active[a]; ++end) {
          if ((domain.side(a, end) == Side::open) != last) continue;
          const Cell to = beside(c, a, end, leaves);
          Label& there = label_[index(to)];
          const double free = free_part(to);
          leaves = leaves || (there == open && free > least_way);  // else it is the far side of a wall
          if (there != unknown || free == 0) continue;
          there = Label(label);
          next_.push_back(to);
        }
  }
  if (leaves) {
    for (const Cell& c : in_) label_[index(c)] = Label(open);
    for (const Cell& c : next_) label_[index(c)] = Label(open);
    return open;
  }
  cells_.push_back(room);
  return label;
}

int ClosedRooms::room_at(Cell c) {
  if (!setting_.domain.cells.contains(c)) return open;
  const int there = label_[index(c)];
  const bool full =
      cells_.size() > std::numeric_limits<Label>::max();  // more rooms than numbers: the rest count as open
  if (there != unknown || free_part(c) <= least_way || full) return there;
  return walk(c);
}

std::vector<std::uint64_t> ClosedRooms::count(const std::vector<const Particles*>& particles) const {
  std::vector<std::uint64_t> out(cells_.size(), 0);
  const Box& box = setting_.domain.cells;
  for (const Particles* p : particles) {
    const ParticleView at = read(Exec(Device::cpu, 1), *p);
    for (std::size_t i = 0; i < p->count; ++i)
      if (const Cell c = at.cell_at(std::int64_t(i)); box.contains(c)) ++out[std::size_t(label_[index(c)])];
  }
  return out;
}

double ClosedRooms::room_of(int label) const {
  return cells_[std::size_t(label)] * (1 << setting_.domain.lattice.dims());
}

std::uint64_t ClosedRooms::left_for(const Exec& exec, const Emitter& emitter, double time,
                                    const std::vector<const Particles*>& particles) {
  const Domain& domain = setting_.domain;
  if (setting_.obstacles.empty()) {
    if (has_open_side(domain)) return no_end;
    double all = 0;
    for (const Particles* p : particles) all += double(p->count);
    return difference_or_none(double(domain.cells.count()) * (1 << domain.lattice.dims()), all);
  }
  if (domain.cells.count() > most_cells) return no_end;
  look(exec, time);
  const Shape shape = with_images(domain, emitter.shape.at(time).transformed(emitter.motion.at(time).place));
  const Box near = cells_near(domain, shape);
  std::vector<int> rooms;
  for (int k = near.lo.z; k < near.hi.z; ++k)
    for (int j = near.lo.y; j < near.hi.y; ++j)
      for (int i = near.lo.x; i < near.hi.x; ++i) {
        const Cell c{i, j, k};
        if (shape.distance(domain.lattice.centre(c)) > 0.5 * domain.lattice.h || free_part(c) <= least_way) continue;
        const int room = room_at(c);
        if (room == open) return no_end;
        if (room != unknown && std::find(rooms.begin(), rooms.end(), room) == rooms.end()) rooms.push_back(room);
      }
  if (rooms.empty()) return no_end;  // it is covered, and lets nothing out
  const std::vector<std::uint64_t> in = count(particles);
  double left = 0;
  for (const int room : rooms) left += double(difference_or_none(room_of(room), double(in[std::size_t(room)])));
  return std::uint64_t(left);
}

std::int64_t ClosedRooms::squeezed(const Exec& exec, double time, const std::vector<const Particles*>& particles) {
  if (still_ || setting_.domain.cells.count() > most_cells) return 0;
  look(exec, time);
  for (const Particles* p : particles) {
    const ParticleView at = read(Exec(Device::cpu, 1), *p);
    for (std::size_t i = 0; i < p->count; ++i) room_at(at.cell_at(std::int64_t(i)));
  }
  const std::vector<std::uint64_t> in = count(particles);
  double sum = 0;
  for (std::size_t room = 2; room < in.size(); ++room)
    if (double(in[room]) > (1 + slack) * room_of(int(room))) sum += double(in[room]) - room_of(int(room));
  return std::int64_t(sum);
}

}  // namespace silt
