#pragma once

namespace silt {

/// The signals below wait until catch_stop_signals(), through an exec() too. Called before threads are started: one
/// that does not hold a signal gets it.
void hold_stop_signals();

/// From now on the first SIGINT, SIGTERM or SIGHUP only asks for a stop; a second one ends the program at once.
/// Those that were ignored already stay ignored.
void catch_stop_signals();
bool stop_requested();

}  // namespace silt
