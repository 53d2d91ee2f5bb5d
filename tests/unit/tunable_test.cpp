#include "engine/core/tunable.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace limber::tunable_test {
namespace {

enum class Colour : int { red, green, blue };
constexpr std::array<std::string_view, 3> colour_names{"red", "green", "blue"};

struct Sample {
  bool on = true;
  int count = 3;
  double length = 0.25;
  glm::dvec3 push{0.0, -9.81, 0.1};
  Colour colour = Colour::green;
  std::string label = "a b";
};

constexpr std::array table{
    boolean<&Sample::on>("on", "On", "."),
    integer<&Sample::count>({"count", "Count", "", 1, 10, "."}),
    number<&Sample::length>({"length", "Length", "m", 0, 1, "."}),
    vector<&Sample::push>({"push", "Push", "N", -10, 10, "."}),
    choice<&Sample::colour>("colour", "Colour", colour_names, "."),
    text<&Sample::label>("label", "Label", "."),
};

TEST(Tunable, EveryKindSurvivesTextAndBack) {
  const Sample original;
  for (const Field& field : table) {
    Sample copy;
    copy.on = false, copy.count = 1, copy.length = 1, copy.push = {}, copy.colour = Colour::red,
    copy.label = "";
    const Value before = get(field, &original);
    ASSERT_NE(before, get(field, &copy)) << field.name;
    const Expected<Value> parsed = parse(field, to_text(before));
    ASSERT_TRUE(parsed) << parsed.error().text();
    const Expected<void> done = set(field, &copy, *parsed);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(get(field, &copy), before) << field.name;
  }
}

TEST(Tunable, ARefusedValueChangesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  struct Bad {
    int row;
    Value value;
    const char* message;
  };
  const Bad cases[] = {
      {0, 1L, "'on' must be true or false, not the number 1"},
      {1, 0L, "'count' = 0 is out of range (1 to 10)"},
      {1, 11L, "'count' = 11 is out of range (1 to 10)"},
      {1, 2.5, "'count' must be a whole number, not the number 2.5 (1 to 10)"},
      {1, nan, "'count' must be finite (1 to 10)"},
      {1, std::string("3"), "'count' must be a whole number, not the text '3' (1 to 10)"},
      {2, 1.5, "'length' = 1.5 is out of range (0 to 1 m)"},
      {2, nan, "'length' must be finite (0 to 1 m)"},
      {2, inf, "'length' must be finite (0 to 1 m)"},
      {2, true, "'length' must be a number, not true (0 to 1 m)"},
      {3, glm::dvec3(0, 11, 0), "'push' = 0,11,0 is out of range (-10 to 10 N)"},
      {3, glm::dvec3(0, nan, 0), "'push' must be finite (-10 to 10 N)"},
      {3, 1.0, "'push' must be three numbers, not the number 1 (-10 to 10 N)"},
      {4, std::string("gren"), "'colour' cannot be 'gren' (did you mean 'green'?)"},
      {4, std::string("purple"), "'colour' cannot be 'purple' (valid names: red, green, blue)"},
      {5, false, "'label' must be a text, not false"},
  };
  for (const Bad& bad : cases) {
    Sample sample;
    const Field& field = table[static_cast<std::size_t>(bad.row)];
    const Value before = get(field, &sample);
    const Expected<void> done = set(field, &sample, bad.value);
    ASSERT_FALSE(done) << bad.message;
    EXPECT_EQ(done.error().text(), bad.message);
    EXPECT_EQ(get(field, &sample), before) << bad.message;
  }
}

TEST(Tunable, WholeNumbersConvertBothWays) {
  Sample sample;
  EXPECT_TRUE(set(table[2], &sample, Value(1L)));
  EXPECT_EQ(sample.length, 1.0);
  EXPECT_TRUE(set(table[1], &sample, Value(7.0)));
  EXPECT_EQ(sample.count, 7);
}

TEST(Tunable, GarbledTextIsRefused) {
  struct Bad {
    int row;
    const char* text;
  };
  const Bad cases[] = {{0, "yes"},   {0, ""},    {1, "3x"},      {1, ""},     {1, "2.5"},  {2, "0,5"},
                       {2, "0.5 m"}, {3, "1,2"}, {3, "1,2,3,4"}, {3, "1,,3"}, {3, "a,b,c"}};
  for (const Bad& bad : cases)
    EXPECT_FALSE(parse(table[static_cast<std::size_t>(bad.row)], bad.text)) << bad.text;
  EXPECT_EQ(*parse(table[3], " 0, -9.81 ,1e-3 "), Value(glm::dvec3(0, -9.81, 1e-3)));
}

/// The error for a number of any size names the range.
TEST(Tunable, NumbersTooLargeForTheirTypeAreOutOfRange) {
  const auto said = [](int row, const char* text) {
    Sample sample;
    const Field& field = table[static_cast<std::size_t>(row)];
    const Expected<Value> value = parse(field, text);
    if (!value) return value.error().text();
    const Expected<void> done = set(field, &sample, *value);
    return done ? std::string("taken") : done.error().text();
  };
  EXPECT_EQ(said(1, "1e9"), "'count' = 1e+09 is out of range (1 to 10)");
  EXPECT_EQ(said(1, "1e400"), "'count' = 1e400 is out of range (1 to 10)");
  EXPECT_EQ(said(1, "99999999999999999999"), "'count' = 1e+20 is out of range (1 to 10)");
  EXPECT_EQ(said(1, "1e1"), "taken");
  EXPECT_EQ(said(2, "-1e400"), "'length' = -1e400 is out of range (0 to 1 m)");
  EXPECT_EQ(said(3, "0,1e400,0"), "'push' = 0,1e400,0 is out of range (-10 to 10 N)");
}

TEST(Tunable, NumbersAreWrittenInTheShortestExactForm) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(100000.0), "100000");
  EXPECT_EQ(to_text(1e-6), "1e-06");
  EXPECT_EQ(to_text(2.5e300), "2.5e+300");
  EXPECT_EQ(to_text(1.0 / 60.0), "0.016666666666666666");
  EXPECT_EQ(to_text(glm::dvec3(0, -9.81, 2)), "0,-9.81,2");
}

