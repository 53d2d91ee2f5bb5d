#include "engine/scene/file/scene_reader.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/pattern.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <random>

#include "engine/scene/file/scene_library.hpp"
#include "tests/source_folder.hpp"
#include "tests/unit/schema_fault.hpp"

namespace limber::scene_reader_test { namespace {

const std::string source = test::source("");

/// A scene with every kind of key; line numbers in the table of faults below count from its first line.
std::string valid_scene() {
  return R"({ "format": 1, "title": "T", "group": "G", "look_for": "L", "seed": 7, "ground": false,
  "solver": { "method": "xpbd", "substeps": 10, "gravity": [0, -9.81, 0] },
  "objects": {
    "cloth": { "type": "cloth", "columns": 10, "rows": 8, "position": [0, 2, 0],
      "pins": ["top_left", 3],
      "attachments": [{ "vertices": ["bottom"], "amplitude": [0.1, 0, 0], "period": 2 }],
      "material": { "stretch_compliance": 1e-6, "bending": true },
      "pattern": "checker" },
    "chain": { "type": "chain", "links": 5, "pins": [5] },
    "dots": { "type": "points",
      "points": [{ "position": [0, 1, 0], "mass": 0 }, { "position": [1, 1, 0] }],
      "springs": [{ "points": [0, 1], "rest_length": 0.5 }] },
    "star": { "mesh": "star.obj" } },
  "colliders": { "ball": { "shape": "sphere", "radius": 0.5 } },
  "camera": { "position": [1, 2, 3], "fov_degrees": 35 }, "picture": { "seconds": 0.5, "camera": { "target": [0, 1, 0] } },
  "tunables": ["solver.substeps", "objects.cloth.material.stretch_compliance"],
  "view": { "compare": [{}, { "solver.method": "pbd", "objects.cloth.width": 2 }], "heat_map": "strain", "debug_view": "contacts", "paused": true, "plots": true },
  "expect": { "frames": 60, "bounds": { "strain.max": [0, 0.1] }, "always": { "penetration_max": [0, 0.02] },
              "inside": [[-3, 0, -3], [3, 4, 3]] }
})";
}

Expected<SceneDesc> parse_here(std::string_view text) {
  return parse_scene(text, "s.json", source + "/assets");
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = valid_scene();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SceneReader, SubstepsMayBeLeftToTheProgram) {
  const auto given = parse_here(valid_scene());
  ASSERT_TRUE(given) << given.error().text();
  EXPECT_FALSE(given->solver.step->automatic);
  const auto left = parse_here(replaced("\"substeps\": 10,", "\"substeps\": \"auto\","));
  ASSERT_TRUE(left) << left.error().text();
  EXPECT_TRUE(left->solver.step->automatic);
  const auto silent = parse_here(replaced("\"substeps\": 10,", ""));
  ASSERT_TRUE(silent) << silent.error().text();
  EXPECT_TRUE(silent->solver.step->automatic);
  EXPECT_EQ(silent->solver.step->substeps, 10);
  const auto wrong = parse_here(replaced("\"substeps\": 10,", "\"substeps\": \"many\","));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "'substeps' must be a whole number or 'auto', not the text 'many'");
  EXPECT_EQ(wrong.error().line, 2);
  EXPECT_EQ(schema_fault(replaced("\"substeps\": 10,", "\"substeps\": \"auto\",")), "");
  EXPECT_NE(schema_fault(replaced("\"substeps\": 10,", "\"substeps\": \"many\",")), "");

  SceneDesc scene = *given;
  const auto setting = find_setting(scene, "solver.substeps");
  ASSERT_TRUE(setting);
  const auto set_text = [&](const char* text) {
    return set(*setting->field, setting->settings, *parse(*setting->field, text));
  };
  EXPECT_TRUE(set_text("auto"));
  EXPECT_EQ(said(*setting->field, setting->settings), Value(std::string("auto")));
  EXPECT_EQ(get(*setting->field, setting->settings), Value(10L));
  EXPECT_TRUE(set_text("12"));
  EXPECT_EQ(said(*setting->field, setting->settings), Value(12L));
}

