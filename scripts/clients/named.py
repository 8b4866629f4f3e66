"""Rewrites docs/openapi.json for type generators: DOCUMENT OUT.

What answers are wrapped in is left out (the clients unwrap it), and every object inside another gets a name that
follows from its position, in place of the numbers that generators would give.
"""

import json
import sys

# Names that are reserved in a language.
RENAMED = {"Error": "ItemError", "Event": "TaskEvent", "File": "OutputFile", "Record": "PointsRecord", "Warning": "Remark"}


def cap(name):
    return name[:1].upper() + name[1:]


def name_objects(schema, name):
    """Adds titles to the objects below; `name` is their position."""
    if not isinstance(schema, dict):
        return
    for key, inner in schema.get("properties", {}).items():
        place = name if key == "params" else name + cap(key)
        if "properties" in inner:
            inner["title"] = name + cap(key)
        elif inner.get("type") == "object":
            # Without this, the object would have no members.
            inner.setdefault("additionalProperties", True)
        items = inner.get("items")
        if isinstance(items, dict) and "properties" in items:
            entry = name + cap(key.removesuffix("List").removesuffix("s"))
            items["title"] = entry
            name_objects(items, entry)
        elif isinstance(items, dict) and "$ref" not in items:
            # Bounds would turn a plain number into a separate type.
            kept = ("type", "enum", "items", "additionalProperties")
            inner["items"] = {kind: items[kind] for kind in kept if kind in items}
        name_objects(inner, place)


def merged(schema, schemas):
    """Merges the parts of an object into one object."""
    whole = {"type": "object", "description": schema["description"], "required": [], "properties": {}}
    for part in schema["allOf"]:
        part = schemas[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
        whole["required"] += part.get("required", [])
        whole["properties"] |= part["properties"]
    return whole


def inline_open_objects(described):
    """Objects with any members in place of their names: a named type without members would accept none."""
    schemas = described["components"]["schemas"]
    names = [name for name, schema in schemas.items() if schema.get("additionalProperties") is True]
    texts = {name: {**schemas.pop(name), "type": "object"} for name in names}

    def replaced(value):
        if isinstance(value, list):
            return [replaced(entry) for entry in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref", "").rsplit("/", 1)[-1] if isinstance(value.get("$ref"), str) else ""
        if reference in texts:
            return texts[reference] | {key: text for key, text in value.items() if key != "$ref"}
        return {key: replaced(inner) for key, inner in value.items()}

    for name, schema in schemas.items():
        schemas[name] = replaced(schema)


def main(document, out):
    with open(document, encoding="utf-8") as file:
        text = file.read()
    for name, other in RENAMED.items():
        text = text.replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/{other}"')
    described = json.loads(text)
    described["components"] = {"schemas": {RENAMED.get(k, k): v for k, v in described["components"]["schemas"].items()}}
    schemas = described["components"]["schemas"]
    for name in [name for name in schemas if name.startswith("Answer")]:
        answer = schemas.pop(name)
        bare = name.removeprefix("Answer")
        schemas.setdefault(RENAMED.get(bare, bare), answer["properties"]["data"])
    for name, schema in schemas.items():
        if "allOf" in schema:
            schemas[name] = merged(schema, schemas)
    inline_open_objects(described)
    known = {json.dumps(schema): name for name, schema in schemas.items()}
    for name, schema in schemas.items():
        if name.startswith("Page") and "$ref" not in schema["properties"]["list"]["items"]:
            entries = schema["properties"]["list"]
            entry = merged(entries["items"], schemas) if "allOf" in entries["items"] else entries["items"]
            entries["items"] = {"$ref": f"#/components/schemas/{known[json.dumps(entry)]}"}
        name_objects(schema, name.removesuffix("Request"))
    described["paths"] = {}
    with open(out, "w", encoding="utf-8") as file:
        json.dump(described, file)


main(*sys.argv[1:])
