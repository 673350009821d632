// Serves the page for one secret of one session, as a child of the server whose
// client asks a person for it (session/secret_page.h).
#pragma once

namespace glasstty::page {

// The descriptors and the words are those of session/secret_page.h. Returns the
// exit status when stdin has ended or the link has expired.
int ServeSecret();

}  // namespace glasstty::page
