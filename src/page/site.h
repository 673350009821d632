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

namespace glasstty::page {

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
  void Handle(std::unique_ptr<http::Exchange> exchange);
  // An address that lets one visitor in, once.
  std::string NewLink();
  // Where another process of this user asks for a link, the secret that it
  // shows.
  const std::string& owner_secret() const { return owner_; }

 private:
  using Action = http::Response (Site::*)(Visitor*, const Json&);
  struct ActionRow {
    const char* path;
    bool types;  // refused where the page is read-only
    Action run;
  };
  static const ActionRow kActions[];

  http::Response Get(const http::Request& request);
  http::Response Post(const http::Request& request);
  http::Response Enter(const http::Request& request);
  bool IsAdmitted(const http::Request& request);
  void OpenStream(http::Exchange* exchange);
  // A file of what a page shows; false if the path is not one of those.
  bool GiveFile(std::unique_ptr<http::Exchange>* exchange);
  Visitor* FindVisitor(const std::string& id);

  http::Response Watch(Visitor* visitor, const Json& body);
  http::Response Moment(Visitor* visitor, const Json& body);
  http::Response Find(Visitor* visitor, const Json& body);
  http::Response Take(Visitor* visitor, const Json& body);
  http::Response Give(Visitor* visitor, const Json& body);
  http::Response Keys(Visitor* visitor, const Json& body);
  http::Response Paste(Visitor* visitor, const Json& body);
  http::Response Secret(Visitor* visitor, const Json& body);
  http::Response Mouse(Visitor* visitor, const Json& body);
  http::Response Resize(Visitor* visitor, const Json& body);

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

}  // namespace glasstty::page
