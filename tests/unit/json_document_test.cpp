#include "engine/scene/file/json_document.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace limber::json_document_test {
namespace {

std::string error_of(std::string_view text) {
  const Expected<JsonValue> json = parse_json(text, "f");
  return json ? "no error" : json.error().text();
}

TEST(JsonDocument, KeepsTheLineOfEveryValue) {
  const char* text =
      "\xEF\xBB\xBF// a comment\n"
      "{ \"a\": 1,\n"
      "  /* two\n"
      "     lines */ \"b\": [true,\n"
      "    2.5\n"
      "  ],\n"
      "  \"c\":\n"
      "    { \"d\": null, \"e\": \"x\\ny\" }\n"
      "}\n";
  const Expected<JsonValue> json = parse_json(text, "f");
  ASSERT_TRUE(json) << json.error().text();
  EXPECT_EQ(json->line, 2);
  EXPECT_EQ(std::get<long>(json->find("a")->content), 1);
  EXPECT_EQ(json->find("a")->line, 2);
  const JsonValue& b = *json->find("b");
  EXPECT_EQ(b.line, 4);
  EXPECT_EQ((*b.array())[0].line, 4);
  EXPECT_EQ((*b.array())[1].line, 5);  // the lexer has read the line break by then
  EXPECT_EQ(std::get<double>((*b.array())[1].content), 2.5);
  EXPECT_EQ((*json->object())[2].line, 7);
  EXPECT_EQ(json->find("c")->line, 8);
  EXPECT_EQ(*json->find("c")->find("e")->text(), "x\ny");
  EXPECT_EQ(json->find("z"), nullptr);
}

TEST(JsonDocument, KeepsWholeNumbersWhole) {
  EXPECT_EQ(std::get<long>(parse_json("9223372036854775807", "f")->content), 9223372036854775807L);
  EXPECT_EQ(std::get<double>(parse_json("9223372036854775808", "f")->content), 9223372036854775808.0);
  EXPECT_EQ(std::get<double>(parse_json("1.0", "f")->content), 1.0);
}

TEST(JsonDocument, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string_view text, error;
  };
  using namespace std::string_view_literals;
  const Case cases[] = {
      {"", "f: the file is empty (a scene begins with { \"format\": 1, ... })"},
      {" \n\t\n", "f: the file is empty (a scene begins with { \"format\": 1, ... })"},
      {"{\n\"a\": 1,\n\"b\": 2,\n\"a\": 3 }", "f:4: the key 'a' is given twice (first on line 2)"},
      {"{ \"a\": 1\n  \"b\": 2 }", "f:2: expected ',' or '}', found '\"b\"' (is a comma missing before it?)"},
      {"[1\n 2]", "f:2: expected ',' or ']', found '2' (is a comma missing before it?)"},
      {"{ \"a\": 1,\n}",
       "f:2: expected a key in double quotes, found '}' (is there a comma too many before it?)"},
      {"{ a: 1 }", "f:1: expected a key in double quotes, found 'a' (is there a comma too many before it?)"},
      {"{ \"a\"\n 1 }", "f:2: expected ':' after the key, found '1'"},
      {"{ \"a\": yes }", "f:1: expected a value, found 'yes' (texts need double quotes)"},
      {"[1,\n\n NaN]", "f:3: expected a value, found 'NaN' (texts need double quotes)"},
      {"[1,\n -inf]", "f:2: '-inf' is not a number"},
      {"[\n1e999 ]", "f:2: the number '1e999' is too large (largest: 1.7e308)"},
      {"{ \"a\": \"x\n y\" }", "f:1: a text is not closed on its line (every text starts and ends with \")"},
      {"[\"a\\q\"]", "f:1: a text has an invalid escape: '\"a\\q\"' (write \\\\ for a backslash)"},
      {"[\"\xff\"]", "f:1: a text is not valid UTF-8 (save the file as UTF-8)"},
      {"{ \"a\": [1,\n 2\n", "f:2: the file ends too early (the bracket of line 1 is still open)"},
      {"{}\n}", "f:2: found '}' after the end of the scene (a closing bracket too many?)"},
      {"{}\n /* never", "f:2: a comment is not closed or begins with a single / (write // ... or /* ... */)"},
      {"{}\n\0{}"sv, "f:2: this is not a text file: it contains a NUL byte"},
  };
  for (const Case& c : cases) EXPECT_EQ(error_of(c.text), c.error) << c.text;
}

TEST(JsonDocument, LimitsTheDepth) {
  EXPECT_EQ(error_of(std::string(64, '[') + std::string(64, ']')), "no error");
  EXPECT_EQ(error_of(std::string(65, '[') + std::string(65, ']')),
            "f:1: brackets are nested too deeply (at most 64 levels)");
  EXPECT_EQ(error_of(std::string(1000000, '[')), "f:1: brackets are nested too deeply (at most 64 levels)");
}

/// Looking for repeated keys must not be quadratic in their number.
TEST(JsonDocument, ManyKeysAreNoTrap) {
  std::string text = "{";
  for (int i = 0; i < 300000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(error_of(text + "\"7\":0}"), "f:1: the key '7' is given twice (first on line 1)");
}

TEST(JsonDocument, RefusesWhatIsNoReadableFile) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "limber_json_document_test";
  fs::create_directories(folder);
  EXPECT_EQ(read_json((folder / "absent.json").string()).error().message, "there is no such file");
  EXPECT_EQ(read_json(folder.string()).error().message, "this is a folder, not a scene file");
  EXPECT_EQ(read_json("/dev/null").error().message, "this is not an ordinary file");
  const fs::path empty = folder / "empty.json";
  std::ofstream(empty).close();
  EXPECT_EQ(read_json(empty.string()).error().message, "the file is empty");
  std::ofstream(folder / "bunny.txt") << "# made by a scanner\n\nv 0 0 0\n";
  EXPECT_EQ(read_json((folder / "bunny.txt").string()).error().message,
            "this is a Wavefront OBJ, not a scene");
  fs::resize_file(empty, (std::uintmax_t{16} << 20) + 1);
  EXPECT_EQ(read_json(empty.string()).error().message, "the file is too large for a scene");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace limber::json_document_test
