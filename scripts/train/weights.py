"""How trained weights are kept between the scripts here: under BERT's names, large matrices ([out, in]) as 8-bit rows
(`name.q`) with their scales (`name.s`), the rest in half precision."""

from pathlib import Path

import numpy as np

HEAD_WIDTH = 32
NORM_EPSILON = 1e-12
LARGEST_CODE = 127
# Smaller matrices are not worth rounding.
SMALLEST_CODED = 5_000


def read_weights(paths: list[Path]) -> dict[str, np.ndarray]:
    weights: dict[str, np.ndarray] = {}
    for path in paths:
        with np.load(path) as parts:
            weights |= {name: parts[name] for name in parts.files}
    return weights


def write_weights(path: Path, tensors: dict[str, np.ndarray]) -> None:
    stored: dict[str, np.ndarray] = {}
    for name, value in tensors.items():
        if value.ndim == 2 and value.size > SMALLEST_CODED:
            stored[f"{name}.q"], stored[f"{name}.s"] = coded(value)
        else:
            stored[name] = value.astype(np.float16)
    np.savez_compressed(path, **stored)


def coded(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """8-bit rows, each with its own scale."""
    scales = np.abs(rows).max(1, keepdims=True) / LARGEST_CODE + 1e-12
    return np.round(rows / scales).astype(np.int8), scales.astype(np.float32)


def floats(weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A tensor in floats, whatever it is stored in."""
    if f"{name}.q" in weights:
        return weights[f"{name}.q"].astype(np.float32) * weights[f"{name}.s"]
    return weights[name].astype(np.float32)


def all_floats(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Every tensor in floats, under its own name."""
    names = {name.removesuffix(".q") for name in weights if not name.endswith(".s")}
    return {name: floats(weights, name) for name in sorted(names)}


def layer_count(weights: dict[str, np.ndarray]) -> int:
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
