#!/usr/bin/env python3
"""Holds the tables of docs/wire.md and docs/session-files.md to the structs in src/wire.

    python3 wire_docs.py ROOT            # exit 1 if a table differs from the code
    python3 wire_docs.py ROOT --write    # writes the tables anew

A table stands between `<!-- table: NAME -->` and `<!-- end -->`. NAME is a section of src/ptyhost/wire/messages.h
("Server to holder") or a record, whose offsets are computed and compared with the static_assert beside it.
"""
import os
import re
import sys

DOCUMENTS = ("docs/wire.md", "docs/session-files.md")
SOURCES = ("src/ptyhost/wire/packets.h", "src/ptyhost/wire/session_files.h")
MESSAGES = "src/ptyhost/wire/messages.h"
# Bytes of the types that records are made of; enums give theirs in the code.
SIZES = {"char": 1, "uint8_t": 1, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8}
KINDS = {"Name": "text, NUL", "Rest": "bytes", "List": "list"}


def read(root, path):
    with open(os.path.join(root, path)) as f:
        return f.read()


def table(head, rows):
    lines = [head, ["---"] * len(head)] + rows
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def cells_of(calls, types):
    """Returns what the calls on `io` put into a, into b and into the payload."""
    a = b = ""
    payload = []
    for kind, arguments in re.findall(r"io\.(\w+)\(([^()]*)\)", calls):
        names = re.findall(r"m\.([\w.]+)", arguments)
        if kind == "A":
            a = f"`{names[0]}`"
        elif kind == "B":
            b = f"`{names[0]}`"
        elif kind == "Halves":
            b = f"`{names[0]}` << 32 | `{names[1]}`"
        else:
            optional = kind == "Maybe"
            of = re.sub(r"std::(?:optional|vector)<(\w+)>", r"\1", types[names[0]])
            payload.append(f"`{names[0]}` ({KINDS.get(kind, of)}{', optional' if optional else ''}"
                           f"{' of ' + of if kind == 'List' else ''})")
    return [a, b, ", ".join(payload)]


def message_tables(root):
    text = read(root, MESSAGES)
    parts = re.split(r"^// ---- (.*)\n", text, flags=re.M)
    for name, part in zip(parts[1::2], parts[2::2]):
        rows = []
        for comment, struct, body in re.findall(r"((?:^//[^\n]*\n)+)struct (\w+) \{\n(.*?)^\};", part, re.M | re.S):
            fields, _, calls = body.partition("static void Fields")
            types = {field: kind for kind, field in re.findall(r"^  (?!using )([\w:<>]+) (\w+)(?: = \S+|\{\})?;", fields, re.M)}
            used = set(re.findall(r"m\.(\w+)", calls))
            if used != set(types):
                sys.exit(f"{MESSAGES}: {struct} encodes {sorted(used)} and has {sorted(types)}")
            meaning = " ".join(line[2:].strip() for line in comment.splitlines())
            number = re.search(r"PacketType kType\{(\d+)\}", fields).group(1)
            rows.append([number, f"`{struct}`", *cells_of(calls, types), meaning])
        yield name, table(["type", "message", "a", "b", "payload", "meaning"], rows)


def record_tables(root):
    text = "\n".join(read(root, path) for path in SOURCES)
    sizes, constants = dict(SIZES), {}
    for name, kind in re.findall(r"enum class (\w+) : (\w+)", text):
        sizes[name] = SIZES[kind]
    for name, value in re.findall(r"constexpr size_t (k\w+) = ([\w\s<]+);", text):
        constants[name] = eval(value, {}, constants)  # "1 << 20"
    for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", text, re.M | re.S):
        declared = re.search(rf"static_assert\(sizeof\({name}\) == (\d+)\)", text)
        if not declared:
            continue
        rows, at, widest, above = [], 0, 1, ""
        for line in body.splitlines():
            field = re.match(r"  (\w+) (\w+)(?:\[([\w +]+)\])?(?: = [^;]+|\{\})?;(?:\s+// (.*))?$", line)
            comment = re.match(r"\s{6,}// (.*)$", line)
            if comment and rows:
                rows[-1][-1] += " " + comment.group(1)
            # A comment above a field is about it, or about it and the next ones.
            heading = re.match(r"  // (.*)$", line)
            if heading:
                above += (" " if above else "") + heading.group(1)
            if not field or field.group(1) not in sizes:
                continue
            kind, label, count, meaning = field.groups()
            alignment = 8 if kind not in SIZES and sizes[kind] > 8 else sizes[kind]
            at += -at % alignment
            number = eval(count, {}, constants) if count else 1
            rows.append([str(at), f"{kind}[{number}]" if count else kind, f"`{label}`", meaning or above])
            above = ""
            at += sizes[kind] * number
            widest = max(widest, alignment)
        at += -at % widest
        if at != int(declared.group(1)):
            sys.exit(f"{name}: its fields take {at} bytes, static_assert says {declared.group(1)}")
        sizes[name] = at
        yield name, table(["offset", "type", "field", "meaning"], rows)


def main():
    root = sys.argv[1]
    tables = dict(message_tables(root)) | dict(record_tables(root))
    shown, wrong = set(), []
    for path in DOCUMENTS:
        text = read(root, path)

        def fill(match):
            shown.add(match.group(1))
            return f"<!-- table: {match.group(1)} -->\n\n{tables[match.group(1)]}\n\n<!-- end -->"

        wanted = re.sub(r"<!-- table: (.*?) -->\n.*?<!-- end -->", fill, text, flags=re.S)
        if wanted == text:
            continue
        if "--write" in sys.argv:
            with open(os.path.join(root, path), "w") as f:
                f.write(wanted)
        else:
            wrong.append(f"{path}: a table is not as the code has it; run tests/checks/wire_docs.py . --write")
    wrong += [f"{name}: no document has its table" for name in sorted(set(tables) - shown)]
    print("\n".join(wrong) or f"wire_docs: {len(shown)} tables")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
