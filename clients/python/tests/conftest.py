"""A real memoryd process of this checkout, with the models that ship."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Server:
    url: str
    key: str


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="memoryd-python-") as folder:
        environment = {**os.environ, "PORT": "0", "DATA_DIR": folder, "LOG_LEVEL": "error"}
        command = [os.environ.get("MEMORYD_NODE", "node"), str(ROOT / "src" / "main.ts")]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            url, key = (_read(process, Path(folder, name)) for name in ("address", "default-key"))
            while not httpx.get(f"{url}/brain/health").json().get("ready"):
                time.sleep(0.05)
            yield Server(url, key)
        finally:
            process.terminate()
            process.wait()


def _read(process: subprocess.Popen[bytes], path: Path) -> str:
    while True:
        if path.exists() and (text := path.read_text().strip()):
            return text
        assert process.poll() is None, "memoryd ended before it was ready"
        time.sleep(0.05)
