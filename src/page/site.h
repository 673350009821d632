// The page's routes: who may request what, and what each request does.
//
// Knows who has been admitted and which pages are open. Owns both, and the list
// of sessions. The loop must outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>

#include "http/server.h"
#include "page/access.h"
#include "page/download.h"
#include "page/session_list.h"
#include "page/visitor.h"
#include "support/loop.h"

namespace glasstty {

struct SiteOptions {
  // Nobody types, takes the keyboard or changes a size.
  bool read_only = false;
};

class Site {
 public:
  Site(Loop* loop, SiteOptions options);
  ~Site();

  // The address at which it is served; to be told before the first request.
  void SetPort(uint16_t port) { port_ = port; }
  void Handle(std::unique_ptr<HttpExchange> exchange);
  // An address that lets one visitor in, once.
  std::string NewLink();
  // Where another process of this user asks for a link, the secret that it
  // shows.
  const std::string& owner_secret() const { return owner_; }

 private:
  using Action = HttpReply (Site::*)(Visitor*, const Json&);
  struct ActionRow {
    const char* path;
    bool types;  // refused where the page is read-only
    Action run;
  };
  static const ActionRow kActions[];

  HttpReply Get(const HttpRequest& request);
  HttpReply Post(const HttpRequest& request);
  HttpReply Enter(const HttpRequest& request);
  bool IsAdmitted(const HttpRequest& request);
  void OpenStream(HttpExchange* exchange);
  // A file of what a page shows; false if the path is not one of those.
  bool GiveFile(std::unique_ptr<HttpExchange>* exchange);
  Visitor* FindVisitor(const std::string& id);

  HttpReply Watch(Visitor* visitor, const Json& body);
  HttpReply Moment(Visitor* visitor, const Json& body);
  HttpReply Find(Visitor* visitor, const Json& body);
  HttpReply Take(Visitor* visitor, const Json& body);
  HttpReply Give(Visitor* visitor, const Json& body);
  HttpReply Keys(Visitor* visitor, const Json& body);
  HttpReply Paste(Visitor* visitor, const Json& body);
  HttpReply Secret(Visitor* visitor, const Json& body);
  HttpReply Mouse(Visitor* visitor, const Json& body);
  HttpReply Resize(Visitor* visitor, const Json& body);

  Loop* const loop_;
  const SiteOptions options_;
  const std::string owner_;
  uint16_t port_ = 0;
  Access access_;
  SessionList list_;
  std::map<std::string, std::unique_ptr<Visitor>> visitors_;
  std::list<std::unique_ptr<Download>> downloads_;
  // Armed when somebody has guessed.
  Timer end_;
};

}  // namespace glasstty
