// Serves the page for one secret of one session, as a child of the server whose
// client asks a person for it (session/secret_page.h).
#pragma once

namespace glasstty::page {

// The descriptors and the words are those of session/secret_page.h. Returns the
// exit status: 0 when stdin has ended, the link has expired or SIGTERM has
// arrived, and 1 if the page cannot be served.
int ServeSecret();

}  // namespace glasstty::page
