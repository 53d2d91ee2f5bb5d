#include "app/lab/runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <utility>
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"

namespace limber {
namespace {

constexpr double idle_wait = 0.25;  // s; longest sleep while paused; requests wake the thread
constexpr double patience = 0.4;    // s; longest time that a frame may delay a request
constexpr std::chrono::milliseconds double_click_time{500};  // a second click within it repeats the request

}  // namespace

Runner::Runner(const RunOptions& options, RunObserver observer, std::function<void()> news)
    : news_(std::move(news)),
      session_(options, std::move(observer), &watch_),
      last_(Clock::now()),
      thread_([this] { work(); }) {}

Runner::~Runner() {
  if (thread_.joinable()) finish(std::numeric_limits<double>::infinity());
}

bool Runner::finish(double seconds) {
  std::unique_lock lock(mutex_);
  stopping_ = impatient_ = true;
  wake_.notify_one();
  const auto began = Clock::now();
  while (!ended_.wait_for(lock, std::chrono::milliseconds(20), [this] { return done_; })) {
    if (watch_.seconds() > patience) watch_.cancel_frame(), watch_.cancel_build();
    const std::chrono::duration<double> passed = Clock::now() - began;
    if (passed.count() < seconds || !watch_.take_over()) continue;
    lock.unlock();
    thread_.detach();
    session_.close();  // the detached thread no longer touches the session
    return false;
  }
  lock.unlock();
  thread_.join();
  return true;
}

const Publications& Runner::latest() {
  if (watch_.seconds() > patience) {
    const std::lock_guard lock(mutex_);
    if (impatient_) watch_.cancel_frame();
  }
  return latest_.front();
}

Runner::Activity Runner::activity() {
  const std::lock_guard lock(mutex_);
  return {watch_.seconds(), next_};
}

void Runner::load(std::string name, Loader loader, Loader original, VariantReader variants,
                  std::shared_ptr<const InputRecording> recording) {
  {
    const std::lock_guard lock(mutex_);
    if (is_granted(name)) return;
    wish_ = {name, Clock::now(), true};
  }
  ask(Load{std::move(name), std::move(loader), std::move(original), std::move(variants),
           std::move(recording)});
}
void Runner::add_variant(std::size_t like) { ask(AddVariant{like}); }
void Runner::remove_variant(std::size_t number) { ask(RemoveVariant{number}); }
void Runner::link(std::string path, bool linked) { ask(Link{std::move(path), linked}); }
void Runner::trace(bool wanted) { ask(Trace{wanted}); }
void Runner::reload(std::function<std::optional<SceneReload>()> loader) { ask(Reload{std::move(loader)}); }
void Runner::show(HeatMap map) { ask(map); }
void Runner::show(const HeatLook& look) { ask(look); }
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
void Runner::edit(Edit edit) { ask(std::move(edit)); }
void Runner::interact(Command command, std::uint64_t model_version, std::size_t variant) {
  ask(Interact{std::move(command), model_version, variant});
}

/// Whether a request makes the result of the frame under way useless: the request leaves that state, or the
/// frame is computed again with other values.
bool Runner::needs_no_frame(const Request& request) {
  if (const Control* control = std::get_if<Control>(&request))
    return *control == Control::toggle_running || *control == Control::step_back ||
           *control == Control::restart || *control == Control::restart_as_opened;
  return std::holds_alternative<Load>(request) || std::holds_alternative<Edit>(request);
}

void Runner::ask(Request request) {
  {
    const std::lock_guard lock(mutex_);
    impatient_ |= needs_no_frame(request);
    if (const auto* load = std::get_if<Load>(&request)) {
      next_ = load->name;
      watch_.cancel_frame();  // the frame or build under way belongs to a scene that is being left
      watch_.cancel_build();
    }
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
    // Nothing below throws on purpose, but memory can run out, and that exception must not leave the thread.
    try {
      serve(requests);
    } catch (const std::exception& failure) {
      watch_.leave_build();
      watch_.end();
      session_.fail(failure.what());
      end_load();
      publish();
    }
    requests.clear();
  }
  session_.close();
  const std::lock_guard lock(mutex_);
  done_ = true;
  ended_.notify_one();
}

/// Sleeps until a frame is due or a request arrives, and takes all requests. False if the thread should end.
bool Runner::wait_for_requests(std::vector<Request>& requests) {
  const std::chrono::duration<double> wait(std::min(session_.until_due(), idle_wait));
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, last_ + std::chrono::duration_cast<Clock::duration>(wait),
                   [this] { return stopping_ || !requests_.empty(); });
  std::swap(requests, requests_);
  impatient_ = stopping_;
  if (!stopping_) watch_.allow();
  return !stopping_ || !requests.empty();
}

void Runner::serve(std::vector<Request>& requests) {
  for (Request& request : requests) handle(request);
  const auto now = Clock::now();
  const bool stepped = session_.advance(std::chrono::duration<double>(now - last_).count());
  last_ = now;
  if (stepped || !requests.empty()) publish();
}