TEST(SceneReader, ReadsEveryKindOfKey) {
  const Expected<SceneDesc> scene = parse_here(valid_scene());
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->name, "s");
  EXPECT_EQ(scene->seed, 7u);
  EXPECT_FALSE(scene->ground);
  ASSERT_EQ(scene->objects.size(), 4u);
  const ObjectDesc& cloth = scene->objects[0];
  EXPECT_EQ(cloth.cloth->columns, 10);
  EXPECT_EQ(cloth.pose.position, glm::dvec3(0, 2, 0));
  EXPECT_EQ(std::get<std::string>(cloth.pins[0]), "top_left");
  EXPECT_EQ(std::get<long>(cloth.pins[1]), 3);
  EXPECT_EQ(cloth.attachments[0].amplitude, glm::dvec3(0.1, 0, 0));
  EXPECT_EQ(cloth.material->stretch_compliance, 1e-6);
  EXPECT_EQ(cloth.pattern, Pattern::checker);
  EXPECT_EQ(scene->objects[1].chain->links, 5);
  const ObjectDesc& dots = scene->objects[2];
  EXPECT_EQ(dots.points->list[0].mass, 0.0);
  EXPECT_EQ(dots.points->list[1].mass, PointDesc{}.mass);
  EXPECT_EQ(dots.points->springs[0].rest_length, 0.5);
  EXPECT_EQ(scene->colliders[0].radius, 0.5);
  EXPECT_EQ(scene->camera.fov_degrees, 35.0);
  EXPECT_EQ(scene->picture.seconds, 0.5);
  ASSERT_TRUE(scene->picture.camera);
  EXPECT_EQ(scene->picture.camera->target, glm::dvec3(0.0, 1.0, 0.0));
  EXPECT_EQ(scene->picture.camera->position, CameraDesc{}.position);
  const ViewDesc& view = *scene->view;
  EXPECT_EQ(heat_map_words[std::size_t(view.heat_map)], "strain");
  EXPECT_EQ(debug_view_words[std::size_t(view.debug_view)], "contacts");
  EXPECT_TRUE(view.paused && view.plots);
  ASSERT_EQ(view.compare.size(), 2u);
  EXPECT_TRUE(view.compare[0].empty());
  ASSERT_EQ(view.compare[1].size(), 2u);
  EXPECT_EQ(view.compare[1][0].path, "solver.method");
  EXPECT_EQ(std::get<std::string>(view.compare[1][0].value), "pbd");
  EXPECT_EQ(scene->tunables.size(), 2u);
  EXPECT_EQ(scene->expect.frames, 60);
  EXPECT_EQ(scene->expect.bounds.at("strain.max")[1], 0.1);
  EXPECT_EQ(scene->expect.always.at("penetration_max")[1], 0.02);
  EXPECT_EQ(scene->expect.inside_max, glm::dvec3(3, 4, 3));
}

struct Fault {
  const char *from, *to, *error;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.error;
}  // names of tests must not be addresses

class SceneReaderFault : public testing::TestWithParam<Fault> {};

