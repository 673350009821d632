#!/usr/bin/env python3
"""Writes server.json for the MCP registry: the template, and each bundle with its hash.

    server_json.py TEMPLATE VERSION BUNDLE... > server.json
"""
import hashlib
import json
import pathlib
import sys

RELEASES = "https://github.com/glasstty/glasstty/releases/download"


def main():
    template, version, *bundles = sys.argv[1:]
    server = json.loads(pathlib.Path(template).read_text().replace("@VERSION@", version))
    for bundle in map(pathlib.Path, bundles):
        server["packages"].append({
            "registryType": "mcpb",
            "identifier": f"{RELEASES}/v{version}/{bundle.name}",
            "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
            "transport": {"type": "stdio"},
        })
    print(json.dumps(server, indent=2))


main()
