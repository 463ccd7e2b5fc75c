"""Runs a trained encoder in plain floats and writes what it says of a few texts, for the test of the shipped files.

    python3 reference.py OUT.json WEIGHTS.npz...
"""

import json
import sys
from math import erf
from pathlib import Path

import numpy as np

from weights import HEAD_WIDTH, NORM_EPSILON, floats, layer_count, read_weights

TEXTS = {
    "I live in Lisbon.": [101, 1045, 2444, 1999, 11929, 1012, 102],
    "Where do I live?": [101, 2073, 2079, 1045, 2444, 1029, 102],
    "My sister Maria works at Siemens in Munich.": [101, 2026, 2905, 3814, 2573, 2012, 22108, 1999, 7469, 1012, 102],
    "The staging database listens on port 5433.": [101, 1996, 15308, 7809, 4952, 2015, 2006, 3417, 5139, 22394, 1012, 102],  # fmt: skip
}
# Numbers kept of each vector: enough to tell a right answer from a wrong one.
KEPT = 12


class Model:
    def __init__(self, weights: dict[str, np.ndarray]):
        self.weights = weights

    def tensor(self, name: str) -> np.ndarray:
        return floats(self.weights, name)

    def linear(self, name: str, rows: np.ndarray) -> np.ndarray:
        return rows @ self.tensor(f"{name}.weight").T + self.tensor(f"{name}.bias")

    def normal(self, name: str, rows: np.ndarray) -> np.ndarray:
        centred = rows - rows.mean(-1, keepdims=True)
        unit = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + NORM_EPSILON)
        return unit * self.tensor(f"{name}.LayerNorm.weight") + self.tensor(f"{name}.LayerNorm.bias")

    def attend(self, name: str, rows: np.ndarray) -> np.ndarray:
        count, width = rows.shape
        query, key, value = (
            self.linear(f"{name}.{role}", rows).reshape(count, -1, HEAD_WIDTH).transpose(1, 0, 2)
            for role in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(HEAD_WIDTH)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        return (shares @ value).transpose(1, 0, 2).reshape(count, width)

    def hidden(self, ids: list[int]) -> np.ndarray:
        tables = [self.tensor(f"embeddings.{kind}_embeddings.weight") for kind in ("word", "position", "token_type")]
        rows = self.normal("embeddings", tables[0][ids] + tables[1][: len(ids)] + tables[2][0])
        for index in range(layer_count(self.weights)):
            layer = f"encoder.layer.{index}"
            attended = self.attend(f"{layer}.attention.self", rows)
            turned = self.linear(f"{layer}.attention.output.dense", attended)
            middle = self.normal(f"{layer}.attention.output", rows + turned)
            wide = self.linear(f"{layer}.intermediate.dense", middle)
            active = wide * (1 + np.vectorize(erf)(wide / np.sqrt(2))) / 2
            rows = self.normal(f"{layer}.output", middle + self.linear(f"{layer}.output.dense", active))
        return rows


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def describe(model: Model, text: str, ids: list[int]) -> dict:
    rows = model.hidden(ids)
    importance = 1 / (1 + np.exp(-model.linear("imp", rows)[:, 0]))
    return {
        "text": text,
        "ids": ids,
        "vector": unit(rows.mean(0))[:KEPT].round(5).tolist(),
        "tokens": unit(model.linear("proj", rows))[:, :KEPT].round(4).tolist(),
        "importance": importance.round(4).tolist(),
    }


if __name__ == "__main__":
    trained = Model(read_weights([Path(path) for path in sys.argv[2:]]))
    answers = [describe(trained, text, ids) for text, ids in TEXTS.items()]
    Path(sys.argv[1]).write_text(json.dumps(answers) + "\n")
