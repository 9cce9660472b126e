#pragma once

namespace silt {

/// From now on the first SIGINT, SIGTERM or SIGHUP only asks for a stop; a second one ends the program at once.
/// Those that were ignored already stay ignored.
void catch_stop_signals();
bool stop_requested();

}  // namespace silt
