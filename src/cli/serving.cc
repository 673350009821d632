#include "cli/serving.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/scheduling.h"
#include "support/log.h"
#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/card.h"
#include "tools/prompts.h"

namespace glasstty {
namespace {

// What the server offers.
mcp::Catalog CatalogOf(Workbench* bench, SessionResources* resources,
                       const std::string& choice) {
  mcp::Catalog catalog = {ChooseTools(AllTools(bench), choice),
                          resources->Rows(), AllPrompts(bench)};
  catalog.tools.push_back(CardTool(bench));
  catalog.resources.push_back(CardResource());
  return catalog;
}

using std::chrono::milliseconds;

// Programs get so long to end by themselves when the server ends.
constexpr Duration kPoliteGrace = milliseconds(400);
// After this we go, whatever is left: holders finish their work alone.
constexpr Duration kLastMoment = milliseconds(900);

// A terminal's ^C, a supervisor's stop, and a terminal that was closed.
constexpr int kEndSignals[] = {SIGINT, SIGTERM, SIGHUP};

// A prompt on a screen. As data, for clients fetch no others from a server that
// has no host; this is
//   <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>
//   <rect width='32' height='32' rx='6' fill='#123'/>
//   <path d='M7 10l7 6-7 6M17 23h8' fill='none' stroke='#6fa'
//   stroke-width='3'/></svg>
// in one line.
Json Icons() {
  constexpr char kSvg[] =
      "data:image/svg+xml;base64,"
      "PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHZpZXdCb3g9Jz"
      "AgMCAzMiAzMic+PHJlY3Qgd2lkdGg9JzMyJyBoZWlnaHQ9JzMyJyByeD0nNicgZmls"
      "bD0nIzEyMycvPjxwYXRoIGQ9J003IDEwbDcgNi03IDZNMTcgMjNoOCcgZmlsbD0nbm"
      "9uZScgc3Ryb2tlPScjNmZhJyBzdHJva2Utd2lkdGg9JzMnLz48L3N2Zz4=";
  Json icon = {{"src", kSvg}, {"mimeType", "image/svg+xml"}};
  icon["sizes"] = Json::array({"any"});
  return Json::array({std::move(icon)});
}

}  // namespace

Serving::Serving(const Settings& settings)
    : loop_(&clock_),
      manager_(&loop_, settings.sessions),
      bench_(&loop_, &manager_, settings.gate),
      resources_(&bench_),
      server_(&loop_,
              {.name = "glasstty",
               .version = GLASSTTY_VERSION,
               .title = "Real terminals",
               .instructions = Instructions(),
               .description = "Terminals that an agent drives as a person "
                              "would",
               .icons = Icons()},
              CatalogOf(&bench_, &resources_, settings.tools)),
      last_moment_(&loop_, [this] { loop_.Stop(); }),
      poll_end_(&loop_, [this] { CheckEnd(); }) {
  // What belongs to a client goes with its connection. At the end all sessions
  // are told already.
  server_.OnDisconnect([this](uint64_t connection) {
    if (!ending_) bench_.ForgetConnection(connection);
  });
  bench_.notices()->SetWire({[this](uint64_t connection, Json data) {
                               server_.Log(connection, "info", "glasstty",
                                           std::move(data));
                             },
                             [this](uint64_t connection) {
                               return server_.IsCongested(connection);
                             }});
  for (int signal : kEndSignals) {
    signals_.push_back(
        std::make_unique<SignalWatch>(&loop_, signal, [this] { End(); }));
  }
}

void Serving::SetFront(std::function<void()> close,
                       std::function<bool()> drained) {
  close_ = std::move(close);
  drained_ = std::move(drained);
}

// The order matters: no request may come any more before calls are told to end,
// and calls are told before sessions, so that a handler finds its wait
// cancelled and not its session closed.
void Serving::End() {
  if (std::exchange(ending_, true)) return;
  server_.Shutdown();
  close_();
  manager_.Shutdown(kPoliteGrace);
  last_moment_.SetAfter(kLastMoment);
  CheckEnd();
}

// Stops the loop as soon as sessions have ended, handlers have returned and
// what was answered has been written.
void Serving::CheckEnd() {
  if (manager_.Idle() && server_.idle() && drained_()) {
    loop_.Stop();
  } else {
    poll_end_.SetAfter(kEndPoll);
  }
}

std::optional<Settings> PrepareToServe(const Options& options) {
  // stdout belongs to the protocol, so even this goes to stderr.
  auto loaded = LoadSettings(options.settings);
  absl::Status status =
      loaded.ok() ? CheckToolChoice(loaded->settings.tools) : loaded.status();
  if (!status.ok()) {
    Warn("%s", Message(status));
    return std::nullopt;
  }
  // Once more: the file or a flag may have set it.
  const char* traces = std::getenv("GLASSTTY_LOG");
  InitLog(traces != nullptr ? traces : "");
  PreferShortSlices();
  RaiseDescriptorLimit();
  // A client that is gone shows as EPIPE from write(2), which the transport
  // takes for an end; the signal would kill the process before sessions are
  // told.
  std::signal(SIGPIPE, SIG_IGN);
  return loaded->settings;
}

}  // namespace glasstty