TEST_P(SceneReaderFault, IsNamedWithItsLine) {
  const Expected<SceneDesc> scene = parse_here(replaced(GetParam().from, GetParam().to));
  ASSERT_FALSE(scene) << GetParam().to;
  EXPECT_EQ(scene.error().text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Table, SceneReaderFault,
    testing::Values(
        // the document
        Fault{"\"format\": 1,", "",
              "s.json:1: the key 'format' is missing (this program reads \"format\": 1)"},
        Fault{"\"format\": 1,", "\"format\": 2,",
              "s.json:1: unknown scene format (this program reads \"format\": 1)"},
        Fault{"\"title\"", "\"titel\"", "s.json:1: unknown key 'titel' in the scene (did you mean 'title'?)"},
        Fault{"\"title\": \"T\"", "\"title\": null", "s.json:1: 'title' cannot be null"},
        Fault{"\"seed\": 7", "\"seed\": -7", "s.json:1: 'seed' must be a whole number from 0"},
        Fault{"\"ground\": false", "\"ground\": 0",
              "s.json:1: 'ground' must be true or false, not the number 0"},
        // settings
        Fault{"\"substeps\"", "\"substep\"",
              "s.json:2: unknown key 'substep' in solver (did you mean 'substeps'?)"},
        Fault{"\"substeps\": 10", "\"substeps\": 0", "s.json:2: 'substeps' = 0 is out of range (1 to 1000)"},
        Fault{"\"substeps\": 10", "\"substeps\": 2.5",
              "s.json:2: 'substeps' must be a whole number or 'auto', not the number 2.5 (1 to 1000)"},
        Fault{"\"substeps\": 10", "\"substeps\": \"10\"",
              "s.json:2: 'substeps' must be a whole number or 'auto', not the text '10' (1 to 1000)"},
        Fault{"\"substeps\": 10", "\"substeps\": 10, \"substeps\": 11",
              "s.json:2: the key 'substeps' is given twice (first on line 2)"},
        Fault{"\"xpbd\"", "\"xpdb\"", "s.json:2: 'method' cannot be 'xpdb' (did you mean 'xpbd'?)"},
        Fault{"[0, -9.81, 0]", "[0, -9.81]",
              "s.json:2: 'gravity' must be a list of three numbers (as in [0, 1.5, 0])"},
        Fault{"[0, -9.81, 0]", "-9.81",
              "s.json:2: 'gravity' must be three numbers, not the number -9.81 (-100 to 100 m/s^2)"},
        Fault{"[0, -9.81, 0]", "[0, -981, 0]",
              "s.json:2: 'gravity' = 0,-981,0 is out of range (-100 to 100 m/s^2)"},
        Fault{"{ \"method\"", "[{ \"method\"",
              "s.json:3: expected ',' or ']', found ':' (is a comma missing before it?)"},
        // objects
        Fault{"\"cloth\": {", "\"my.cloth\": {",
              "s.json:4: 'my.cloth' is no valid name (letters, digits, _ and - only)"},
        Fault{"\"columns\": 10", "\"columns\": 1",
              "s.json:4: 'columns' = 1 is out of range (2 to 1000 vertices)"},
        Fault{"\"columns\": 10", "\"colums\": 10",
              "s.json:4: unknown key 'colums' in objects.cloth (did you mean 'columns'?)"},
        Fault{"\"columns\": 10", "\"links\": 10", "s.json:4: 'links' means nothing for the type 'cloth'"},
        Fault{"\"columns\": 10", "\"copies\": [1.5, 1, 1]",
              "s.json:4: 'copies' must be three whole numbers (at least 1 each)"},
        Fault{"\"columns\": 10", "\"copies\": [100, 100, 100]",
              "s.json:4: the object would have 400000000 vertices (at most 2000000)"},
        Fault{"\"top_left\"", "\"topleft\"",
              "s.json:5: a grid has no vertices called 'topleft' (did you mean 'top_left'?)"},
        Fault{"\"top_left\", 3", "\"top_left\", 80", "s.json:5: there is no vertex 80 (0 to 79)"},
        Fault{"\"top_left\", 3", "\"top_left\", 1.5",
              "s.json:5: a vertex must be a whole number, a range or a name, not a number (as in 0, \"0-95\" "
              "or "
              "\"top_left\")"},
        Fault{"\"top_left\", 3", "\"9-3\"",
              "s.json:5: a range of vertices must run upwards from 0 or more (as in \"0-95\")"},
        Fault{"\"top_left\", 3", "\"80\"", "s.json:5: there is no vertex 80 (0 to 79)"},
        Fault{"\"top_left\", 3", "\"0-80\"", "s.json:5: there is no vertex 80 (0 to 79)"},
        Fault{"[\"bottom\"]", "[-1]", "s.json:6: there is no vertex -1 (0 to 79)"},
        Fault{"\"period\": 2", "\"attach_to\": \"boll\"",
              "s.json:6: 'cloth' is attached to 'boll', which is no collider and no body (did you mean "
              "'ball'?)"},
        Fault{"\"vertices\": [\"bottom\"],", "", "s.json:6: an attachment needs 'vertices'"},
        Fault{"\"amplitude\": [0.1, 0, 0],", "",
              "s.json:6: an attachment needs 'attach_to' or an 'amplitude' (to hold vertices where they are, "
              "name them in 'pins')"},
        Fault{"\"columns\": 10", "\"size\": 10", "s.json:4: 'size' means nothing without a 'mesh'"},
        Fault{"\"star.obj\"", "\"star.obj\",\n \"rows\": 5",
              "s.json:14: 'rows' means nothing beside a 'mesh', which replaces the grid"},
        Fault{"\"top_left\", 3", "\"0-9000000000\"",
              "s.json:5: there is no vertex 9000000000 (an object has at most 2000000)"},
        Fault{"\"period\": 2", "\"period\": 0", "s.json:6: 'period' = 0 is out of range (0.05 to 1000 s)"},
        Fault{"\"stretch_compliance\": 1e-6", "\"strech_complience\": 1e-6",
              "s.json:7: unknown key 'strech_complience' in material (did you mean 'stretch_compliance'?)"},
        Fault{"\"bending\": true", "\"bending\": 1",
              "s.json:7: 'bending' must be true or false, not the number 1"},
        Fault{"\"checker\"", "\"chequer\"",
              "s.json:8: 'pattern' cannot be 'chequer' (did you mean 'checker'?)"},
        Fault{"\"links\": 5", "\"columns\": 5", "s.json:9: 'columns' means nothing for the type 'chain'"},
        Fault{"\"pins\": [5]", "\"pins\": [6]", "s.json:9: there is no vertex 6 (0 to 5)"},
        Fault{"\"pins\": [5]", "\"pins\": [\"top\"]",
              "s.json:9: 'top' names vertices of a grid, and this object is none (give vertex numbers, "
              "counted from 0)"},
        Fault{"\"pins\": [5]", "\"direction\": [0, 0, 0]", "s.json:9: 'direction' must not be zero"},
        Fault{"\"position\": [1, 1, 0]", "\"mass\": 1", "s.json:11: a point needs a 'position'"},
        Fault{"\"points\": [0, 1]", "\"points\": [0, 2]", "s.json:12: there is no vertex 2 (0 to 1)"},
        Fault{"\"points\": [0, 1]", "\"points\": [1, 1]", "s.json:12: a spring needs two different points"},
        Fault{"\"points\": [0, 1]", "\"points\": [0]",
              "s.json:12: 'points' of a spring must be two point numbers (as in [0, 1])"},
        Fault{"\"rest_length\": 0.5", "\"rest\": 0.5",
              "s.json:12: unknown key 'rest' in a spring (valid names: rest_length, points)"},
        Fault{"star.obj", "stra.obj", "s.json:13: there is no mesh 'stra.obj' (did you mean 'star.obj'?)"},
        // the rest
        Fault{"\"shape\": \"sphere\"", "\"shape\": \"shpere\"",
              "s.json:14: 'shape' cannot be 'shpere' (did you mean 'sphere'?)"},
        Fault{"\"radius\": 0.5", "\"parent\": \"ball\"",
              "s.json:14: the parent 'ball' of 'ball' is no collider above it (there are none)"},
        Fault{"\"shape\": \"sphere\",", "",
              "s.json:14: a collider needs a 'shape' (valid names: plane, sphere, box, capsule, mesh)"},
        Fault{"\"fov_degrees\": 35", "\"target\": [1, 2, 3]",
              "s.json:15: the camera stands on its own target (give it another 'position' or 'target')"},
        Fault{"\"solver.substeps\"", "\"solver.substep\"",
              "s.json:16: there is no setting 'solver.substep' (did you mean 'solver.substeps'?)"},
        Fault{"\"solver.substeps\"", "\"objects.cloht.material.stretch_compliance\"",
              "s.json:16: there is no setting 'objects.cloht.material.stretch_compliance' (did you mean "
              "'objects.cloth.material.stretch_compliance'?)"},
        Fault{"\"objects.cloth.material.stretch_compliance\"", "\"objects.cloth.links\"",
              "s.json:16: 'links' means nothing for the type 'cloth'"},
        Fault{"\"paused\": true", "\"pause\": true",
              "s.json:17: unknown key 'pause' in view (did you mean 'paused'?)"},
        Fault{"\"heat_map\": \"strain\"", "\"heat_map\": \"strian\"",
              "s.json:17: 'heat_map' cannot be 'strian' (did you mean 'strain'?)"},
        Fault{"\"solver.method\": \"pbd\"", "\"solver.metod\": \"pbd\"",
              "s.json:17: there is no setting 'solver.metod' (did you mean 'solver.method'?)"},
        Fault{"\"solver.method\": \"pbd\"", "\"solver.method\": \"pdb\"",
              "s.json:17: 'method' cannot be 'pdb' (did you mean 'pbd'?)"},
        Fault{"\"objects.cloth.width\": 2", "\"objects.cloth.links\": 2",
              "s.json:17: 'links' means nothing for the type 'cloth'"},
        Fault{"[{}, {", "[1, {",
              "s.json:17: a variant must be an object of paths and values (as in { \"solver.method\": "
              "\"newton\" "
              "})"},
        Fault{"[{}, {", "[{}, {}, {}, {}, {", "s.json:17: at most 4 variants stand side by side"},
        Fault{"\"strain.max\"", "\"object_strain.clothe.max\"",
              "s.json:18: the report has no number 'object_strain.clothe.max' (did you mean "
              "'object_strain.cloth.max'?)"},
        Fault{"\"strain.max\"", "\"strain.maxx\"",
              "s.json:18: the report has no number 'strain.maxx' (did you mean 'strain.max'?)"},
        Fault{"\"penetration_max\"", "\"penetration\"",
              "s.json:18: the report has no number 'penetration' (did you mean 'penetration_max'?)"},
        Fault{"{ \"penetration_max\": [0, 0.02] }", "0.02",
              "s.json:18: 'always' must be an object of [min, max]"},
        Fault{"\"frames\": 60", "\"frames\": 0", "s.json:18: 'frames' = 0 is out of range (1 to 100000)"},
        Fault{
            "[0, 0.1]", "[0.1, 0]",
            "s.json:18: the bounds of 'strain.max' are the wrong way round: 0.1 is more than 0 ([min, max])"},
        Fault{"[3, 4, 3]", "[3, 4]",
              "s.json:19: 'inside' must be two corners [[min], [max]] (as in [[-1, 0, -1], [1, 2, 1]])"}));

/// Wherever the preset stands, the keys beside it override it; other values are the preset's.
TEST(SceneReader, KeysBesideAPresetOverrideIt) {
  Material denim;
  denim.preset = Preset::denim;
  apply_preset(denim);
  for (const char* material :
       {R"({ "preset": "denim", "density": 0.33 })", R"({ "density": 0.33, "preset": "denim" })"}) {
    const auto scene = parse_here(R"({ "format": 1, "objects": { "cloth": { "type": "cloth", "material": )" +
                                  std::string(material) + " } } }");
    ASSERT_TRUE(scene) << scene.error().text();
    const Material& read = *scene->objects[0].material;
    EXPECT_EQ(read.preset, Preset::denim);
    EXPECT_EQ(read.density, 0.33);
    EXPECT_NE(denim.density, 0.33);
    EXPECT_EQ(read.bend_compliance, denim.bend_compliance);
    EXPECT_EQ(read.friction, denim.friction);
  }
}

TEST(SceneReader, AKeyThatAFormLeavesWithoutEffectIsRefusedAsThat) {
  const auto scene = parse_here(R"({ "format": 1, "objects": { "loop": { "type": "rod", "form": "ring",
    "first_end": "pinned" } } })");
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().message,
            "'first_end' means nothing beside the other settings of this rod, such as its form");
}

