#!/usr/bin/env python3
"""A model for the agents' programs: hears what was submitted and answers "heard" and the last word of it.

    mock_model.py HEARD PORT

listens on the loopback interface, writes its port to the file PORT and serves until stdin ends. It speaks Anthropic's
Messages, OpenAI's Responses and Chat Completions and Gemini's generateContent, each as a stream if asked.

It answers "please wait" only after a line on stdin. To "use the shell: COMMAND" it answers that it wants to run this
command, in Anthropic's Messages only, and to the command's result "heard nothing".

HEARD gets one JSON array a request: the texts of the user's last message, without what the programs put around them
(blanks, a sign that it was a paste, the time). Programs also add texts of their own and ask further questions (for a
title), so a test looks for its text among them.
"""
import http.server
import json
import re
import sys
import threading


def last_of_user(messages):
    """Returns the content of the last message that the user wrote."""
    mine = [m for m in messages if m.get("role") == "user"]
    return mine[-1].get("content", mine[-1].get("parts")) if mine else []


# Matches what programs put around a text: that it was a paste, and the time.
AROUND = r"</?pasted_content\b[^>]*>|<current_datetime>[^<]*</current_datetime>"


ASKS_FOR_SHELL = "use the shell: "


def texts(content):
    """`content` is a string or a list of parts, some of which are texts."""
    if isinstance(content, str):
        content = [{"text": content}]
    found = [part["text"] for part in content or [] if isinstance(part.get("text"), str)]
    return [re.sub(AROUND, "", text).strip() for text in found]


def anthropic_tool(command):
    yield "message_start", {"message": {**anthropic_whole(""), "content": [], "stop_reason": None}}
    yield "content_block_start", {"index": 0, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "Bash",
                                                                "input": {}}}
    arguments = json.dumps({"command": command, "description": "What was asked for"})
    yield "content_block_delta", {"index": 0, "delta": {"type": "input_json_delta", "partial_json": arguments}}
    yield "content_block_stop", {"index": 0}
    yield "message_delta", {"delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": 1}}
    yield "message_stop", {}


def anthropic(said):
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "mock", "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    yield "message_start", {"message": message}
    yield "content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}
    yield "content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": said}}
    yield "content_block_stop", {"index": 0}
    yield "message_delta", {"delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 1}}
    yield "message_stop", {}


def anthropic_whole(said):
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": "mock", "stop_reason": "end_turn",
            "stop_sequence": None, "content": [{"type": "text", "text": said}],
            "usage": {"input_tokens": 1, "output_tokens": 1}}


def response(said, status):
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": said, "annotations": []}]}
    return {"id": "resp_1", "object": "response", "created_at": 1, "model": "mock", "status": status,
            "output": [item] if status == "completed" else [], "usage": {
                "input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
                "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}}


def responses(said):
    whole = response(said, "completed")
    item = whole["output"][0]
    yield "response.created", {"response": response(said, "in_progress")}
    yield "response.output_item.added", {"output_index": 0, "item": {**item, "content": [], "status": "in_progress"}}
    yield "response.output_text.delta", {"item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": said}
    yield "response.output_item.done", {"output_index": 0, "item": item}
    yield "response.completed", {"response": whole}


def chat(said):
    def chunk(delta, reason=None):
        return None, {"id": "chat_1", "object": "chat.completion.chunk", "created": 1, "model": "mock",
                      "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
                      "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2} if reason else None}
    yield chunk({"role": "assistant", "content": said})
    yield chunk({}, "stop")
    yield None, "[DONE]"


def chat_whole(said):
    return {"id": "chat_1", "object": "chat.completion", "created": 1, "model": "mock",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}


def gemini_whole(said):
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": said}]}, "index": 0,
                            "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": "mock"}


def gemini(said):
    yield None, gemini_whole(said)


# The end of a path: where the messages are, the answer as a stream and whole.
KINDS = {
    "/messages": ("messages", anthropic, anthropic_whole),
    "/responses": ("input", responses, lambda said: response(said, "completed")),
    "/chat/completions": ("messages", chat, chat_whole),
    ":streamGenerateContent": ("contents", gemini, gemini_whole),
    ":generateContent": ("contents", gemini, gemini_whole),
}


class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    heard = None  # an open file
    writing = threading.Lock()
    go_on = threading.Event()

    def log_message(self, *_):
        pass

    def answer(self, body, kind="application/json", status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_json(self, value, status=200):
        self.answer(json.dumps(value).encode(), status=status)

    def do_HEAD(self):
        self.answer(b"")

    def do_GET(self):
        self.answer_json({"object": "list", "data": [{"id": "mock", "object": "model", "created": 1}]})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.split("?")[0]
        if path.endswith(("count_tokens", ":countTokens")):
            self.answer_json({"input_tokens": 1, "totalTokens": 1})
            return
        kind = next((kind for end, kind in KINDS.items() if path.endswith(end)), None)
        if kind is None:
            self.answer_json({"error": {"message": f"the mock model has no {path}"}}, 404)
            return
        where, stream, whole = kind
        request = json.loads(body)
        messages = request.get(where, [])
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        submitted = texts(last_of_user(messages))
        with Model.writing:
            Model.heard.write(json.dumps(submitted) + "\n")
            Model.heard.flush()
        words = " ".join(submitted).split() or ["nothing"]
        said = "heard " + words[-1]
        if "please wait" in submitted:
            Model.go_on.wait()
        commands = [text.removeprefix(ASKS_FOR_SHELL) for text in submitted if text.startswith(ASKS_FOR_SHELL)]
        if commands and stream is anthropic and request.get("tools"):
            said, stream = commands[0], anthropic_tool
        if not (request.get("stream") or path.endswith(":streamGenerateContent")):
            self.answer_json(whole(said))
            return
        events = b""
        for name, data in stream(said):
            if name:
                data = {"type": name, **data}
                events += f"event: {name}\n".encode()
            events += b"data: " + (data if isinstance(data, str) else json.dumps(data)).encode() + b"\n\n"
        self.answer(events, "text/event-stream")


def main():
    Model.heard = open(sys.argv[1], "a", encoding="utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(sys.argv[2], "w", encoding="utf-8") as port:
        port.write(f"{server.server_address[1]}\n")
    for _ in sys.stdin:
        Model.go_on.set()


main()
