#include "app/shell/input_file.hpp"

#include <cstdio>

#include "app/record/picture_folder.hpp"

namespace limber {
namespace {

/// Writes the recording into the file that was reserved for it.
Expected<std::string> write_reserved(const InputRecording& recording, const Expected<std::string>& path) {
  if (!path) return path;
  auto file = OutputFile::create(*path, "input recording");
  Expected<void> done = file ? Expected<void>() : Expected<void>(file.error());
  if (file) {
    file->write(to_json(recording));
    done = file->commit();
  }
  if (done) return path;
  std::remove(path->c_str());  // contains only the reserved name
  return done.error();
}

}  // namespace

Expected<std::string> save_input_recording(const InputRecording& recording) {
  return write_reserved(recording, reserve_file(recording.scene + "_input", ".json"));
}

Expected<std::unique_ptr<SessionInput>> SessionInput::create(const std::string& path) {
  auto file = OutputFile::create(path, "--record-input");
  if (!file) return file.error();
  return std::unique_ptr<SessionInput>(new SessionInput(path, std::move(*file)));
}

void SessionInput::keep(const Expected<InputRecording>& recording) {
  kept_ = recording ? Expected<void>() : Expected<void>(recording.error());
  if (recording) file_.write(to_json(*recording));
}

Expected<std::string> SessionInput::keep_beside(const InputRecording& recording) {
  return write_reserved(recording, reserve_beside(path_, recording.scene));
}

Expected<void> SessionInput::finish() { return kept_ ? file_.commit() : kept_; }

}  // namespace limber
