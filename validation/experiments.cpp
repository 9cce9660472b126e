#include "validation/experiments.h"

#include "validation/lab.h"

namespace silt::validation {

// One function an experiment, in the file of its name.
void advection(Lab& lab);
void distance(Lab& lab);
void hydrostatic(Lab& lab);
void multigrid(Lab& lab);
void pressure_order(Lab& lab);
void qp(Lab& lab);
void settle(Lab& lab);
void taylor_green(Lab& lab);
void transfers(Lab& lab);
void cavity(Lab& lab);
void karman(Lab& lab);
void channel(Lab& lab);
void everyday(Lab& lab);
void still_pool(Lab& lab);
void sloshing(Lab& lab);
void torricelli(Lab& lab);
void martin_moyce(Lab& lab);
void ritter(Lab& lab);
void volume(Lab& lab);
void viscous_column(Lab& lab);
void collapse(Lab& lab);
void incline(Lab& lab);
void rest(Lab& lab);
void silo(Lab& lab);
void hourglass(Lab& lab);
void pile(Lab& lab);
void cut(Lab& lab);
void plate(Lab& lab);
void gas_conservation(Lab& lab);
void acoustic(Lab& lab);
void sod(Lab& lab);
void sedov(Lab& lab);
void disk(Lab& lab);
void low_mach(Lab& lab);
void stratified(Lab& lab);
void shock_cylinder(Lab& lab);

std::vector<trials::Trial> experiments() {
  return {
      experiment("advection", "what every advection scheme loses, and how fast its error falls", advection),
      experiment("distance", "signed distances of meshes, and damaged meshes told in from out", distance),
      experiment("multigrid", "how many iterations the pressure takes, and whether they grow with the grid", multigrid),
      experiment("pressure_order", "how fast the pressure's error falls beside surfaces and solids", pressure_order),
      experiment("hydrostatic", "a tank at rest stays at rest, whatever its floor and its surface", hydrostatic),
      experiment("qp", "quadratic programs between bounds and in cones, solved by other ways too", qp),
      experiment("settle", "a block of sand without friction settles, never overfilling a cell", settle),
      experiment("transfers", "what velocities lose between particles and the grid, and what they keep", transfers),
      experiment("taylor_green", "a lattice of vortices decays as exactly known, whatever the step", taylor_green),
      experiment("cavity", "flow in a box with a moving lid, against Ghia et al.", cavity),
      experiment("karman", "how often a cylinder in the wind sheds a vortex", karman),
      experiment("channel", "flow between walls, along the grid and at 30 degrees to it", channel),
      experiment("everyday", "water rests, falls, moves along and comes off ceilings, as anybody expects", everyday),
      experiment("still_pool", "water in a tank stays where it is, whatever its height", still_pool),
      experiment("sloshing", "how fast water sways in a tank", sloshing),
      experiment("torricelli", "how fast water leaves a tank through a slit", torricelli),
      experiment("martin_moyce", "a column of water collapses, against Martin & Moyce", martin_moyce),
      experiment("ritter", "a dam breaks on a long dry floor, against shallow water", ritter),
      experiment("volume", "water neither grows nor shrinks while it sloshes and pours", volume),
      experiment("viscous_column", "a column of honey spreads on a floor it sticks to", viscous_column),
      experiment("collapse", "columns of sand collapse, against Lajeunesse et al.", collapse),
      experiment("incline", "a layer of sand stops below its angle of friction and runs above", incline),
      experiment("rest", "a heap of sand comes to rest, stays, and flows when tilted", rest),
      experiment("silo", "sand in a silo hangs on its walls, against Janssen", silo),
      experiment("hourglass", "sand runs out of a hole at a steady rate, against Beverloo et al.", hourglass),
      experiment("pile", "sand poured slowly heaps up at its angle of friction", pile),
      experiment("cut", "a bank that holds together stands up to a height, and falls above it", cut),
      experiment("plate", "a plate pushed into sand meets a force that grows with its depth", plate),
      experiment("gas_conservation", "gas keeps its mass, momentum and energy", gas_conservation),
      experiment("acoustic", "how fast sound is, what long steps make of it, and what open sides send back", acoustic),
      experiment("sod", "a shock tube, against the exact answer, in every form of gas", sod),
      experiment("sedov", "a strong explosion in 3D, against Sedov and Taylor", sedov),
      experiment("disk", "a dense disk of gas bursts, and its front stays round", disk),
      experiment("low_mach", "slow gas flows as an incompressible fluid does", low_mach),
      experiment("stratified", "air under gravity stays at rest", stratified),
      experiment("shock_cylinder", "a shock runs over a cylinder that cuts cells", shock_cylinder),
  };
}

}  // namespace silt::validation
