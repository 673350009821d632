// Tests typing: receipts, flushes, cooked lines, secrets, back-pressure of
// input.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <random>
#include <string>

#include "holder/cooked_line.h"
#include "holder/holder_client.h"
#include "holder/input_log.h"
#include "holder/pattern.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

uint64_t Sum(std::string_view text) {
  uint64_t sum = 0;
  for (char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
  return sum;
}

wire::WriteRefusal AwaitRefusal(HolderClient* client, uint64_t serial) {
  auto refused = client->Await<wire::Refused>();
  if (!refused) {
    ADD_FAILURE() << "not refused";
    return {};
  }
  EXPECT_EQ(refused->serial, serial);
  EXPECT_EQ(refused->taken, 0u);
  return refused->why;
}

TEST(Receipt, IsNeverGivenWhileInputIsUnread) {
  StartedHolder client(ActorSpec({"gate"}), "ready");
  std::mt19937 random(70);
  size_t read = 0;
  for (uint64_t serial = 1; serial <= 100; ++serial) {
    size_t size = 1 + random() % 3;
    client.Write(serial, std::string(size, 'x'));
    // The last byte stays unread until the gate is opened for it.
    for (size_t i = 0; i < size; ++i) {
      EXPECT_FALSE(client.Poll<wire::Consumed>());
      ++read;
      kill(client.leader(), SIGUSR1);
      ASSERT_TRUE(client.AwaitText("\n" + std::to_string(read) + "\n"));
    }
    auto consumed = Expect<wire::Consumed>(&client);
    EXPECT_EQ(consumed.serial, serial);
    EXPECT_EQ(consumed.how, wire::ConsumedHow::kRead);
  }
}

TEST(Receipt, ComesLateForALateReader) {
  StartedHolder client(ActorSpec({"late", "150", "5"}), "ready");
  client.Write(1, "hello");
  EXPECT_FALSE(client.Await<wire::Consumed>(milliseconds(50)));
  ASSERT_TRUE(client.Await<wire::Consumed>());
  EXPECT_TRUE(client.AwaitText("read " + std::to_string(Sum("hello"))));
}

TEST(Receipt, SaysWhenTheProgramThrewTheInputAway) {
  StartedHolder client(ActorSpec({"flush", "100"}), "ready");
  client.Write(1, "lost");
  auto consumed = Expect<wire::Consumed>(&client);
  EXPECT_EQ(consumed.how, wire::ConsumedHow::kFlushed);
  ASSERT_TRUE(client.AwaitText("flushed"));
  client.Write(2, "k");
  consumed = Expect<wire::Consumed>(&client);
  EXPECT_EQ(consumed.how, wire::ConsumedHow::kRead);
  EXPECT_TRUE(client.AwaitText("got k"));
}

TEST(Receipt, TakesTheFlushOfASignalCharacterForWhatItIs) {
  StartedHolder client(
      ShellSpec("trap 'echo int' INT; echo up; while :; do sleep 0.01; done"),
      "up");
  client.Write(1, "\x03");
  ASSERT_TRUE(client.AwaitText("int"));
  auto consumed = Expect<wire::Consumed>(&client);
  EXPECT_EQ(consumed.how, wire::ConsumedHow::kRead);
}

TEST(Input, ArrivesWholeAndInOrderAtASlowReader) {
  constexpr uint64_t kBytes = 900'000;
  StartedHolder client(ActorSpec({"late", "50", std::to_string(kBytes)}),
                       "ready");
  std::string text = Pattern(kBytes, 4);
  uint64_t serial = 0;
  for (size_t at = 0; at < text.size(); at += wire::kMaxPayload) {
    client.Write(++serial,
                 std::string_view(text).substr(at, wire::kMaxPayload));
  }
  EXPECT_TRUE(client.AwaitText("read " + std::to_string(Sum(text)) + "\n"));
  EXPECT_FALSE(client.Poll<wire::Refused>());
  std::optional<wire::Consumed> consumed;
  while ((consumed = client.Await<wire::Consumed>())) {
    if (consumed->serial == serial) break;
  }
  ASSERT_TRUE(consumed);
}

TEST(Input, IsRefusedWhenTheQueueIsFull) {
  StartedHolder client(ActorSpec({"late", "100000", "1"}), "ready");
  std::string block(wire::kMaxPayload, 'x');
  uint64_t serial = 0;
  std::optional<wire::Refused> refused;
  while (!refused && serial < 1000) {
    client.Write(++serial, block);
    refused = client.Poll<wire::Refused>();
  }
  if (!refused) refused = client.Await<wire::Refused>();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->why, wire::WriteRefusal::kQueueFull);
  EXPECT_GE(refused->serial, wire::kMaxQueuedInput / wire::kMaxPayload);
}