/// Presets of rods and tetrahedra stand beside the material, where cloth has its own.
TEST(SceneReader, APresetInAMaterialIsSentToItsKey) {
  for (const auto& [type, word, key] : {std::array<std::string, 3>{"rod", "steel_wire", "made_of"},
                                        std::array<std::string, 3>{"tets", "jelly", "preset"}}) {
    const auto scene = parse_here(R"({ "format": 1, "objects": { "thing": { "type": ")" + type +
                                  R"(", "material": { "preset": ")" + word + R"(" } } } })");
    ASSERT_FALSE(scene) << type;
    EXPECT_EQ(scene.error().message, "'preset' of a material means nothing for the type '" + type + "'");
    EXPECT_EQ(scene.error().hint, "'" + key + "' beside the material takes '" + word + "'");
  }
}

/// A setting of another shape is not listed, but found: it may be set before the shape is.
TEST(SceneReader, CollidersListWhatTheirShapeHas) {
  SceneDesc scene;
  scene.colliders.resize(1);
  scene.colliders[0].name = "c";
  const auto lists = [&](const std::string& path) {
    const auto settings = list_settings(scene);
    return std::any_of(settings.begin(), settings.end(), [&](const Setting& s) { return s.path == path; });
  };
  scene.colliders[0].shape = ColliderShape::plane;
  EXPECT_FALSE(lists("colliders.c.radius"));
  EXPECT_TRUE(lists("colliders.c.friction"));
  scene.colliders[0].shape = ColliderShape::capsule;
  EXPECT_TRUE(lists("colliders.c.radius"));
  EXPECT_TRUE(lists("colliders.c.half_length"));
  EXPECT_FALSE(lists("colliders.c.shell"));
  EXPECT_TRUE(find_setting(scene, "colliders.c.shell"));
  scene.colliders[0].shape = ColliderShape::mesh;
  EXPECT_TRUE(lists("colliders.c.shell"));
  EXPECT_FALSE(lists("colliders.c.half_extents"));
}

