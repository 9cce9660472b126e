#pragma once

/// Pictures and films from frames; see silt/render/*.h.
#include "silt/render/exr.h"
#include "silt/render/film.h"
#include "silt/render/image.h"
#include "silt/render/jpeg.h"
#include "silt/render/render.h"
#include "silt/render/sheet.h"
#include "silt/render/time_text.h"
