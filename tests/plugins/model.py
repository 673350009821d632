"""A model that does what a test has planned, for the real clients. It speaks Anthropic's Messages and OpenAI's Responses.

A plan is a list of turns: a text, or (tool, arguments), where the tool is named by the end of its name. The number of
answers in a conversation says which turn is next, so a client may ask again, and may ask other questions (for a title)
in between: those offer no tools, and are answered with a word. While the client does not offer the planned tool, because
its server is still starting, the model waits with the client's own shell; such turns do not count.
"""
import http.server
import json
import threading


def as_events(events):
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def named(tools, name):
    """Returns (namespace, name) of the tool whose name ends so; Codex groups the tools of a server."""
    for tool in tools:
        for inner in tool.get("tools", []):
            if inner.get("name", "").endswith(name):
                return tool.get("name"), inner["name"]
        if (tool.get("name") or "").endswith(name):
            return None, tool["name"]
    return None, None


def next_step(tools, model, done, shell):
    """Returns (the turn, whether it is a wait)."""
    step = model.plan[done] if tools and done < len(model.plan) else "done"
    waits = not isinstance(step, str) and named(tools, step[0])[1] is None
    if tools and not waits:
        model.turns.add(done)
    return (shell, True) if waits else (step, False)


def anthropic(request, model):
    tools = request.get("tools") or []
    done = sum(message["role"] == "assistant" and '"toolu_wait' not in json.dumps(message["content"])
               for message in request["messages"])
    serial = len(request["messages"])
    step, waits = next_step(tools, model, done, ("Bash", {"command": "sleep 0.5", "description": "wait"}))
    if isinstance(step, str):
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": step}
    else:
        block = {"type": "tool_use", "id": f"toolu_{'wait' if waits else ''}{serial}", "input": {},
                 "name": named(tools, step[0])[1]}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step[1])}
    reason = "end_turn" if isinstance(step, str) else "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": f"msg_{done}", "type": "message", "role": "assistant", "model": request.get("model"), "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": usage}
    if not request.get("stream"):
        whole = {"type": "text", "text": step} if isinstance(step, str) else {**block, "input": step[1]}
        return json.dumps({**message, "content": [whole], "stop_reason": reason}).encode(), "application/json"
    return as_events([
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"}]), "text/event-stream"


def responses(request, model):
    items = request["input"] if isinstance(request["input"], list) else []
    done = sum(item.get("type") == "function_call" and not item["call_id"].startswith("wait")
               or item.get("role") == "assistant" for item in items)
    step, waits = next_step(request.get("tools"), model, done, ("exec_command", {"cmd": "sleep 0.5"}))
    if isinstance(step, str):
        item = {"type": "message", "id": f"m{done}", "role": "assistant",
                "content": [{"type": "output_text", "text": step}]}
    else:
        namespace, name = named(request["tools"], step[0])
        item = {"type": "function_call", "id": f"f{len(items)}", "call_id": f"{'wait' if waits else 'c'}{len(items)}",
                "name": name, "arguments": json.dumps(step[1])}
        if namespace:
            item["namespace"] = namespace
    return as_events([
        {"type": "response.created", "response": {"id": f"r{done}"}},
        {"type": "response.output_item.done", "item": item},
        {"type": "response.completed", "response": {
            "id": f"r{done}", "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}}]), "text/event-stream"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(b'{"data": [], "models": []}')

    def do_HEAD(self):
        self.answer(b"")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        model, path = self.server.model, self.path.split("?")[0]
        if path.endswith("/messages"):
            request, speak = json.loads(body), anthropic
        elif path.endswith("/responses"):
            request, speak = json.loads(body), responses
        else:
            self.answer(b'{"input_tokens": 1}')
            return
        with model.lock:
            model.requests.append(request)
        self.answer(*speak(request, model))


class Model:
    """Serves on the loopback interface until the program ends."""

    def __init__(self):
        self.lock = threading.Lock()
        self.plan = []
        self.requests = []
        self.turns = set()  # their numbers
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.model = self
        self.address = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def start(self, *plan):
        with self.lock:
            self.plan, self.requests, self.turns = list(plan), [], set()

    def with_tools(self):
        """Returns the requests of the conversation itself."""
        with self.lock:
            return [request for request in self.requests if request.get("tools")]

    def heard(self):
        """Returns the longest conversation as text, without escapes that hide quotes."""
        longest = max(self.with_tools(), key=lambda r: len(r.get("messages") or r.get("input")), default={})
        return json.dumps(longest.get("messages") or longest.get("input") or [], ensure_ascii=False).replace('\\"', '"')