TEST(SceneReader, ARangeOrANumberInQuotesNamesVertices) {
  const Expected<SceneDesc> scene = parse_here(replaced("\"top_left\", 3", "\"7-9\", \"5\", \"top\""));
  ASSERT_TRUE(scene) << scene.error().text();
  const std::vector<VertexName> expected{7L, 8L, 9L, 5L, std::string("top")};
  EXPECT_EQ(scene->objects[0].pins, expected);
}

TEST(SceneReader, ObjectsBodiesAndCollidersHaveDifferentNames) {
  const auto said = [](const std::string& text) {
    const Expected<SceneDesc> scene = parse_here(text);
    return scene ? std::string("read") : scene.error().text();
  };
  EXPECT_EQ(
      said(R"({ "format": 1,
    "bodies": { "other": { "shape": "sphere" },
                "thing": { "shape": "sphere" } },

    "objects": { "thing": {} } })"),
      "s.json:3: 'thing' is the name of an object and of a body (give one of them another name; the object "
      "stands on line 5)");
  EXPECT_EQ(
      said(R"({ "format": 1,
    "bodies": { "thing": { "shape": "sphere" } },
    "colliders": { "thing": { "shape": "plane", "collides_with": "all, -thing" } } })"),
      "s.json:3: 'thing' is the name of a body and of a collider (give one of them another name; the body "
      "stands on line 2)");
  EXPECT_EQ(said(R"({ "format": 1, "objects": { "thing": {} },
    "colliders": { "all": { "shape": "plane" } } })"),
            "s.json:2: 'all' cannot be the name of a collider: it has a meaning in 'collides_with' (call it 'the_all', for "
            "example)");
  EXPECT_EQ(said(R"({ "format": 1,
    "bodies": { "thing": { "shape": "sphere" } },
    "colliders": { "thing": { "shape": "plane" } } })"),
            "read")
      << "nothing refers to either";
}

