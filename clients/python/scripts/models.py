"""Writes models.py from the OpenAPI document on standard input; compares it with --check."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src" / "memoryd_client" / "models.py"
HEAD = '"""What memoryd answers, printed by `npm run build types`; not to be edited."""\n'
BOUNDS = {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"}


def without_bounds(node: object) -> object:
    """The server checks bounds; a client that knew them would refuse what a later server allows."""
    if isinstance(node, dict):
        return {name: without_bounds(value) for name, value in node.items() if name not in BOUNDS}
    if isinstance(node, list):
        return [without_bounds(one) for one in node]
    return node


def main() -> None:
    document = without_bounds(json.load(sys.stdin))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "openapi.json")
        source.write_text(json.dumps(document), encoding="utf8")
        options = ["--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"]
        options += ["--target-python-version", "3.10", "--use-standard-collections", "--use-union-operator"]
        options += ["--use-double-quotes", "--disable-timestamp", "--enum-field-as-literal", "all"]
        options += ["--collapse-root-models", "--use-field-description", "--formatters", "black", "isort"]
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), *options]
        printed = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf8").stdout
    body = printed.split("\n\n", 1)[1].lstrip("\n")
    printed = HEAD + "\n" + body
    if "--check" not in sys.argv:
        TARGET.write_text(printed, encoding="utf8")
    elif TARGET.read_text(encoding="utf8") != printed:
        sys.exit("models.py is not what the server offers: npm run build types")


main()
