#include "app/sim/runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace limber {
namespace {

constexpr double kIdleWait = 0.25;  // s; nothing is due while paused, requests wake the thread

}  // namespace

Runner::Runner(const RunOptions& options, RunObserver observer)
    : live_(options, std::move(observer)), last_(Clock::now()), thread_([this] { work(); }) {}

Runner::~Runner() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Runner::load(std::string name, Loader loader) { ask(Load{std::move(name), std::move(loader)}); }
void Runner::reload(std::function<std::optional<SceneReload>()> loader) { ask(Reload{std::move(loader)}); }
void Runner::show(HeatMap map) { ask(map); }
void Runner::show(Overlay overlay) { ask(overlay); }
void Runner::wait_for_pictures(bool wait) { ask(wait ? Control::await_pictures : Control::no_pictures); }
void Runner::picture_taken() { ask(Control::picture_taken); }
void Runner::save_input(std::function<Expected<std::string>(const InputRecording&)> save) {
  ask(SaveInput{std::move(save)});
}
void Runner::set_speed(double speed) { ask(SetSpeed{speed}); }
void Runner::set_threads(int threads) { ask(SetThreads{threads}); }
void Runner::toggle_running() { ask(Control::toggle_running); }
void Runner::step_once() { ask(Control::step_once); }
void Runner::step_back() { ask(Control::step_back); }
void Runner::restart() { ask(Control::restart); }
void Runner::restart_as_opened() { ask(Control::restart_as_opened); }
void Runner::edit(SetValue change) { ask(std::move(change)); }
void Runner::interact(Command command, std::uint64_t model_version) {
  ask(Interact{std::move(command), model_version});
}

void Runner::ask(Request request) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  wake_.notify_one();
}

std::vector<Message> Runner::take_messages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

void Runner::work() {
  std::vector<Request> requests;
  while (wait_for_requests(requests)) {
    // Nothing below throws on purpose; running out of memory does, and must not cross the thread.
    try {
      serve(requests);
    } catch (const std::exception& failure) {
      live_.fail(failure.what());
      publish();
    }
    requests.clear();
  }
  live_.close();
}

/// Sleeps until there is something to do and takes all requests. False: all is done and it is time to end.
bool Runner::wait_for_requests(std::vector<Request>& requests) {
  const std::chrono::duration<double> wait(std::min(live_.until_due(), kIdleWait));
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, last_ + std::chrono::duration_cast<Clock::duration>(wait),
                   [this] { return stopping_ || !requests_.empty(); });
  std::swap(requests, requests_);
  return !stopping_ || !requests.empty();
}

void Runner::serve(std::vector<Request>& requests) {
  for (Request& request : requests) handle(request);
  const auto now = Clock::now();
  const bool stepped = live_.advance(std::chrono::duration<double>(now - last_).count());
  last_ = now;
  if (stepped || !requests.empty()) publish();
}

void Runner::handle(Request& request) {
  if (auto* load = std::get_if<Load>(&request)) {
    announce_building(load->name);
    Expected<SceneDesc> scene = load->loader();
    if (scene) scene->progress = announce_progress(load->name);
    live_.open(std::move(scene));
    publish();  // the first frame may take long
  } else if (auto* reload = std::get_if<Reload>(&request)) {
    auto changed = reload->loader();
    if (!changed) return;
    if (changed->scene) changed->scene->progress = announce_progress(changed->scene->name);
    live_.reload(std::move(*changed));
  } else if (auto* map = std::get_if<HeatMap>(&request)) {
    live_.show(*map);
  } else if (auto* overlay = std::get_if<Overlay>(&request)) {
    live_.show(*overlay);
  } else if (auto* pace = std::get_if<SetSpeed>(&request)) {
    live_.set_speed(pace->speed);
  } else if (auto* input = std::get_if<SaveInput>(&request)) {
    live_.save_input(input->save);
  } else if (auto* change = std::get_if<SetThreads>(&request)) {
    live_.set_threads(change->threads);
  } else if (auto* interact = std::get_if<Interact>(&request)) {
    live_.interact(interact->command, interact->model_version);
  } else if (auto* edit = std::get_if<SetValue>(&request)) {
    live_.edit(*edit);
  } else {
    control(std::get<Control>(request));
  }
}

void Runner::control(Control what) {
  switch (what) {
    case Control::toggle_running:
      return live_.toggle_running();
    case Control::step_once:
      return live_.step_once();
    case Control::step_back:
      return live_.step_back();
    case Control::restart:
      return live_.restart();
    case Control::restart_as_opened:
      return live_.restart_as_opened();
    case Control::await_pictures:
      return live_.wait_for_pictures(true);
    case Control::picture_taken:
      return live_.picture_taken();
    case Control::no_pictures:
      return live_.wait_for_pictures(false);
  }
}

void Runner::announce_building(const std::string& name, const std::string& part, double progress) {
  live_.publish(latest_.back());
  RunStatus& status = latest_.back().status;
  status.state = RunState::building;
  status.name = name;
  status.part = part;
  status.progress = progress;
  latest_.publish();
}

/// For SceneDesc::progress, called on the runner's thread in the middle of a build; ten times a second is
/// enough.
std::function<void(const std::string&, double)> Runner::announce_progress(const std::string& name) {
  return [this, name, last = Clock::time_point()](const std::string& part, double share) mutable {
    const auto now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    announce_building(name, part, share);
  };
}

void Runner::publish() {
  live_.publish(latest_.back());
  latest_.publish();
  auto fresh = live_.take_messages();
  if (fresh.empty()) return;
  const std::lock_guard lock(mutex_);
  messages_.insert(messages_.end(), std::make_move_iterator(fresh.begin()),
                   std::make_move_iterator(fresh.end()));
}

}  // namespace limber
