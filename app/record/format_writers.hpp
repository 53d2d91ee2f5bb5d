// The writers of all export formats; SceneExport chooses one.
#pragma once

#include <memory>

#include "app/record/scene_export.hpp"

namespace limber {

/// A folder of OBJ files. Every file has all vertices of the scene, numbered by external id + 1 unless a
/// fluid comes before them, then those of solids, bodies and skins. Vertices of fluids are last.
Expected<std::unique_ptr<FrameWriter>> create_obj_folder(const ExportPlan& plan);

/// A text file of Universal Scene Description.
Expected<std::unique_ptr<FrameWriter>> create_usd(const ExportPlan& plan);

/// A binary file of glTF 2.0.
Expected<std::unique_ptr<FrameWriter>> create_glb(const ExportPlan& plan);

/// A VTK file per frame and a .pvd file that lists them.
Expected<std::unique_ptr<FrameWriter>> create_vtk(const ExportPlan& plan);

/// A binary PLY file per frame.
Expected<std::unique_ptr<FrameWriter>> create_ply(const ExportPlan& plan);

/// An archive of NumPy arrays.
Expected<std::unique_ptr<FrameWriter>> create_npz(const ExportPlan& plan);

}  // namespace limber
