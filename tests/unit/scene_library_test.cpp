// The list of scenes in folders, and the folder of the program's data.
#include "engine/scene/file/scene_library.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/scene/file/scene_desc.hpp"
#include "tests/source_folder.hpp"

namespace limber::scene_library_test {
namespace {

const std::string source = test::source("");

class LibraryFolder : public testing::Test {
 protected:
  LibraryFolder() { std::filesystem::create_directories(folder_ / "deeper"); }
  ~LibraryFolder() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  /// A folder per test, because tests run side by side.
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("limber_library_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(LibraryFolder, ListsBrokenFilesWithTheirError) {
  write("b.json", R"({"format": 1, "group": "Z", "objects": {"a": {}}})");
  write("deeper/a.json", R"({"format": 1, "group": "Z", "objects": {"a": {}}})");
  write("c.json", R"({"format": 1, "group": "A", "objects": {"a": {}}})");
  write("broken.json", "{\n\"format\": 1,\n\"obects\": {} }");
  write("notes.txt", "no scene");
  const SceneLibrary library({folder_.string(), "/no/such/folder"}, "");
  std::vector<std::string> names;
  for (const SceneEntry& entry : library.scenes()) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"c", "a", "b", "broken"}));
  ASSERT_TRUE(library.scenes()[3].error);
  EXPECT_EQ(library.scenes()[3].error->line, 3);
  EXPECT_EQ(library.find("broken").error().hint, "did you mean 'objects'?");
  EXPECT_EQ(library.find("brokn").error().text(), "there is no scene 'brokn' (did you mean 'broken'?)");
  EXPECT_TRUE(library.find((folder_ / "b.json").string()));
  EXPECT_EQ(library.find("absent.json").error().text(), "absent.json: there is no such file");
  EXPECT_FALSE(library.find(""));
}

TEST_F(LibraryFolder, ALaterFolderReplacesAnEarlierOne) {
  write("a.json", R"({"format": 1, "title": "shipped", "objects": {"a": {}}})");
  write("deeper/a.json", R"({"format": 1, "title": "mine", "objects": {"a": {}}})");
  const SceneLibrary library({folder_.string(), (folder_ / "deeper").string()}, "");
  ASSERT_EQ(library.scenes().size(), 1u);
  EXPECT_EQ(library.find("a")->title, "mine");
  EXPECT_EQ(library.scenes()[0].instead_of, (folder_ / "a.json").string());
}

TEST_F(LibraryFolder, FindsTheDataFolder) {
  for (const char* data : {"scenes", "shaders"})
    std::filesystem::create_directories(folder_ / "share/limber" / data);
  EXPECT_EQ(find_data_folder((folder_ / "bin").string(), "").value(), (folder_ / "share/limber").string());
  EXPECT_EQ(find_data_folder("/no/such/folder", source).value(), source);
  EXPECT_FALSE(find_data_folder("/no/such/folder", ""));
}

/// A source tree and its build tree that were copied elsewhere as a whole.
TEST_F(LibraryFolder, ACopiedTreeUsesItsOwnData) {
  for (const char* data : {"scenes", "shaders"}) std::filesystem::create_directories(folder_ / data);
  for (const char* build : {"build", "build/release"})
    EXPECT_EQ(find_data_folder((folder_ / build).string(), source).value(), folder_.string()) << build;
  std::filesystem::remove(folder_ / "shaders");  // somebody else's scenes
  EXPECT_EQ(find_data_folder((folder_ / "build/release").string(), source).value(), source);
}

}  // namespace
}  // namespace limber::scene_library_test
