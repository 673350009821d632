// A reader of a session with a screen of 4x20. Everything that it has read
// counts as seen.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "testing/fake_holder.h"
#include "view/reader.h"

namespace glasstty::view {

class ReaderTest : public testing::Test {
 protected:
  std::string Read(const ReadRequest& request = {}) {
    last_ = ReadSession(*session_, mark_, request);
    mark_ = last_.mark;
    return last_.body;
  }
  // Prints lines "1" to "N".
  void PrintNumbered(int count) {
    std::string lines;
    for (int i = 1; i <= count; ++i) lines += std::to_string(i) + "\r\n";
    holder_.Print(lines);
    while (session_->output().HasUnfed()) holder_.loop()->RunReady();
  }
  // Prints the prompt as a shell with our integration does.
  void PrintPrompt(const std::string& prompt = "$ ") {
    holder_.Print("\033]133;A;aid=n0nce\a" + prompt + "\033]133;B;aid=n0nce\a");
  }
  void BeginCommand(const std::string& line) {
    holder_.Print(line + "\r\n\033]133;C;aid=n0nce\a");
  }
  void EndCommand() { holder_.Print("\033]133;D;0;aid=n0nce\a"); }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({4, 20});
  ReaderMark mark_;
  ReadResult last_;
};

}  // namespace glasstty::view