void Runner::handle(Request& request) {
  if (auto* load = std::get_if<Load>(&request)) {
    this->load(*load);
  } else if (handle_variants(request)) {
    return;
  } else if (auto* reload = std::get_if<Reload>(&request)) {
    auto changed = reload->loader();
    if (!changed) return;
    if (changed->scene) changed->scene->progress = announce_progress(changed->scene->name);
    session_.reload(std::move(*changed));
  } else if (auto* map = std::get_if<HeatMap>(&request)) {
    session_.show(*map);
  } else if (auto* look = std::get_if<HeatLook>(&request)) {
    session_.show(*look);
  } else if (auto* overlay = std::get_if<Overlay>(&request)) {
    session_.show(*overlay);
  } else if (auto* pace = std::get_if<SetSpeed>(&request)) {
    session_.set_speed(pace->speed);
  } else if (auto* input = std::get_if<SaveInput>(&request)) {
    session_.save_input(input->save);
  } else if (auto* change = std::get_if<SetThreads>(&request)) {
    session_.set_threads(change->threads);
  } else if (auto* interact = std::get_if<Interact>(&request)) {
    session_.interact(interact->command, interact->model_version, interact->variant);
  } else if (auto* edit = std::get_if<Edit>(&request)) {
    session_.edit(edit->change, edit->variant);
  } else {
    control(std::get<Control>(request));
  }
}

bool Runner::handle_variants(const Request& request) {
  if (const auto* add = std::get_if<AddVariant>(&request))
    session_.add_variant(add->like);
  else if (const auto* removed = std::get_if<RemoveVariant>(&request))
    session_.remove_variant(removed->number);
  else if (const auto* link = std::get_if<Link>(&request))
    session_.link(link->path, link->linked);
  else if (const auto* trace = std::get_if<Trace>(&request))
    session_.trace(trace->wanted);
  else
    return false;
  return true;
}

/// Whether a request repeats the last one while that is under way or within the time of a double click.
bool Runner::is_granted(const std::string& name) const {
  return wish_.name == name && (wish_.under_way || Clock::now() - wish_.asked < double_click_time);
}

/// Returns false if another scene was requested meanwhile.
bool Runner::begin_load(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (next_ != name) return false;
  next_.clear();
  watch_.allow();  // a cancel from an earlier request is void
  return true;
}

void Runner::end_load() {
  const std::lock_guard lock(mutex_);
  if (next_.empty()) wish_.under_way = false;
}

void Runner::load(Load& load) {
  if (!begin_load(load.name)) return;
  announce_building(load.name);
  Expected<SceneDesc> scene = watch_.build(load.loader);
  if (watch_.build_cancelled()) return;  // for another scene, or for the end
  if (scene) scene->progress = announce_progress(load.name);
  std::optional<SceneDesc> original;
  if (scene && load.original)
    if (Expected<SceneDesc> own = load.original()) original = std::move(*own);
  std::vector<VariantSettings> variants;
  if (scene && load.variants) {
    auto read = load.variants(*scene);
    if (read)
      variants = std::move(*read);
    else
      scene = read.error();
  }
  if (scene && !load.variants)
    for (const std::vector<VariantValue>& own : scene->view->compare) {
      VariantSettings& settings = variants.emplace_back();
      for (const VariantValue& one : own) settings.push_back({one.path, one.value});
    }
  session_.open(std::move(scene), std::move(original), std::move(variants), std::move(load.recording));
  if (!watch_.build_cancelled()) end_load();
  publish();  // the first frame may take long
}

void Runner::control(Control what) {
  switch (what) {
    case Control::toggle_running:
      return session_.toggle_running();
    case Control::step_once:
      return session_.step_once();
    case Control::step_back:
      return session_.step_back();
    case Control::restart:
      return session_.restart();
    case Control::restart_as_opened:
      return session_.restart_as_opened();
    case Control::await_pictures:
      return session_.wait_for_pictures(true);
    case Control::picture_taken:
      return session_.picture_taken();
    case Control::no_pictures:
      return session_.wait_for_pictures(false);
  }
}

void Runner::announce_building(const std::string& name, const std::string& part, double progress) {
  session_.publish(latest_.back());
  for (Publication& shown : latest_.back().variants) {
    RunStatus& status = shown.status;
    status.state = RunState::building;
    status.name = name;
    status.part = part;
    status.progress = progress;
  }
  latest_.publish();
  if (news_) news_();
}

/// The callback for SceneDesc::progress. Called on the runner's thread during a build; publishes at most ten
/// times a second.
std::function<bool(const std::string&, double)> Runner::announce_progress(const std::string& name) {
  return [this, name, last = Clock::time_point()](const std::string& part, double share) mutable {
    const auto now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return !watch_.build_cancelled();
    last = now;
    watch_.leave_build();
    announce_building(name, part, share);
    watch_.resume_build();
    return !watch_.build_cancelled();
  };
}

void Runner::publish() {
  session_.publish(latest_.back());
  latest_.publish();
  auto fresh = session_.take_messages();
  if (!fresh.empty()) {
    const std::lock_guard lock(mutex_);
    messages_.insert(messages_.end(), std::make_move_iterator(fresh.begin()),
                     std::make_move_iterator(fresh.end()));
  }
  if (news_) news_();
}

}  // namespace limber
