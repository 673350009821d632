#!/usr/bin/env python3
"""Writes seeds for the fuzz targets: make_corpus.py FIXTURES OUTPUT.

OUTPUT/screen gets one input per golden screen and recording, in the form of
fuzz/input.h; OUTPUT/keys gets notation; OUTPUT/picture
jobs of glasstty-picture; OUTPUT/gate the lines that the gate's
tests judge; OUTPUT/rpc messages, OUTPUT/http requests of each kind; OUTPUT/far
bytes, the same at each time.
"""
import os
import random
import re
import sys

NAMED = {"e": 0x1B, "r": 13, "n": 10, "t": 9, "b": 8, "a": 7, "0": 0,
         "\\": 92}
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]+)\}|([ernatb0\\]))")
NOTATION = ["<Enter>", "a < b", "<C-c><M-x><S-Tab>", "<Down*3>", "<C-]>",
            "<M-<><M->>", "<lt>div>", "<Ctl-C>", "<b>", "<F13><KPEnter>",
            "<ctrl+shift+Left>", "\x1b[201~x", "a\r\nb\nc", "<M-é>", "<^C>"]

JOBS = ["glasstty-picture 1\n2 20 0 4 1 3 0 1 14 1568\nSome Font\nred ─漢\n0 3 16777217 0 1 4 3 0 33619967 65535\n\n\n",
        "glasstty-picture 1\n2 2 1 1 0 0 1 0 0 0\n\n<&\n\n\n0 2 0 16777220 0\n"]

MESSAGES = ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}',
            '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{"seconds":3}}}',
            '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"erase","arguments":{"what":"all"}}}',
            '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}',
            '{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":'
            '"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}']


def http_requests():
    head = ("Host: localhost:80\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n"
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n")
    whole = [f"POST /mcp HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}" for body in MESSAGES]
    chunks = [f"POST /mcp HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n{len(body):x}\r\n{body}\r\n0\r\n\r\n"
              for body in MESSAGES]
    others = [f"{method} /mcp HTTP/1.1\r\n{head}\r\n" for method in ("GET", "DELETE", "PUT", "OPTIONS")]
    return whole + chunks + others + ["\1".join(whole)]


def unescape(text):
    out, end = bytearray(), 0
    for match in ESCAPE.finditer(text):
        out += text[end:match.start()].encode()
        byte, code, name = match.groups()
        if byte:
            out.append(int(byte, 16))
        elif code:
            out += chr(int(code, 16)).encode("utf-8", "surrogatepass")
        else:
            out.append(NAMED[name])
        end = match.end()
    return bytes(out + text[end:].encode())


def size_bytes(text):
    rows, cols = map(int, text.split("x"))
    return bytes([(rows - 2) % 19, (cols - 2) % 39])


def screen_input(path):
    out, feeding = b"\2\22", False
    with open(path, encoding="utf-8") as lines:
        for line in lines.read().split("\n"):
            if line.startswith("-- "):
                name, _, arguments = line[3:].partition(" ")
                feeding = name == "feed"
                if name == "size":
                    out = size_bytes(arguments)
                elif name == "resize":
                    out += b"\xff" + size_bytes(arguments)
                elif name == "screen":
                    out += b"\xfe"
            elif feeding:
                out += unescape(line)
    return out


def repeats():
    """Yields screens that repeat something too often for a fixture."""
    tabs = 1000 * "\t"
    stuck = "12345678\u2764" + tabs + "\ufe0f" + tabs + 9 * "\r\n"
    yield "tabs-in-a-widened-glyph", size_bytes("5x10") + stuck.encode()


def main():
    fixtures, output = sys.argv[1:]
    screens, keys, gate, pictures, rpc, http, far = (
        os.path.join(output, name) for name in ("screen", "keys", "gate", "picture", "rpc", "http", "far"))
    for folder in (screens, keys, gate, pictures, rpc, http, far):
        os.makedirs(folder, exist_ok=True)
    for folder, _, names in os.walk(fixtures):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".screen") and folder.endswith("screens"):
                data = screen_input(path)
            elif name.endswith(".bytes"):
                with open(path, "rb") as recording:
                    data = b"\x12\x26" + recording.read(20000)
            else:
                continue
            with open(os.path.join(screens, name), "wb") as out:
                out.write(data)
    for name, data in repeats():
        with open(os.path.join(screens, name), "wb") as out:
            out.write(data)
    for i, text in enumerate(NOTATION):
        with open(os.path.join(keys, str(i)), "wb") as out:
            out.write(b"\x58" + text.encode())
    for i, job in enumerate(JOBS):
        with open(os.path.join(pictures, str(i)), "w", encoding="utf-8") as out:
            out.write(job)
    for i, message in enumerate(MESSAGES):
        with open(os.path.join(rpc, str(i)), "w", encoding="utf-8") as out:
            out.write(message + "\n")
    # Frames and packets are made of any bytes.
    generator = random.Random(1)
    for i in range(200):
        with open(os.path.join(far, str(i)), "wb") as out:
            out.write(generator.randbytes(20 + 3 * i))
    for i, request in enumerate(http_requests()):
        with open(os.path.join(http, str(i)), "w", encoding="utf-8", newline="") as out:
            out.write(request)
    for name in os.listdir(os.path.join(fixtures, "gate")):
        with open(os.path.join(fixtures, "gate", name), encoding="utf-8") as f:
            lines = [line.rpartition("\t")[2] for line in f]
        for i, line in enumerate(lines):
            with open(os.path.join(gate, f"{name}.{i}"), "wb") as out:
                out.write(line.rstrip("\n").replace("\u23ce", "\n").encode())


if __name__ == "__main__":
    main()