TEST(Input, DoesNotDeadlockWithEcho) {
  StartedHolder client(ActorSpec({"echo"}), "ready");
  std::string text = Pattern(500'000, 8);
  for (size_t at = 0; at < text.size(); at += wire::kMaxPayload) {
    client.Write(at + 1, std::string_view(text).substr(at, wire::kMaxPayload));
  }
  EXPECT_TRUE(
      client.AwaitUntil([&] { return client.LogEnd() >= text.size() + 6; }));
  EXPECT_TRUE(client.Log().substr(6) == text);
}

TEST(CookedLine, IsRefusedWhenTheKernelWouldCutIt) {
  StartedHolder client(ActorSpec({"cooked"}), "ready");
  client.Write(1, std::string(4095, 'a') + "\n");
  ASSERT_TRUE(client.AwaitText("line 4096\r\n"));
  client.Write(2, std::string(4096, 'a'));
  EXPECT_EQ(AwaitRefusal(&client, 2), wire::WriteRefusal::kLineTooLong);
  // The text comes in parts, and what was typed before counts.
  client.Write(3, std::string(4000, 'b'));
  client.Write(4, std::string(96, 'b'));
  EXPECT_EQ(AwaitRefusal(&client, 4), wire::WriteRefusal::kLineTooLong);
  client.Write(5, std::string(95, 'b') + "\n");
  EXPECT_TRUE(client.AwaitUntil([&] {
    std::string log = client.Log();
    size_t first = log.find("line 4096\r\n");
    return log.find("line 4096\r\n", first + 1) != std::string::npos;
  }));
}

// If the packets were judged one by one, the first would be refused and the
// second typed.
TEST(CookedLine, IsJudgedWholeThoughItComesInPackets) {
  StartedHolder client(ActorSpec({"cooked"}), "ready");
  client.Write(1, std::string(4096, 'a'), wire::kWriteMore);
  client.Write(2, std::string(10, 'b') + "\n");
  EXPECT_EQ(AwaitRefusal(&client, 2), wire::WriteRefusal::kLineTooLong);
  client.Write(3, std::string(4090, 'a'), wire::kWriteMore);
  client.Write(4, std::string(5, 'b') + "\n" + std::string(2000, 'c'),
               wire::kWriteMore);
  client.Write(5, "\n");
  EXPECT_TRUE(client.AwaitText("line 4096\r\n"));
  EXPECT_TRUE(client.AwaitText("line 2001\r\n"));
}

TEST(Input, IsRefusedWholeWhenItIsMoreThanFits) {
  StartedHolder client(ActorSpec({"cooked"}), "ready");
  std::string lines;
  while (lines.size() < wire::kMaxPayload) lines += "123\n";
  uint64_t serial = 0;
  while (serial <= wire::kMaxQueuedInput / wire::kMaxPayload) {
    client.Write(++serial, lines, wire::kWriteMore);
  }
  client.Write(++serial, "end\n");
  EXPECT_EQ(AwaitRefusal(&client, serial), wire::WriteRefusal::kQueueFull);
  client.Write(++serial, "12345\n");
  EXPECT_TRUE(client.AwaitText("line 6\r\n"));
  EXPECT_EQ(client.Log().find("line 4\r\n"), std::string::npos);
}

TEST(Input, OfAServerThatWentAwayInItsMiddleIsNotTyped) {
  StartedHolder client(ActorSpec({"cooked"}), "ready");
  client.Write(1, "half of ", wire::kWriteMore);
  client.Disconnect();
  ASSERT_TRUE(client.Reconnect());
  ASSERT_TRUE(client.Greet());
  client.Write(1, "12345\n");
  EXPECT_TRUE(client.AwaitText("line 6\r\n"));
}

TEST(CookedLine, KnowsWhatEndsALine) {
  termios mode{};
  mode.c_lflag = ICANON | ISIG | IEXTEN;
  mode.c_iflag = ICRNL;
  mode.c_cc[VEOF] = 4;
  mode.c_cc[VINTR] = 3;
  mode.c_cc[VLNEXT] = 22;
  mode.c_cc[VKILL] = 21;
  std::string half(3000, 'x');
  for (const char* end : {"\n", "\r", "\x03", "\x04", "\x15"}) {
    std::string text = half;
    text.append(end).append(half);
    EXPECT_TRUE(CookedLine().Fits(mode, text)) << int{*end};
  }
  EXPECT_FALSE(CookedLine().Fits(mode, half + half));
  EXPECT_FALSE(CookedLine().Fits(mode, half + "\x16\n" + half))
      << "a quoted newline is text";
  EXPECT_FALSE(CookedLine().Fits(mode, half + std::string(1, '\0') + half))
      << "a disabled character is text";
  mode.c_cc[VEOL2] = ';';
  EXPECT_TRUE(CookedLine().Fits(mode, half + ";" + half));
  mode.c_lflag &= ~static_cast<tcflag_t>(IEXTEN);
  EXPECT_FALSE(CookedLine().Fits(mode, half + ";" + half))
      << "only with IEXTEN";
  mode.c_lflag |= IEXTEN;
  mode.c_iflag = ICRNL | INLCR;
  EXPECT_FALSE(CookedLine().Fits(mode, half + "\n" + half))
      << "it becomes a carriage return";
  mode.c_iflag = ICRNL;
  CookedLine line;
  line.Add(mode, half);
  EXPECT_FALSE(line.Fits(mode, half));
  line.Add(mode, "\n");
  EXPECT_EQ(line.length(), 0u);
}

TEST(Eof, EndsACookedReader) {
  for (std::string text : {"", "line\n", "unfinished"}) {
    StartedHolder client(ActorSpec({"cooked"}), "ready");
    client.Write(1, text, wire::kWriteEof);
    auto exit = client.Await<wire::Exit>();
    ASSERT_TRUE(exit) << text;
    EXPECT_EQ(WEXITSTATUS(exit->status), 5);
  }
}

TEST(Secret, IsTypedOnlyWhileTheTerminalHidesIt) {
  StartedHolder open(ActorSpec({"cooked"}), "ready");
  open.Write(1, "hunter2\n", wire::kWriteSecret);
  EXPECT_EQ(AwaitRefusal(&open, 1), wire::WriteRefusal::kNotSecret);
  EXPECT_EQ(open.Log().find("hunter2"), std::string::npos);

  StartedHolder hidden(ActorSpec({"cooked", "noecho"}), "ready");
  auto answer = hidden.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead;
  });
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->canonical);
  EXPECT_FALSE(answer->echo);
  hidden.Write(1, "hunter2\n", wire::kWriteSecret);
  EXPECT_TRUE(hidden.AwaitText("line 8"));
  EXPECT_EQ(hidden.Log().find("hunter2"), std::string::npos);
}