TEST(Tunable, NearestNameToleratesSlipsOnly) {
  constexpr std::array<std::string_view, 4> names{"substeps", "iterations", "dt", "stretch_compliance"};
  EXPECT_EQ(nearest_name("substep", names), "substeps");
  EXPECT_EQ(nearest_name("SubSteps", names), "substeps");
  EXPECT_EQ(nearest_name("iteratoins", names), "iterations");
  EXPECT_EQ(nearest_name("td", names), "dt");  // one swap
  EXPECT_EQ(nearest_name("strech_complience", names), "stretch_compliance");
  EXPECT_EQ(nearest_name("xy", names), "");
  EXPECT_EQ(nearest_name("gravity", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(1 << 24, 'a'), names), "");  // at once, not in 2^24 rows
  EXPECT_EQ(suggest("gravity", names), "valid names: substeps, iterations, dt, stretch_compliance");
}

/// A section, an ending or a family of names in common makes nothing alike.
TEST(Tunable, WhatNamesHaveInCommonByTheirKindIsNoLikeness) {
  const auto near = [](std::string_view word, std::string_view name) {
    return nearest_name(word, std::span(&name, 1)) == name;
  };
  EXPECT_FALSE(near("cat.obj", "bag.obj"));
  EXPECT_FALSE(near("objects.WRONG", "objects.cloth"));
  EXPECT_FALSE(near("--foo", "--fps"));
  EXPECT_FALSE(near("pile_boxes", "pile_meshes"));
  EXPECT_FALSE(near("object_strain.rope.max", "object_strain.flag.max"));
  EXPECT_FALSE(near("body_a", "body_b"));
  EXPECT_TRUE(near("bga.obj", "bag.obj"));
  EXPECT_TRUE(near("objects.clth", "objects.cloth"));
  EXPECT_TRUE(near("pile_mehses", "pile_meshes"));
  EXPECT_TRUE(near("PILE_MESHES", "pile_meshes"));
  EXPECT_TRUE(near("object_strain.flg.max", "object_strain.flag.max"));
}

TEST(Tunable, OfManyNamesTheNearestAreSaid) {
  std::vector<std::string> all;
  for (int i = 0; i < 100; ++i) all.push_back("something_else_" + std::to_string(i));
  all.insert(all.end(), {"cloth_hang", "large_cloth"});
  const std::vector<std::string_view> names(all.begin(), all.end());
  const std::string said = suggest("cloth", names);
  EXPECT_TRUE(said.starts_with("valid names: cloth_hang, large_cloth, ")) << said;
  EXPECT_TRUE(said.ends_with(" more")) << said;
  EXPECT_LT(said.size(), 180u) << said;
  EXPECT_TRUE(suggest("", names).starts_with("valid names: something_else_0, something_else_1, "));
}

}  // namespace
}  // namespace limber::tunable_test
