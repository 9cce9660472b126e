#pragma once

namespace silt {

/// Makes threads that wait for work spin for some forty microseconds and then sleep, by starting this program again
/// with GOMP_SPINCOUNT set: OpenMP reads its environment only while a program is loaded. GNU OpenMP lets them spin for
/// milliseconds otherwise, and on a machine with other work to do they keep the very threads they wait for from
/// running: beside two compilers on two cores smoke_plume took 77 s instead of 11. Does nothing when the environment
/// has decided (OMP_WAIT_POLICY, GOMP_SPINCOUNT).
void wait_politely(char** argv);

}  // namespace silt
