"""Every example of the README runs and prints something."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Server

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(server: Server, example: str) -> None:
    environment = {**os.environ, "MEMORYD_URL": server.url, "MEMORYD_API_KEY": server.key}
    command = [sys.executable, "-c", example]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() != ""