TEST(Secret, IsTypedAtAPromptBehindScript) {
  auto behind_script = [](const std::string& mode) {
    return ShellSpec("exec script -q /dev/null -c 'stty " + mode +
                     "; echo ready; read x; echo line ${#x}'");
  };
  StartedHolder open(behind_script("echo"), "ready");
  open.Write(1, "hunter2\n", wire::kWriteSecret);
  EXPECT_EQ(AwaitRefusal(&open, 1), wire::WriteRefusal::kNotSecret);

  StartedHolder hidden(behind_script("-echo"), "ready");
  ASSERT_TRUE(hidden.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead;
  }));
  hidden.Write(1, "hunter2\n", wire::kWriteSecret);
  EXPECT_TRUE(hidden.AwaitText("line 7"));
  EXPECT_EQ(hidden.Log().find("hunter2"), std::string::npos);
}

std::string TypedBytes(int dir_fd) {
  std::string bytes;
  for (const wire::TypedInput& typed : wire::ReadTyped(dir_fd))
    bytes += typed.bytes;
  return bytes;
}

TEST(InputLog, HasWhatEchoesAndNothingElse) {
  wire::LaunchSpec spec = ShellSpec(
      "read a; stty -echo; echo hidden; read b; read c; stty echo; echo open; "
      "read d; stty raw -echo; echo raw; head -c 3; echo done");
  spec.record_input = true;
  StartedHolder client(spec);
  client.Write(1, "first\n");
  ASSERT_TRUE(client.AwaitText("hidden"));
  ASSERT_TRUE(client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead;
  }));
  client.Write(2, "marked\n", wire::kWriteSecret);
  client.Write(3, "plain\n");
  ASSERT_TRUE(client.AwaitText("open"));
  client.Write(4, "last\n");
  ASSERT_TRUE(client.AwaitText("raw"));
  client.Write(5, "key");
  ASSERT_TRUE(client.AwaitText("done"));
  EXPECT_EQ(TypedBytes(client.dir().fd()), "first\nlast\n");
}

