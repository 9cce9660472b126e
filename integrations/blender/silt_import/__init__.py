"""Imports runs of silt, the fluid simulator: surfaces, points, volumes, bodies, camera and materials, as they were
simulated. Works in `blender -b` too: bpy.ops.import_scene.silt(directory="out/dam_break")."""

bl_info = {
    "name": "silt run",
    "author": "silt",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > silt run",
    "description": "Imports a run folder of silt",
    "category": "Import-Export",
}

import bpy
from bpy.props import StringProperty

from . import importer, points_export, sequences
from .run_folder import RunError


class SiltPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    silt: StringProperty(name="silt", subtype="FILE_PATH",
                         description="The program silt, for points; empty: on the path, or in the add-on's checkout")

    def draw(self, _context):
        self.layout.prop(self, "silt")


class ImportSiltRun(bpy.types.Operator):
    """Import a run folder of silt"""

    bl_idname = "import_scene.silt"
    bl_label = "Import silt run"
    bl_options = {"REGISTER", "UNDO"}

    directory: StringProperty(name="Run folder", subtype="DIR_PATH")
    silt: StringProperty(name="silt", subtype="FILE_PATH", options={"SKIP_SAVE"},
                         description="The program silt; empty: as in the add-on's preferences")

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        try:
            problems = importer.Importer(bpy.path.abspath(self.directory), context.scene, self.program(context)).go()
        except RunError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for problem in problems:
            self.report({"WARNING"}, problem)
        return {"FINISHED"}

    def program(self, context):
        addon = context.preferences.addons.get(__package__)
        return points_export.find_silt(self.silt or (addon.preferences.silt if addon else ""))


def draw_menu(self, _context):
    self.layout.operator(ImportSiltRun.bl_idname, text="silt run")


def register():
    bpy.utils.register_class(SiltPreferences)
    bpy.utils.register_class(ImportSiltRun)
    bpy.types.TOPBAR_MT_file_import.append(draw_menu)
    sequences.register()


def unregister():
    sequences.unregister()
    bpy.types.TOPBAR_MT_file_import.remove(draw_menu)
    bpy.utils.unregister_class(ImportSiltRun)
    bpy.utils.unregister_class(SiltPreferences)
