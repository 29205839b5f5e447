"""What of a dashboard Grafana's own schema does not know, one line each: `schema.py dashboard.json…`.

The schema is that of grafana-foundation-sdk, whose version is Grafana's. It reads what it knows and leaves the rest out,
and takes any value; so what does not come back was misspelt, and values are held to the types it declares.
"""

import enum
import json
import sys
import types
import typing

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard, RowPanel


def lost(before, after, where=""):
    """Names the members of `before` that are not in `after`, or are others there."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name, value in before.items():
            if name in after:
                yield from lost(value, after[name], f"{where}.{name}")
            elif value is not None:
                yield f"no such member: {where}.{name}"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, (one, other) in enumerate(zip(before, after)):
            yield from lost(one, other, f"{where}[{i}]")
    elif before != after:
        yield f"no such value: {where}"


def mistyped(value, hint, where=""):
    """Names the parts of `value` that are not of the type `hint`."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        found = [list(mistyped(value, one, where)) for one in inner]
        if [] not in found:
            yield from found[0]
    elif origin is typing.Literal:
        if value not in inner:
            yield f"not one of {inner}: {where}"
    elif origin is list:
        if not isinstance(value, list):
            yield f"not a list: {where}"
        else:
            for i, one in enumerate(value):
                yield from mistyped(one, inner[0], f"{where}[{i}]")
    elif origin is dict:
        if not isinstance(value, dict):
            yield f"not an object: {where}"
        else:
            for name, one in value.items():
                yield from mistyped(one, inner[1], f"{where}.{name}")
    elif isinstance(hint, type) and issubclass(hint, enum.Enum):
        if value not in [one.value for one in hint]:
            yield f"not a {hint.__name__}: {where}"
    elif hint is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            yield f"not a number: {where}"
    elif hint in (str, int, bool, type(None)):
        if type(value) is not hint:
            yield f"not of type {hint.__name__}: {where}"
    elif hasattr(type(value), "from_json"):
        for name, one in typing.get_type_hints(type(value)).items():
            yield from mistyped(getattr(value, name), one, f"{where}.{name}")
    elif isinstance(hint, type) and hasattr(hint, "from_json"):
        yield f"not a {hint.__name__}: {where}"


def drawn(panels):
    """Yields the panels, and those in rows in place of these."""
    for panel in panels or []:
        if isinstance(panel, RowPanel):
            yield from panel.panels
        else:
            yield panel


def unread(dashboard):
    """Panels whose options, fields or queries no plugin of Grafana's has read."""
    for panel in drawn(dashboard.panels):
        custom = panel.field_config.defaults.custom if panel.field_config else None
        for part in (panel.options, custom, *(panel.targets or [])):
            if isinstance(part, dict):
                yield f"no plugin reads it: {panel.title}"


def faults(path):
    """Yields what is wrong with the dashboard of a file."""
    with open(path, encoding="utf-8") as file:
        before = json.load(file)
    try:
        dashboard = Dashboard.from_json(before)
        after = json.loads(JSONEncoder().encode(dashboard))
    except (AttributeError, KeyError, TypeError, ValueError) as e:
        yield f"not readable: {e}"
        return
    yield from (*lost(before, after), *mistyped(dashboard, Dashboard), *unread(dashboard))


def main():
    register_default_plugins()
    for path in sys.argv[1:]:
        for fault in faults(path):
            print(f"{path}: {fault}")


main()
