"""Writes a page for every class of the Python package, and one for every module of functions.

    python python_api.py FOLDER

The docstrings are read by griffe, without importing the package; no native module is needed.
"""

import json
import re
import sys
from pathlib import Path

import griffe

ROOT = Path(__file__).resolve().parents[3]
#: Modules whose functions and classes are on one page each.
MODULES = ["datasets", "quality", "regression", "scanpy.pp", "scanpy.tl", "arrow", "spark"]
#: Where the functions that all estimators have are explained.
BASE = "Estimator"


def plain(text):
    """Text of a docstring as Markdown: code stays code, and nothing else is markup."""
    text = re.sub(r"``(.+?)``", r"`\1`", text, flags=re.DOTALL)
    parts = re.split(r"(`[^`]+`)", text)
    escaped = [re.sub(r"([*_<\[\]{}|])", lambda found: f"&#{ord(found[1])};", part) for part in parts]
    return "".join(parts[at] if at % 2 else escaped[at] for at in range(len(parts)))


def paragraphs(text):
    """Paragraphs; an indented one after `::` is a program."""
    made, program = [], False
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if program and block.startswith("    "):
            made.append("```python\n" + "\n".join(line[4:] for line in block.split("\n")) + "\n```")
            continue
        program = block.rstrip().endswith("::")
        made.append(plain(re.sub(r"::\s*$", ":", block.rstrip())))
    return "\n\n".join(made)


def one_line(text):
    return plain(" ".join((text or "").split()))


def entry(item, types):
    """A parameter, attribute or result as an item of a list."""
    name = getattr(item, "name", "")
    kind = types.get(name) or str(item.annotation or "")
    head = " ".join(part for part in (f"**`{name}`**" if name else "", f"*{one_line(kind)}*" if kind else "") if part)
    return f"- {head}: {one_line(item.description)}"


def docstring(thing):
    made = []
    if not thing.docstring:
        return ""
    # As they are written, the first of each name: choices and defaults are no Python expressions.
    types = dict(reversed(re.findall(r"^(\*{0,2}\w+) : (.+)$", thing.docstring.value, flags=re.MULTILINE)))
    for section in thing.docstring.parsed:
        kind, value = section.kind.value, section.value
        if kind == "text":
            made.append(paragraphs(value))
        elif kind in ("parameters", "attributes", "returns", "raises", "yields"):
            made.append(f"**{kind.capitalize()}**\n\n" + "\n".join(entry(item, {} if kind == "returns" else types) for item in value))
        elif kind == "admonition":
            made.append(f"**{section.title}**\n\n{paragraphs(value.description)}")
        elif kind == "examples":
            lines = [text if text_kind.value == "examples" else f"# {text}" for text_kind, text in value]
            made.append("**Examples**\n\n```python\n" + "\n\n".join(lines) + "\n```")
    return "\n\n".join(made)


def signature(thing, name):
    given = []
    names = [parameter for parameter in thing.parameters if parameter.name not in ("self", "cls")]
    for at, parameter in enumerate(names):
        kind = parameter.kind
        if kind == griffe.ParameterKind.keyword_only and (
            at == 0 or names[at - 1].kind == griffe.ParameterKind.positional_or_keyword
        ):
            given.append("*")
        stars = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}
        usual = f"={parameter.default}" if parameter.default is not None and kind not in stars else ""
        given.append(f"{stars.get(kind, '')}{parameter.name}{usual}")
    whole = f"{name}({', '.join(given)})"
    if len(whole) > 88:
        whole = f"{name}(\n" + "".join(f"    {part},\n" for part in given) + ")"
    return f"```python\n{whole}\n```"


def functions_of(thing):
    """Functions that a class documents itself."""
    own = [member for member in thing.members.values() if member.is_function and not member.name.startswith("_")]
    return [member for member in own if member.docstring and not member.has_labels("overload")]


def described(thing, name, level):
    """A class or function below a heading."""
    text = [f"{'#' * level} {name.rsplit('.', 1)[-1] if level > 1 else name}"]
    if thing.is_class:
        start = thing.members.get("__init__")
        text += [signature(start, name)] if start is not None and start.is_function else []
    else:
        text.append(signature(thing, name))
    text.append(docstring(thing))
    if thing.is_class:
        text += [described(function, function.name, level + 1) for function in functions_of(thing)]
    return "\n\n".join(part for part in text if part)


def page(folder, file, title, text):
    (folder / f"{file}.md").write_text(f"---\ntitle: {json.dumps(title)}\n---\n\n{text}\n", encoding="utf-8")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    package = griffe.load("swissroll", search_paths=[ROOT / "python"], docstring_parser=griffe.Parser.numpy)
    pages, functions = [], []
    for name in package.exports:
        thing = package[name]
        thing = thing.final_target if thing.is_alias else thing
        if thing.is_class and thing.docstring:
            bases = {base.name for base in thing.mro()} if thing.bases else set()
            shared = (
                f"\n\n`fit`, `fit_transform`, `transform` and `save`: see [what all estimators have](./{BASE}.md)."
                if BASE in bases or "_Registered" in bases
                else ""
            )
            page(folder, name, name, described(thing, f"swissroll.{name}", 1) + shared)
            pages.append(name)
        elif thing.is_function:
            functions.append((name, thing))
    text = "\n\n".join(described(thing, f"swissroll.{name}", 2) for name, thing in sorted(functions))
    page(folder, "functions", "Functions", f"# Functions of swissroll\n\n{text}")
    base = package["_base"][BASE]
    text = "\n\n".join(described(member, member.name, 2) for member in functions_of(base))
    page(folder, BASE, "What all estimators have", f"# What all estimators have\n\n{docstring(base)}\n\n{text}")
    for name in MODULES:
        module = package[name]
        own = [key for key, member in module.members.items() if not member.is_alias and not key.startswith("_")]
        known = module.exports or own
        things = [(key, module[key]) for key in sorted(known)]
        things = [(key, thing.final_target if thing.is_alias else thing) for key, thing in things]
        text = "\n\n".join(
            described(thing, f"swissroll.{name}.{key}", 2)
            for key, thing in things
            if thing.is_class or thing.is_function
        )
        page(folder, name, f"swissroll.{name}", f"# swissroll.{name}\n\n{docstring(module)}\n\n{text}")
    listed = "\n".join(f"- [{name}](./{name}.md)" for name in sorted(pages, key=str.lower))
    modules = "\n".join(f"- [swissroll.{name}](./{name}.md)" for name in MODULES)
    page(
        folder,
        "index",
        "Python API",
        "# Python API\n\n"
        f"Every estimator has [the same functions](./{BASE}.md).\n\n## Classes\n\n{listed}\n\n"
        f"## Functions\n\n- [Functions of swissroll](./functions.md)\n{modules}",
    )


main(Path(sys.argv[1]))
