#include "cli/serving.h"

#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/scheduling.h"
#include "support/log.h"
#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/call_record.h"
#include "tools/card.h"
#include "tools/hook.h"
#include "tools/prompts.h"

namespace glasstty {
namespace {

// Returns what the server offers.
mcp::Catalog CatalogOf(Workbench* bench, SessionResources* resources) {
  mcp::Catalog catalog = {
      .tools = AllTools(bench),
      .resources = resources->Rows(),
      .prompts = AllPrompts(bench),
      .offers = [bench](const mcp::Tool& tool, uint64_t connection,
                        const mcp::RequestContext& context) {
        const HandedOver& handed =
            bench->clients()->HandedOverBy(connection, context);
        return tool.for_cards || tool.hidden ||
               IsChosen(tool, handed.settings.tools);
      }};
  for (mcp::Tool& tool : catalog.tools) tool = Noted(bench, std::move(tool));
  catalog.tools.push_back(CardTool(bench));
  catalog.tools.push_back(HookTool(bench));
  catalog.resources.push_back(CardResource());
  return catalog;
}

using std::chrono::milliseconds;

// Programs get this time to end by themselves when the server ends.
constexpr Duration kPoliteGrace = milliseconds(400);
// After this the process ends in any case, because holders finish their work
// alone.
constexpr Duration kLastMoment = milliseconds(900);

// These signals come from a terminal's ^C, a supervisor's stop, and a closed
// terminal.
constexpr int kEndSignals[] = {SIGINT, SIGTERM, SIGHUP};

// Returns an icon that shows a prompt on a screen. It is embedded as data,
// because clients fetch nothing from a server without a host. On one line, it
// is
//   <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>
//   <rect width='32' height='32' rx='6' fill='#123'/>
//   <path d='M7 10l7 6-7 6M17 23h8' fill='none' stroke='#6fa'
//   stroke-width='3'/></svg>
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

Serving::Serving(const Settings& settings, const std::string& note)
    : loop_(&clock_),
      manager_(&loop_, settings.sessions),
      bench_(&loop_, &manager_, settings.gate),
      resources_(&bench_),
      server_(&loop_,
              {.name = "glasstty",
               .version = GLASSTTY_VERSION,
               // Clients derive prefixes of tool names from the title.
               .title = "glasstty",
               .instructions = note + Instructions(),
               .description = "Terminals that an agent drives as a person "
                              "would",
               .icons = Icons()},
              CatalogOf(&bench_, &resources_)),
      last_moment_(&loop_, [this] { loop_.Stop(); }),
      poll_end_(&loop_, [this] { CheckEnd(); }) {
  bench_.clients()->SetSettings(
      {std::make_shared<const gate::Gate>(settings.gate), settings.tools,
       settings.size, settings.hooks},
      [settings](record::Inheritance* inherited, const std::string& directory) {
        return SettingsOfClient(settings, directory, inherited);
      });
  bench_.clients()->SetPatience(settings.away);
  // The state of a client ends with its connection. During the end, the manager
  // already ends the sessions.
  server_.OnDisconnect([this](uint64_t connection) {
    if (!ending_) bench_.ForgetConnection(connection);
  });
  server_.OnGoodbye([this](const std::string& name) {
    if (!ending_) bench_.ForgetClient(name);
  });
  bench_.notices()->SetWire({[this](uint64_t connection, Json data) {
                               server_.Log(connection, "info", "glasstty",
                                           std::move(data));
                             },
                             [this](uint64_t connection) {
                               return server_.IsCongested(connection);
                             }});
  if (!settings.on_event.empty()) {
    event_command_.emplace(&loop_, settings.on_event);
    bench_.lookout()->SetOnEvent(
        [this](const session::Session& session, const lookout::Event& event) {
          event_command_->Tell(session.name(), event);
        });
  }
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

void Serving::Prepare() {
  absl::Status status = bench_.Prepare();
  if (!status.ok()) Warn("%s", Message(status));
}

// The order matters: requests must stop before calls are cancelled, and calls
// are cancelled before sessions end, so that a handler finds its wait cancelled
// and not its session closed.
void Serving::End() {
  if (std::exchange(ending_, true)) return;
  server_.Shutdown();
  close_();
  manager_.Shutdown(kPoliteGrace);
  last_moment_.SetAfter(kLastMoment);
  CheckEnd();
}

// Stops the loop as soon as sessions have ended, handlers have returned and all
// answers have been written.
void Serving::CheckEnd() {
  if (manager_.Idle() && server_.idle() && drained_()) {
    loop_.Stop();
  } else {
    poll_end_.SetAfter(kEndPoll);
  }
}

std::optional<Settings> CheckSettings(const Options& options) {
  // stdout belongs to the protocol, so even this goes to stderr.
  auto loaded = LoadSettings(options.settings);
  absl::Status status = loaded.status();
  if (status.ok()) status = loaded->invalid;
  if (!status.ok()) {
    Warn("%s", Message(status));
    return std::nullopt;
  }
  WarnOfMistakes(*loaded);
  return loaded->settings;
}

void PrepareToServe() {
  // Initialize the log again, because the file or a flag may have set it.
  const char* traces = std::getenv("GLASSTTY_LOG");
  InitLog(traces != nullptr ? traces : "");
  PreferShortSlices();
  RaiseDescriptorLimit();
  // For a client that is gone, write(2) then fails with EPIPE, which the
  // transport treats as the end; the signal would kill the process before it
  // ends its sessions.
  SurviveFailedWrites();
}

}  // namespace glasstty
