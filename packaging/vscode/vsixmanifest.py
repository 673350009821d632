#!/usr/bin/env python3
"""Writes the two files that a .vsix has beside its extension, from the extension's package.json.

    vsixmanifest.py FOLDER [TARGET]     FOLDER/extension is packed; TARGET is a platform, such as linux-x64
"""
import json
import pathlib
import sys
from xml.sax.saxutils import escape, quoteattr

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}{target}/>
    <DisplayName>{display_name}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value={kind}/>
      <Property Id="Microsoft.VisualStudio.Services.Links.Source" Value={source}/>
      <Property Id="Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown" Value="true"/>
      <Property Id="Microsoft.VisualStudio.Services.Content.Pricing" Value="Free"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
{assets}  </Assets>
</PackageManifest>
"""
# The marketplace shows these, if they are there.
ASSETS = {"README.md": "Details", "CHANGELOG.md": "Changelog", "LICENSE": "License"}
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
{types}</Types>
"""


def manifest(folder, target):
    package = json.loads((folder / "extension/package.json").read_text())
    assets = "".join(f'    <Asset Type="Microsoft.VisualStudio.Services.Content.{kind}" Path="extension/{name}" '
                     'Addressable="true"/>\n' for name, kind in ASSETS.items() if (folder / "extension" / name).exists())
    return MANIFEST.format(
        name=quoteattr(package["name"]), version=quoteattr(package["version"]),
        publisher=quoteattr(package["publisher"]), target=f" TargetPlatform={quoteattr(target)}" if target else "",
        display_name=escape(package.get("displayName", package["name"])), description=escape(package["description"]),
        tags=escape(",".join(package.get("keywords", []))), categories=escape(",".join(package.get("categories", ["Other"]))),
        engine=quoteattr(package["engines"]["vscode"]), kind=quoteattr(",".join(package["extensionKind"])),
        source=quoteattr(package["repository"]["url"]), assets=assets)


def content_types(folder):
    suffixes = {path.suffix for path in (folder / "extension").rglob("*") if path.is_file()} - {""} | {".vsixmanifest"}
    return TYPES.format(types="".join(
        f"  <Default Extension={quoteattr(suffix)} ContentType=\"application/octet-stream\"/>\n" for suffix in sorted(suffixes)))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    (folder / "extension.vsixmanifest").write_text(manifest(folder, sys.argv[2] if len(sys.argv) == 3 else ""))
    (folder / "[Content_Types].xml").write_text(content_types(folder))


if __name__ == "__main__":
    main()
