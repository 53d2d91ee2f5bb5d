#include "app/record/png_writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>

namespace limber::png_writer_test {
namespace {
namespace fs = std::filesystem;

class PngWriter : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const { return std::size_t(std::distance(fs::directory_iterator(folder_), {})); }

  static Image pattern(int width, int height) {
    Image image{width, height, {}};
    for (int i = 0; i < 3 * width * height; ++i) image.rgb.push_back(std::uint8_t(i * 7 + i / 251));
    return image;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("limber_png_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(PngWriter, WhatIsWrittenIsRead) {
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {257, 64}, {1280, 720}}) {
    const Image image = pattern(width, height);
    const auto written = write_png(image, path("a.png"));
    ASSERT_TRUE(written) << written.error().text();
    int w = 0, h = 0, channels = 0;
    std::uint8_t* pixels = stbi_load(path("a.png").c_str(), &w, &h, &channels, 0);
    ASSERT_NE(pixels, nullptr) << stbi_failure_reason();
    EXPECT_EQ(w, width);
    EXPECT_EQ(h, height);
    ASSERT_EQ(channels, 3);
    EXPECT_TRUE(std::equal(image.rgb.begin(), image.rgb.end(), pixels));
    stbi_image_free(pixels);
  }
  EXPECT_EQ(files(), 1u) << "a temporary file stayed behind";
}

TEST_F(PngWriter, RefusesWithAReason) {
  const Image image = pattern(4, 4);
  const auto extension = write_png(image, path("a.jpg"));
  ASSERT_FALSE(extension);
  EXPECT_NE(extension.error().text().find(".png"), std::string::npos);
  EXPECT_FALSE(write_png(image, ""));

  const auto folder = write_png(image, path("no/such/a.png"));
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().text().find("no/such"), std::string::npos) << folder.error().text();
  EXPECT_FALSE(check_png_path(path("no/such/a.png")));

  fs::create_directory(folder_ / "b.png");
  EXPECT_FALSE(write_png(image, path("b.png")));
  EXPECT_FALSE(write_png(Image{}, path("c.png")));
  EXPECT_FALSE(write_png(Image{4, 4, {1, 2, 3}}, path("c.png")));
  EXPECT_TRUE(check_png_path(path("c.PNG")));
  EXPECT_EQ(files(), 1u) << "only the folder made above";
}

TEST_F(PngWriter, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  fs::create_symlink("/dev/full", folder_ / "full.png");
  const auto written = write_png(pattern(200, 200), path("full.png"));
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().text().find("full"), std::string::npos) << written.error().text();
}

}  // namespace
}  // namespace limber::png_writer_test
