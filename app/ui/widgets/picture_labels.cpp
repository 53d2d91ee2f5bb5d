#include "app/ui/widgets/picture_labels.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/ui/widgets/variant_labels.hpp"

namespace limber {
namespace {

void render(ImDrawList& list, ImVec2 size) {
  ImDrawData data;
  data.Clear();
  data.Valid = true;
  data.CmdListsCount = 1;
#if IMGUI_VERSION_NUM < 18980
  ImDrawList* lists[] = {&list};
  data.CmdLists = lists;
#else
  data.CmdLists.push_back(&list);
#endif
  data.TotalVtxCount = list.VtxBuffer.Size;
  data.TotalIdxCount = list.IdxBuffer.Size;
  data.DisplaySize = size;
  data.FramebufferScale = {1.0f, 1.0f};
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace

void draw_picture_labels(glm::ivec2 pixels, const Publications& shown) {
  if (shown.variants.size() < 2) return;
  const ImVec2 size{float(pixels.x), float(pixels.y)};
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
#if IMGUI_VERSION_NUM < 19200
  list.PushTextureID(ImGui::GetIO().Fonts->TexID);
#else
  list.PushTexture(ImGui::GetIO().Fonts->TexRef);
#endif
  list.PushClipRect({0.0f, 0.0f}, size);
  ui::variant_labels(list, ui::view_cells({{0.0f, 0.0f}, size}, shown.variants.size()), shown,
                     shown.variants.size());
  render(list, size);
}

}  // namespace limber