TEST(SceneReader, AFieldOfAirOrForceNeedsADirection) {
  const auto said = [](const std::string& text) {
    const Expected<SceneDesc> scene = parse_here(text);
    return scene ? std::string("read") : scene.error().text();
  };
  EXPECT_EQ(said(R"({ "format": 1,
    "wind": { "fields": { "blower": { "type": "fan", "direction": [0, 0, 0] } } } })"),
            "s.json:2: 'direction' must not be zero (as in [0, 1, 0])");
  EXPECT_EQ(said(R"({ "format": 1,
    "forces": { "push": { "type": "uniform", "direction": [0, 0, 0] } } })"),
            "s.json:2: 'direction' must not be zero (as in [0, 1, 0])");
}

/// Copies in one place could not be separated. Along an axis with one copy the spacing has no meaning.
TEST(SceneReader, GrainsAndSolidsNeedASpacing) {
  const auto said = [](const std::string& type, const std::string& spacing) {
    const auto scene = parse_here(R"({ "format": 1, "objects": { "sand": {
      "type": )" + type + R"(, "copies": [4, 1, 2],
      "spacing": )" + spacing + " } } }");
    return scene ? std::string("taken") : scene.error().text();
  };
  EXPECT_EQ(said("\"grains\"", "[0.05, 0.05, 0]"),
            "s.json:3: 'spacing' = 0.05,0.05,0 puts 2 grains into one place (grains touch at twice "
            "solver.particle_radius: give a little more along every axis)");
  EXPECT_NE(said("\"grains\"", "[0, 0.05, 0]").find("puts 8 grains into one place"), std::string::npos);
  EXPECT_EQ(said("\"grains\"", "[0.05, 0, 0.05]"), "taken");
  EXPECT_EQ(said("\"cloud\"", "[0, 0, 0]"), "taken");  // its particles do not touch each other
  EXPECT_EQ(said(R"("solid", "mesh": "star.obj")", "[0, 1, 1]"),
            "s.json:3: 'spacing' = 0,1,1 puts 4 solids into one place (along every axis with several copies, "
            "give at least the size of one)");
}

