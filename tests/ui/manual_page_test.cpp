#include "app/ui/widgets/manual_page.hpp"
#include "tests/source_folder.hpp"

#include <gtest/gtest.h>

namespace limber::ui {
namespace {

using Kind = ManualBlock::Kind;

TEST(ManualPage, HasTheBlocksOfItsMarkdown) {
  const ManualPage page = parse_manual_page(
      "# A page\nTwo lines\nof `words`.\n\n1. **First** and\n   more.\n2. Second.\n\n| a | b |\n|---|---|\n"
      "| 1 \\| 2 | [there](to.md) |\n| 3 |\n![left out](x.png)\n```\nlimber  run\n\n# no heading\n```\n## "
      "Next\n",
      "page.md");
  EXPECT_EQ(page.title, "A page");
  const auto& blocks = page.blocks;
  ASSERT_EQ(blocks.size(), 7u);
  EXPECT_EQ(blocks[1].text, "Two lines of words.");
  EXPECT_EQ(blocks[2].kind, Kind::bullet);
  EXPECT_EQ(blocks[2].text, "First and more.");
  EXPECT_EQ(blocks[3].text, "Second.");
  ASSERT_EQ(blocks[4].kind, Kind::table);
  EXPECT_EQ(blocks[4].rows,
            (std::vector<std::vector<std::string>>{{"a", "b"}, {"1 | 2", "there"}, {"3", ""}}));
  EXPECT_EQ(blocks[5].kind, Kind::code);
  EXPECT_EQ(blocks[5].text, "limber  run\n\n# no heading");
  EXPECT_EQ(blocks[6].level, 2);
}

TEST(ManualPage, KeepsTextThatOnlyLooksLikeMarkup) {
  EXPECT_EQ(without_markup("a[3] and (4), 2 * 3"), "a[3] and (4), 2 * 3");
  EXPECT_EQ(without_markup("[open"), "[open");
  EXPECT_EQ(without_markup("`.` goes on, `,` back"), "'.' goes on, ',' back");
  EXPECT_EQ(parse_manual_page("", "empty.md").title, "empty.md");
}

TEST(Manual, BeginsWithFirstStepsAndIsSearched) {
  const auto pages = read_manual(test::source("assets/manual"));
  ASSERT_TRUE(pages) << pages.error().text();
  EXPECT_EQ(pages->front().file, "first_steps.md");
  EXPECT_GE(pages->size(), 9u);
  const auto hits = search_manual(*pages, "  COMPLIANCE_FLOOR");
  const auto more = search_manual(*pages, "stretch_compliance");
  EXPECT_GT(more.size(), hits.size());
  for (const ManualHit& hit : more) EXPECT_NE(hit.line.find("stretch_compliance"), std::string::npos);
  const auto row = search_manual({parse_manual_page("| | |\n|---|---|\n| a | b |\n| c | d |", "t.md")}, "D");
  ASSERT_EQ(row.size(), 1u);
  EXPECT_EQ(row[0].line, "c  d");
  EXPECT_TRUE(search_manual(*pages, "   ").empty());
  EXPECT_FALSE(read_manual(test::source("shaders")));
}

TEST(ManualPage, LinksLeadToPagesAndHeadings) {
  const std::vector<ManualPage> pages{
      parse_manual_page("# One\nSee [two](two.md#the-second-part), [here](#one), [far](https://a.b/c.md),\n"
                        "[a picture](../p/x.md) and [nowhere](no.md).",
                        "one.md"),
      parse_manual_page("# Two\ntext\n## The second part\nmore", "two.md")};
  const std::vector<ManualLink>& links = pages[0].blocks[1].links;
  ASSERT_EQ(links.size(), 3u);
  const auto second = follow(links[0], pages, 0);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->page, 1u);
  EXPECT_EQ(pages[1].blocks[second->block].text, "The second part");
  const auto here = follow(links[1], pages, 0);
  ASSERT_TRUE(here);
  EXPECT_EQ(here->page, 0u);
  EXPECT_EQ(here->block, 0u);
  EXPECT_FALSE(follow(links[2], pages, 0));
}

}  // namespace
}  // namespace limber::ui
