#include "app/render/headless_context.hpp"

#if __has_include(<EGL/egl.h>) && __has_include(<dlfcn.h>)
#define LIMBER_HAS_EGL 1
#define EGL_NO_X11  // the X headers define None, Bool, Status ...
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#endif

#include <vector>

namespace limber {

#if defined(LIMBER_HAS_EGL)
namespace {

const char* const install_hint = "install libegl1 and libgl1-mesa-dri, or run where there is a display";

}  // namespace

/// The EGL functions, loaded at run time: linking EGL would make the whole program depend on it.
struct Egl {
  void* library = nullptr;
  decltype(&eglGetProcAddress) get_proc = nullptr;
  decltype(&eglQueryString) query_string = nullptr;
  decltype(&eglInitialize) initialize = nullptr;
  decltype(&eglTerminate) terminate = nullptr;
  decltype(&eglGetDisplay) get_display = nullptr;
  decltype(&eglBindAPI) bind_api = nullptr;
  decltype(&eglChooseConfig) choose_config = nullptr;
  decltype(&eglCreateContext) create_context = nullptr;
  decltype(&eglDestroyContext) destroy_context = nullptr;
  decltype(&eglCreatePbufferSurface) create_pbuffer = nullptr;
  decltype(&eglDestroySurface) destroy_surface = nullptr;
  decltype(&eglMakeCurrent) make_current = nullptr;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = nullptr;  // an extension: may be missing
  PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;               // an extension: may be missing

  bool open() {
    for (const char* name : {"libEGL.so.1", "libEGL.so"}) {
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) return false;
    const bool complete =
        find(get_proc, "eglGetProcAddress") && find(query_string, "eglQueryString") &&
        find(initialize, "eglInitialize") && find(terminate, "eglTerminate") &&
        find(get_display, "eglGetDisplay") && find(bind_api, "eglBindAPI") &&
        find(choose_config, "eglChooseConfig") && find(create_context, "eglCreateContext") &&
        find(destroy_context, "eglDestroyContext") && find(create_pbuffer, "eglCreatePbufferSurface") &&
        find(destroy_surface, "eglDestroySurface") && find(make_current, "eglMakeCurrent");
    if (!complete) return false;
    get_platform_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(get_proc("eglGetPlatformDisplayEXT"));
    query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(get_proc("eglQueryDevicesEXT"));
    return true;
  }

  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }
};

namespace {

/// The displays to try, in order. None is initialised yet.
std::vector<EGLDisplay> candidate_displays(const Egl& egl) {
  std::vector<EGLDisplay> displays;
  if (egl.get_platform_display != nullptr) {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (egl.query_devices != nullptr && egl.query_devices(16, devices, &count) == EGL_TRUE) {
      for (EGLint i = 0; i < count; ++i) {
        displays.push_back(egl.get_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
      }
    }
    displays.push_back(egl.get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  }
  displays.push_back(egl.get_display(EGL_DEFAULT_DISPLAY));
  std::erase(displays, EGL_NO_DISPLAY);
  return displays;
}

}  // namespace

struct HeadlessContext::Implementation {
  Egl egl;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;

  /// Makes a context on this display current. On failure releases everything and returns false.
  bool start(EGLDisplay on) {
    display = on;
    if (egl.initialize(display, nullptr, nullptr) != EGL_TRUE) {
      display = EGL_NO_DISPLAY;
      return false;
    }
    if (make_context() && make_current()) return true;
    stop();
    return false;
  }

  void stop() {
    if (display == EGL_NO_DISPLAY) return;
    egl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface != EGL_NO_SURFACE) egl.destroy_surface(display, surface);
    if (context != EGL_NO_CONTEXT) egl.destroy_context(display, context);
    egl.terminate(display);
    display = EGL_NO_DISPLAY;
    context = EGL_NO_CONTEXT;
    surface = EGL_NO_SURFACE;
  }

 private:
  EGLConfig config_ = nullptr;

  bool make_context() {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    EGLint found = 0;
    if (egl.bind_api(EGL_OPENGL_API) != EGL_TRUE) return false;
    if (egl.choose_config(display, wanted, &config_, 1, &found) != EGL_TRUE || found < 1) return false;
    context = egl.create_context(display, config_, EGL_NO_CONTEXT, version);
    return context != EGL_NO_CONTEXT;
  }

  /// Makes the context current, without a surface if the driver supports that, else with a surface of one
  /// pixel. Pictures are drawn into framebuffers of our own.
  bool make_current() {
    if (egl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) return true;
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    surface = egl.create_pbuffer(display, config_, size);
    return surface != EGL_NO_SURFACE && egl.make_current(display, surface, surface, context) == EGL_TRUE;
  }
};

Expected<std::unique_ptr<HeadlessContext>> HeadlessContext::create() {
  auto implementation = std::make_unique<Implementation>();
  if (!implementation->egl.open()) {
    return Error{"cannot draw without a display: there is no EGL library", "", 0, install_hint};
  }
  for (EGLDisplay display : candidate_displays(implementation->egl)) {
    if (implementation->start(display)) {
      return std::unique_ptr<HeadlessContext>(new HeadlessContext(std::move(implementation)));
    }
  }
  return Error{"cannot draw without a display: no EGL device offers OpenGL 3.3", "", 0, install_hint};
}

// The library stays open, because drivers keep threads and exit handlers in it.
HeadlessContext::~HeadlessContext() {
  if (implementation_) implementation_->stop();
}

Renderer::LoadProc HeadlessContext::load() const { return implementation_->egl.get_proc; }

#else

struct HeadlessContext::Implementation {};

Expected<std::unique_ptr<HeadlessContext>> HeadlessContext::create() {
  return Error{"cannot draw without a display: this build has no EGL", "", 0, "run where there is a display"};
}
HeadlessContext::~HeadlessContext() = default;
Renderer::LoadProc HeadlessContext::load() const { return nullptr; }

#endif

HeadlessContext::HeadlessContext(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}

}  // namespace limber
