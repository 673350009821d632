#include "session/session_starter.h"

#include <memory>
#include <utility>

#include "base/clock.h"
#include "record/meta.h"
#include "session/program.h"
#include "session/shell_integration.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// Reads the files that an integrated shell on another machine needs.
std::vector<wire::FarFile> FilesOf(int directory) {
  constexpr size_t kMostBytes = 1 << 20;
  std::vector<wire::FarFile> files;
  for (const std::string& name : IntegrationFiles()) {
    std::string content;
    if (!ReadFileAt(directory, name, kMostBytes, &content)) continue;
    files.push_back({name, std::move(content)});
  }
  return files;
}

}  // namespace

absl::Status SessionStarter::OpenExecutable() {
  holder_ = wire::OpenHolderExecutable(&holder_path_);
  return holder_.valid()
             ? absl::OkStatus()
             : ErrnoStatus("glasstty is not fully installed: cannot open",
                           holder_path_);
}

absl::StatusOr<SessionRef> SessionStarter::Start(const std::string& wanted,
                                                 const std::string& usual,
                                                 record::ProgramSpec program,
                                                 PlaceLink* where) {
  ASSIGN_OR_RETURN(std::string name, sessions_->ChooseName(wanted, usual));
  record::StateDir* state_dir = sessions_->state_dir();
  Surroundings around =
      where != nullptr
          ? where->Around()
          : LocalSurroundings(program.inheritance.get(), state_dir->path());
  if (where == nullptr) WithholdSecrets(settings_->secrets, &around);
  around.shares_history = settings_->shares_history;
  if (program.inheritance != nullptr && program.inheritance->shares_history) {
    around.shares_history = *program.inheritance->shares_history;
  }
  ResolveProgram(around, &program);
  ASSIGN_OR_RETURN(std::string nonce, record::RandomId());
  ASSIGN_OR_RETURN(std::string id, state_dir->Create());
  ASSIGN_OR_RETURN(record::Folder folder, state_dir->OpenSession(id));
  record::SessionOrigin origin{
      .id = id,
      .name = std::move(name),
      .program = std::move(program),
      .log_cap = settings_->log_cap,
      .started_ms = WallMilliseconds(),
      .nonce = std::move(nonce),
      .place = where != nullptr ? where->place().text : "",
      .place_prefix =
          where != nullptr ? where->place().prefix : std::vector<std::string>(),
      .directory_there = around.sessions + "/" + id};
  record::Folder::Hold directory = folder.Open();
  wire::LaunchSpec spec = LaunchSpecOf(origin, around, directory->get());
  // The holder's timer runs while no server is attached.
  spec.grace_ms = GraceOf(origin.program.keep);
  absl::StatusOr<UniqueFd> control =
      Launch(origin, spec, directory->get(), where);
  if (!control.ok()) {
    state_dir->Disclaim(id);
    state_dir->Remove(id);
    return control.status();
  }
  ASSIGN_OR_RETURN(SessionRef session,
                   Session::Create(loop_, std::move(origin), std::move(folder),
                                   std::make_unique<SocketChannel>(
                                       loop_, *std::move(control))));
  sessions_->Add(session);
  return session;
}

// Claims the session and writes meta.json before the holder starts. Without
// meta.json, no later server could adopt it; without the claim, two might.
absl::StatusOr<UniqueFd> SessionStarter::Launch(
    const record::SessionOrigin& origin, const wire::LaunchSpec& spec,
    int directory, PlaceLink* where) {
  record::StateDir* state_dir = sessions_->state_dir();
  if (!state_dir->Claim(origin.id)) return ErrnoStatus("lock", origin.id);
  if (!ReplaceFileAt(directory, wire::kMetaName, record::EncodeMeta(origin))) {
    return ErrnoStatus("write",
                       state_dir->PathOf(origin.id) + "/" + wire::kMetaName);
  }
  if (where != nullptr) {
    return where->Start(directory, {origin.id, spec, FilesOf(directory)});
  }
  UniqueFd control = wire::LaunchHolder(holder_.get(), directory, spec);
  if (!control.valid()) return ErrnoStatus("start", "glasstty-holder");
  return control;
}

}  // namespace glasstty::session