TEST(SceneReader, NeedsAnObject) {
  EXPECT_EQ(parse_here("{ \"format\": 1 }").error().text(),
            "s.json:1: the scene has no objects (add \"objects\": { ... } or \"bodies\": { ... })");
  EXPECT_EQ(parse_here("[]").error().text(),
            "s.json:1: a scene must be an object { ... } (this program reads \"format\": 1)");
}

/// Bytes are changed, dropped, doubled and swapped. The reader answers for any text, and the schema accepts
/// every scene that the reader accepts.
TEST(SceneReader, SurvivesThousandsOfMutations) {
  const std::string original = valid_scene();
  const std::string_view alphabet = "{}[]:,\"0123456789.-eE \n/*abtrufnlsx\\\xff";
  std::mt19937 random(20240607);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  int accepted = 0;
  for (int i = 0; i < 8000; ++i) {
    std::string text = original;
    for (std::size_t edits = 1 + below(2); edits > 0; --edits) {
      const std::size_t at = below(text.size()), length = std::min(1 + below(20), text.size() - at);
      switch (below(4)) {
        case 0:
          text[at] = alphabet[below(alphabet.size())];
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        default:
          text.insert(at, 1, alphabet[below(alphabet.size())]);
      }
    }
    const Expected<SceneDesc> scene = parse_here(text);
    if (!scene) {
      ASSERT_FALSE(scene.error().message.empty()) << text;
      ASSERT_EQ(scene.error().file, "s.json");
      continue;
    }
    ++accepted;
    ASSERT_EQ(schema_fault(text), "") << text;
  }
  EXPECT_GT(accepted, 80);  // else the mutations are too wild to reach the tables
}

TEST(SceneReader, EveryShippedSceneParses) {
  const SceneLibrary library({source + "/scenes"}, source + "/assets");
  EXPECT_GE(library.scenes().size(), 6u);
  for (const SceneEntry& entry : library.scenes()) {
    EXPECT_FALSE(entry.error) << entry.error->text();
    const Expected<SceneDesc> scene = library.find(entry.name);
    ASSERT_TRUE(scene);
    EXPECT_FALSE(scene->look_for.empty() || scene->tunables.empty()) << entry.name;
    EXPECT_FALSE(scene->expect.bounds.empty() && scene->expect.always.empty() && scene->expect.mean.empty())
        << entry.name;
    EXPECT_NE(scene->group, "Other") << entry.name;
    std::ifstream in(entry.file);
    EXPECT_EQ(schema_fault({std::istreambuf_iterator<char>(in), {}}), "") << entry.name;
  }
}

TEST(SceneReader, AnyMeshBecomesAScene) {
  const Expected<SceneDesc> scene = scene_from_obj(source + "/assets/star.obj");
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->name, "star");
  // 2 m wide and 1.902 m tall: the lowest vertex starts 0.25 m above the sphere's top at 1.2 m.
  EXPECT_NEAR(scene->objects[0].pose.position.y - 0.5 * 1.902, 1.45, 1e-3);
  SceneDesc copy = *scene;
  for (const std::string& path : copy.tunables) EXPECT_TRUE(find_setting(copy, path)) << path;
  EXPECT_FALSE(scene_from_obj(source + "/assets/no_such.obj"));
}

}}  // namespace limber::scene_reader_test
