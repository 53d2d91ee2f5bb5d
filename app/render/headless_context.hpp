// An OpenGL context without window or display, through EGL.
#pragma once

#include <memory>
#include <string>

#include "app/render/renderer.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// A current OpenGL 3.3 core context on the calling thread; destroyed (and no longer current) with its
/// owner, on the same thread. EGL is opened at run time, so the program starts without it.
class HeadlessContext {
 public:
  /// Tries every EGL device in the driver's order (the software renderer is the last), then Mesa's
  /// surfaceless platform, then the default display. Fails when EGL is missing or none of them has GL 3.3.
  static Expected<std::unique_ptr<HeadlessContext>> create();
  ~HeadlessContext();

  /// For Renderer::create.
  Renderer::LoadProc load() const;

 private:
  struct Implementation;
  explicit HeadlessContext(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber
