#pragma once

/// One instant of a simulation as plain data; see silt/fields/frame.h.
#include "silt/fields/frame.h"
