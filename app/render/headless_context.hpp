// An OpenGL context without window or display, through EGL.
#pragma once

#include <memory>
#include <string>

#include "app/render/renderer.hpp"
#include "engine/core/expected.hpp"

namespace limber {

/// An OpenGL 3.3 core context, current on the calling thread. Must be destroyed on the same thread. EGL is
/// loaded at run time, so the program starts without it.
class HeadlessContext {
 public:
  /// Tries every EGL device in the driver's order (the software renderer is the last), then Mesa's
  /// surfaceless platform, then the default display. Fails if EGL is missing or no display has GL 3.3.
  static Expected<std::unique_ptr<HeadlessContext>> create();
  ~HeadlessContext();

  /// The function loader for Renderer::create.
  Renderer::LoadProc load() const;

 private:
  struct Implementation;
  explicit HeadlessContext(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber
