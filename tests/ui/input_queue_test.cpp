// Batches of input events: clicks shorter than a frame and drags faster than one are not lost.
#include <gtest/gtest.h>

#include "app/shell/input.hpp"

namespace limber::input_queue_test {
namespace {

TEST(InputQueue, AButtonKeepsThePositionItWasPressedAt) {
  InputQueue queue;
  queue.push(CursorMoved{{10, 20}});
  queue.push(ButtonChanged{0, true, 0, {}});
  queue.push(CursorMoved{{500, 600}});
  const auto first = queue.next_batch();
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(std::get<ButtonChanged>(first[1]).position, glm::vec2(10, 20));
  const auto second = queue.next_batch();
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(std::get<CursorMoved>(second[0]).position, glm::vec2(500, 600));
  EXPECT_TRUE(queue.empty());
}

TEST(InputQueue, PressAndReleaseReachDifferentFrames) {
  InputQueue queue;
  queue.push(ButtonChanged{0, true, 0, {}});
  queue.push(ButtonChanged{0, false, 0, {}});
  EXPECT_EQ(queue.next_batch().size(), 1u);
  EXPECT_EQ(queue.next_batch().size(), 1u);
  EXPECT_TRUE(queue.next_batch().empty());
}

TEST(InputQueue, ABatchEndsBehindAKeyThatMayOpenADialog) {
  InputQueue queue;
  queue.push(KeyChanged{80, 0, 1, 2});
  queue.push(KeyChanged{82, 0, 1, 0});
  EXPECT_EQ(queue.next_batch().size(), 1u);
  EXPECT_EQ(queue.next_batch().size(), 1u);
}

TEST(InputQueue, AKeyChangesOncePerBatchAndOtherKeysShareIt) {
  InputQueue queue;
  for (int key : {65, 66}) {
    queue.push(KeyChanged{key, 0, 1, 0});
    queue.push(CharacterTyped{unsigned(key)});
  }
  queue.push(KeyChanged{65, 0, 0, 0});
  EXPECT_EQ(queue.next_batch().size(), 4u);
  EXPECT_EQ(queue.next_batch().size(), 1u);
}

TEST(InputQueue, MovesShareABatch) {
  InputQueue queue;
  for (int i = 0; i < 50; ++i) queue.push(CursorMoved{{i, i}});
  EXPECT_EQ(queue.next_batch().size(), 50u);
}

}  // namespace
}  // namespace limber::input_queue_test