TEST(InputLog, IsKeptOnlyWhereItIsWanted) {
  StartedHolder client(ShellSpec("read a; echo got"));
  client.Write(1, "text\n");
  ASSERT_TRUE(client.AwaitText("got"));
  std::string content;
  EXPECT_FALSE(ReadFileAt(client.dir().fd(), wire::kInputName, 100, &content));
}

TEST(InputLog, IsReadBackUpToATornRecordAndIsBounded) {
  SessionDir dir;
  InputLog log(dir.fd());
  log.Append("not open yet");
  ASSERT_TRUE(log.Open());
  log.Append("one");
  log.Append(std::string("\0two", 4));
  std::string file;
  ASSERT_TRUE(ReadFileAt(dir.fd(), wire::kInputName, 4096, &file));
  ASSERT_EQ(file.size(), 2 * sizeof(wire::InputRecord) + 7);
  for (size_t size = 0; size <= file.size(); ++size) {
    ReplaceFileAt(dir.fd(), wire::kInputName, file.substr(0, size));
    size_t whole = size == file.size() ? 2 : size >= file.size() / 2 ? 1 : 0;
    EXPECT_EQ(wire::ReadTyped(dir.fd()).size(), whole) << size;
  }
  file.back() ^= 1;
  ReplaceFileAt(dir.fd(), wire::kInputName, file);
  EXPECT_EQ(wire::ReadTyped(dir.fd()).size(), 1u) << "spoilt";
  for (int i = 0; i < 20; ++i) log.Append(std::string(100'000, 'x'));
  EXPECT_FALSE(log.is_open());
}

TEST(Input, IsRefusedAfterTheEnd) {
  StartedHolder client(ShellSpec("trap '' HUP; setsid sleep 100 & exit 0"));
  ASSERT_TRUE(client.Await<wire::Exit>());
  client.Write(1, "x");
  EXPECT_EQ(AwaitRefusal(&client, 1), wire::WriteRefusal::kClosed);
}

}  // namespace
}  // namespace glasstty::holder
