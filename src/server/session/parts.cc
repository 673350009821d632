#include "session/parts.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace glasstty::session {
namespace {

// For a session on another machine, each server's serials are higher than those
// of earlier servers. So even after a change of server, a serial shows whether
// its write has arrived.
uint64_t FirstSerial(const record::SessionOrigin& origin) {
  if (origin.place.empty()) return 0;
  return static_cast<uint64_t>(WallMilliseconds()) << 16;
}

// The lines of such a piece fit into the scrollback, so waits see all of them.
constexpr size_t kErrorPiece = 4096;

}  // namespace

Parts::Parts(Loop* loop_of_all, record::SessionOrigin origin_of_all,
             record::Folder own_folder,
             std::unique_ptr<terminal::Terminal> terminal,
             std::unique_ptr<terminal::Terminal> error_terminal,
             const std::string& guest, const Hooks& hooks)
    : origin(std::move(origin_of_all)),
      loop(loop_of_all),
      folder(std::move(own_folder)),
      is_guest(!guest.empty()),
      directory(folder.Open()),
      kept(is_guest ? directory : nullptr),
      link(/*remembers=*/!is_guest && !origin.place.empty()),
      life(loop->Now()),
      output(loop, origin,
             {&folder, directory->get(), "out", (guest + "lines").c_str()},
             std::move(terminal), hooks.cut, hooks.fed),
      events(origin.nonce),
      input(&link, &contact, FirstSerial(origin), hooks.released),
      questions(loop, &link, hooks.wanted) {
  // This server does not see what the owner types.
  if (is_guest) input.prompt()->SetShared(true);
  if (!error_terminal) return;
  std::string lines = guest + "errlines";
  errors = std::make_unique<Output>(
      loop, origin,
      Output::Files{&folder, directory->get(), "err", lines.c_str()},
      std::move(error_terminal),
      [](auto bytes) { return std::min(bytes.size(), kErrorPiece); },
      hooks.fed);
}

bool Parts::AllDrained() const {
  return !output.HasUnfed() && (!errors || !errors->HasUnfed());
}

void Parts::SetExit(const Life::Exit& exit) {
  life.Exited(exit);
  output.feed()->SetEnd(exit.offset);
  if (errors) errors->feed()->SetEnd(exit.errors_offset);
}

void Parts::OutputReaches(uint64_t end) {
  output.Reaches(end, /*is_awaited=*/!waiters.empty());
}

void Parts::TakeEvents(bool is_live) {
  events.Take(
      output.terminal(), loop->Now(), is_live,
      [this, is_live] { Marked(is_live); }, [this] { Answer(); });
  // The event for the last query is missing if there were too many events.
  Answer();
}

void Parts::Answer() {
  std::string replies = output.terminal()->TakeReplies();
  if (replies.empty()) return;
  questions.prober()->InputSent();
  input.Answer(replies, events.commands()->phase());
}

void Parts::Marked(bool is_live) {
  input.prompt()->Marked(*events.commands(), is_live,
                         output.terminal()->row_addresses());
}

}  // namespace glasstty::session
