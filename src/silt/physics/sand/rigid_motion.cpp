#include "silt/physics/sand/rigid_motion.h"

#include "silt/core/loops.h"
#include "silt/physics/sand/run_faces.h"

namespace silt {
namespace {

/// Of each axis a: masses and their moments, r_b and r_c the places along the two axes after it.
struct Moments {
  double m, b, c, bb, cc, bc;
};
struct SumMoments {
  static constexpr bool uneven = true;
  RunFaces faces;
  MacView<const float> mass;
  Moments* out;  ///< three of each run
  SILT_HD void operator()(std::int64_t i) const {
    const RigidRun run = faces.runs[i];
    for (int a = 0; a < faces.dims; ++a) {
      Moments s{};
      faces.visit(run, a, [&](Cell c, const Vec3d& r) {
        const double m = mass[a](c), rb = r[(a + 1) % 3], rc = r[(a + 2) % 3];
        s.m += m, s.b += m * rb, s.c += m * rc;
        s.bb += m * rb * rb, s.cc += m * rc * rc, s.bc += m * rb * rc;
      });
      out[3 * i + a] = s;
    }
  }
};

struct Pushes {
  double f, b, c;
};
struct SumPushes {
  static constexpr bool uneven = true;
  RunFaces faces;
  MacView<const float> mass, values;
  bool weighed;
  Pushes* out;
  SILT_HD void operator()(std::int64_t i) const {
    const RigidRun run = faces.runs[i];
    for (int a = 0; a < faces.dims; ++a) {
      Pushes s{};
      faces.visit(run, a, [&](Cell c, const Vec3d& r) {
        const double f = values[a](c) * (weighed ? double(mass[a](c)) : 1.0);
        s.f += f, s.b += f * r[(a + 1) % 3], s.c += f * r[(a + 2) % 3];
      });
      out[3 * i + a] = s;
    }
  }
};

struct WriteMotion {
  static constexpr bool uneven = true;
  RunFaces faces;
  const RigidMotion* motions;
  const float* parts;
  MacView<float> velocity;
  SILT_HD void operator()(std::int64_t i) const {
    const RigidRun run = faces.runs[i];
    const RigidMotion motion = motions[run.group];
    const double part = parts[run.group];
    for (int a = 0; a < faces.dims; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      faces.visit(run, a, [&](Cell face, const Vec3d& r) {
        const double u = motion.velocity[a] + motion.spin[b] * r[c] - motion.spin[c] * r[b];
        velocity[a](face) = float(part * velocity[a](face) + u);
      });
    }
  }
};

/// L D L^T in place: L below the diagonal, 1 / D on it. Where D is no more than rounding there is nothing to turn, and
/// what would turn it is left out; so it is for the spin where `turns` says no.
template <class Matrix>
void factorise(bool turns, Matrix& m) {
  constexpr double rounding = 1e-9;
  double d[6];
  for (int j = 0; j < 6; ++j) {
    const double whole = m[j][j];
    d[j] = whole;
    for (int k = 0; k < j; ++k) d[j] -= m[j][k] * m[j][k] * d[k];
    if (!(d[j] > rounding * whole) || (j >= 3 && !turns)) d[j] = 0;
    for (int i = j + 1; i < 6; ++i) {
      for (int k = 0; k < j; ++k) m[i][j] -= m[i][k] * m[j][k] * d[k];
      m[i][j] = d[j] > 0 ? m[i][j] / d[j] : 0;
    }
    m[j][j] = d[j] > 0 ? 1 / d[j] : 0;
  }
}

}  // namespace

void RigidMotions::prepare(const Exec& exec, const Domain& domain, const RigidGroups& groups,
                           const Field<unsigned char>& rigid, const MacField<float>& star,
                           const MacField<float>& mass) {
  groups_ = &groups, rigid_ = &rigid, star_ = &star, mass_ = &mass, domain_ = domain;
  constexpr std::size_t numbers = 3 * sizeof(Moments) / sizeof(double);
  if (sums_.size() < numbers * groups.runs.size()) sums_ = Buffer<double>(numbers * groups.runs.size());
  for_each_index(exec, "sand.moments", std::int64_t(groups.run_count),
                 SumMoments{faces_of(exec, domain, groups, rigid, star), mass.read(exec),
                            reinterpret_cast<Moments*>(sums_.write(exec))},
                 8);
  factors_.assign(std::size_t(groups.count()), Matrix{});
  const Moments* sums = reinterpret_cast<const Moments*>(std::as_const(sums_).host());
  for (std::size_t i = 0; i < groups.run_count; ++i) {
    Matrix& m = factors_[std::size_t(groups.runs.host()[i].group)];
    for (int a = 0; a < domain.lattice.dims(); ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const Moments& s = sums[3 * i + a];
      const int vb = 3 + b, vc = 3 + c;  // u_a = v_a + w_b r_c - w_c r_b
      m[a][a] += s.m, m[vb][a] += s.c, m[vc][a] -= s.b;
      m[vb][vb] += s.cc, m[vc][vc] += s.bb;
      m[std::max(vb, vc)][std::min(vb, vc)] -= s.bc;
    }
  }
  for (int g = 0; g < groups.count(); ++g) factorise(groups.turns[std::size_t(g)] != 0, factors_[std::size_t(g)]);
}

std::vector<RigidPush> RigidMotions::add_up(const Exec& exec, const MacField<float>& values, bool weighed) {
  for_each_index(exec, "sand.pushes", std::int64_t(groups_->run_count),
                 SumPushes{faces_of(exec, domain_, *groups_, *rigid_, *star_), mass_->read(exec), values.read(exec),
                           weighed, reinterpret_cast<Pushes*>(sums_.write(exec))},
                 8);
  std::vector<RigidPush> out(std::size_t(groups_->count()));
  const Pushes* sums = reinterpret_cast<const Pushes*>(std::as_const(sums_).host());
  const RigidRun* runs = groups_->runs.host();
  for (std::size_t i = 0; i < groups_->run_count; ++i) {
    RigidPush& push = out[std::size_t(runs[i].group)];
    for (int a = 0; a < domain_.lattice.dims(); ++a) {
      const Pushes& s = sums[3 * i + a];
      push.force[a] += s.f;
      push.torque[(a + 1) % 3] += s.c;
      push.torque[(a + 2) % 3] -= s.b;
    }
  }
  return out;
}

std::vector<RigidPush> RigidMotions::momenta(const Exec& exec, const MacField<float>& velocity) {
  return add_up(exec, velocity, true);
}

std::vector<RigidPush> RigidMotions::pushes(const Exec& exec, const MacField<float>& impulse) {
  return add_up(exec, impulse, false);
}

RigidMotion RigidMotions::motion(int group, const RigidPush& push) const {
  const Matrix& m = factors_[std::size_t(group)];
  Vector x;
  for (int i = 0; i < 6; ++i) {
    x[i] = i < 3 ? push.force[i] : push.torque[i - 3];
    for (int k = 0; k < i; ++k) x[i] -= m[i][k] * x[k];
  }
  for (int i = 0; i < 6; ++i) x[i] *= m[i][i];
  for (int i = 5; i >= 0; --i)
    for (int k = i + 1; k < 6; ++k) x[i] -= m[k][i] * x[k];
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

void RigidMotions::write(const Exec& exec, const std::vector<RigidMotion>& motions, const std::vector<float>& parts,
                         MacField<float>& velocity) {
  const std::size_t count = motions.size();
  if (motions_.size() < count) {
    motions_ = Buffer<RigidMotion>(count + count / 4);
    parts_ = Buffer<float>(motions_.size());
  }
  std::copy(motions.begin(), motions.end(), motions_.host());
  std::copy(parts.begin(), parts.end(), parts_.host());
  for_each_index(exec, "sand.rigid", std::int64_t(groups_->run_count),
                 WriteMotion{faces_of(exec, domain_, *groups_, *rigid_, *star_), std::as_const(motions_).read(exec),
                             std::as_const(parts_).read(exec), velocity.update(exec)},
                 8);
}

}  // namespace silt
