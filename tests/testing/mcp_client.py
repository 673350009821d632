"""A client that speaks MCP with a server over its standard streams, one call at a time."""
import json
import subprocess


class Client:
    """Owns the server's process. `options` are those of subprocess.Popen."""

    def __init__(self, command, name, **options):
        self.process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        self.next_id = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": name, "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.next_id:
                return message
        raise RuntimeError(f"the server ended during {method} {params}")

    def call(self, tool, arguments):
        """Returns (text, is_error)."""
        message = self.request("tools/call", {"name": tool, "arguments": arguments})
        if "result" not in message:
            return json.dumps(message["error"]), True
        result = message["result"]
        return "\n".join(block.get("text", "") for block in result["content"]), result.get("isError", False)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)
