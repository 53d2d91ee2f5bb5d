// Plays a recording in a Session.
#include <string>
#include <utility>

#include "app/lab/session.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

void Session::play(std::shared_ptr<const InputRecording> recording) {
  replay_.reset();
  if (!recording) return;
  replay_ = Replay{std::move(recording), 0};
  say(Message::Severity::info, "Plays what was done to " + replay_->recording->scene +
                                   ". Any input of yours ends the replay, and the scene is yours.");
}

/// Submits the inputs that precede the present frame. False if the recording has ended, so that no frame
/// follows.
bool Session::feed_replay() {
  if (!replay_) return true;
  Simulation& simulation = first().simulation();
  const InputRecording& recording = *replay_->recording;
  for (; replay_->next < recording.inputs.size(); ++replay_->next) {
    const RecordedInput& input = recording.inputs[replay_->next];
    if (input.frame > simulation.frame()) break;
    if (auto done = submit(first(), input.command); !done) {
      report_error("The recording ends here, before frame " + std::to_string(input.frame + 1) + ": " +
                   done.error().text());
      replay_.reset();
      pause();
      return false;
    }
    inputs_.add(input.command, simulation.frame());
    if (std::holds_alternative<SetValue>(input.command)) first().refresh_scene();
  }
  if (simulation.frame() < recording.frames) return true;
  end_replay();
  return false;
}

/// Ends a recording at its last frame, and reports whether the state hash equals the recorded one.
void Session::end_replay() {
  const InputRecording& recording = *replay_->recording;
  if (recording.state_hash == 0) {
    say(Message::Severity::info,
        "The recording ends here, after " + std::to_string(recording.frames) + " frames.");
    replay_.reset();
    return pause();
  }
  const bool same = first().simulation().state_hash() == recording.state_hash;
  say(same ? Message::Severity::info : Message::Severity::warning,
      "The recording ends here, after " + std::to_string(recording.frames) + " frames, " +
          (same ? "in the very state that was recorded." : "in another state than the recorded one."));
  replay_.reset();
  pause();
}

/// Ends the recording because the user acts on the scene. Releases what the recording holds and drops its
/// remaining inputs.
void Session::take_over() {
  if (!replay_) return;
  replay_.reset();
  Simulation& simulation = first().simulation();
  const bool holds = simulation.held().vertex || simulation.held().body_point;
  if (holds && simulation.submit(ReleaseGrab{false})) inputs_.add(ReleaseGrab{false}, simulation.frame());
  say(Message::Severity::info, "The scene is yours: the recording is not played any further.");
}

}  // namespace limber
