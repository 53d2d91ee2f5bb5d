#include "app/shell/first_scene.hpp"

#include <utility>

namespace limber {

Expected<FirstScene> read_first(std::function<Expected<SceneDesc>()> read,
                                std::chrono::milliseconds patience) {
  const FirstScene scene = std::async(std::launch::async, std::move(read));
  scene.wait_for(patience);
  if (has_failed(scene)) return scene.get().error();
  return scene;
}

bool has_failed(const FirstScene& scene) {
  return scene.wait_for(std::chrono::seconds(0)) == std::future_status::ready && !scene.get();
}

}  // namespace limber
