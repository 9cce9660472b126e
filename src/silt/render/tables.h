#pragma once

#include "silt/render/params.h"
#include "silt/scene/table.h"

namespace silt {

const Table<CameraParams>& camera_table();  ///< [camera]
const Table<LookParams>& look_table();      ///< [look]

}  // namespace silt
