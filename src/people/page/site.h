// The routes of the page: checks who may request what, and handles the
// requests.
//
// Owns the passes of admitted browsers, the open pages and the list of
// sessions. The loop must outlive it. Loop thread only.
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
  // True if visitors may not type, take the keyboard or change a size.
  bool read_only = false;
};

class Site {
 public:
  Site(Loop* loop, SiteOptions options);
  ~Site();

  // Sets the port of the server. Must be called before the first request.
  void SetPort(uint16_t port) { port_ = port; }
  void Handle(std::unique_ptr<http::Exchange> exchange);
  // Returns true if these headers are from a page that was admitted.
  bool IsAdmitted(const http::Request& request) const {
    return PassOf(request) != nullptr;
  }
  // Returns an address that admits one visitor, once.
  std::string NewLink();

 private:
  using Action = http::Response (Site::*)(Visitor*, const Json&);
  struct ActionRow {
    const char* path;
    bool types;  // affects the session; refused if the page is read-only
    Action run;
  };
  static const ActionRow kActions[];

  http::Response Get(const http::Request& request);
  http::Response Post(const http::Request& request);
  http::Response Enter(const http::Request& request);
  // Returns null if the sender of this request was not admitted.
  const Pass* PassOf(const http::Request& request) const;
  void OpenStream(http::Exchange* exchange);
  // Sends a file of the session that a page shows; returns false if the path is
  // not that of such a file, or if the sender was not admitted.
  bool GiveFile(std::unique_ptr<http::Exchange>* exchange);
  Visitor* FindVisitor(const std::string& id);

  http::Response Watch(Visitor* visitor, const Json& body);
  http::Response Overview(Visitor* visitor, const Json& body);
  http::Response Moment(Visitor* visitor, const Json& body);
  http::Response Peek(Visitor* visitor, const Json& body);
  http::Response TraceOf(Visitor* visitor, const Json& body);
  http::Response Output(Visitor* visitor, const Json& body);
  http::Response Find(Visitor* visitor, const Json& body);
  http::Response History(Visitor* visitor, const Json& body);
  http::Response Take(Visitor* visitor, const Json& body);
  http::Response Give(Visitor* visitor, const Json& body);
  http::Response Keys(Visitor* visitor, const Json& body);
  http::Response Paste(Visitor* visitor, const Json& body);
  http::Response Secret(Visitor* visitor, const Json& body);
  http::Response Mouse(Visitor* visitor, const Json& body);
  http::Response Resize(Visitor* visitor, const Json& body);

  Loop* const loop_;
  const SiteOptions options_;
  uint16_t port_ = 0;
  Access access_;
  SessionList list_;
  std::map<std::string, std::unique_ptr<Visitor>> visitors_;
  std::list<std::unique_ptr<Download>> downloads_;
};

}  // namespace glasstty::page
