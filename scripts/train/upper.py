"""Layers of BERT, read from exported models, trained, and coded again."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from onnx.external_data_helper import load_external_data_for_model
from torch import nn
from torch.nn import functional as F

from weights import HEAD_WIDTH, NORM_EPSILON, coded

WIDTH = 384


class Layer(nn.Module):
    """A layer of BERT, or one with fewer heads or neurons."""

    def __init__(self, width=WIDTH, neurons=4 * WIDTH, heads=WIDTH // HEAD_WIDTH):
        super().__init__()
        self.mixed, self.joined = nn.Linear(width, 3 * heads * HEAD_WIDTH), nn.Linear(heads * HEAD_WIDTH, width)
        self.wide, self.narrow = nn.Linear(width, neurons), nn.Linear(neurons, width)
        self.norms = nn.ModuleList([nn.LayerNorm(width, eps=NORM_EPSILON) for _ in range(2)])
        self.drop = nn.Dropout(0.1)

    def forward(self, rows, mask):
        texts, length, width = rows.shape
        query, key, value = self.mixed(rows).view(texts, length, 3, -1, HEAD_WIDTH).permute(2, 0, 3, 1, 4)
        if rows.is_cuda:
            seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        else:  # Spelt out: for short texts the fused operator takes longer on a CPU.
            scores = (query @ key.transpose(-1, -2)) * HEAD_WIDTH**-0.5
            seen = scores.masked_fill(~mask[:, None, None, :], -1e4).softmax(-1).to(value.dtype) @ value
        mixed = self.joined(seen.transpose(1, 2).reshape(texts, length, -1))
        rows = self.norms[0](rows + self.drop(mixed))
        return self.norms[1](rows + self.drop(self.narrow(F.gelu(self.wide(rows)))))


class Lower(nn.Module):
    """What the encoder does up to its lower layers; the word vectors never change."""

    def __init__(self, tensors, layers, neurons=4 * WIDTH, heads=WIDTH // HEAD_WIDTH):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(table(tensors, "word_embeddings"), freeze=True)
        self.places = nn.Parameter(table(tensors, "position_embeddings"))
        self.segment = nn.Parameter(torch.from_numpy(np.array(tensors["segment_table"])))
        self.norm = nn.LayerNorm(WIDTH, eps=NORM_EPSILON)
        self.layers = nn.ModuleList([Layer(neurons=neurons, heads=heads) for _ in layers])
        norm = {f"norm.{kind}": torch.from_numpy(np.array(tensors[f"embeddings.LayerNorm.{kind}"])) for kind in ("weight", "bias")}
        self.load_state_dict(layers_from(tensors, layers) | norm, strict=False)

    def first(self, ids, further=0):
        """What the layers begin with. `further` is added to the word vectors: which of two texts a word is of."""
        return self.norm(self.words(ids) + self.places[: ids.shape[1]] + self.segment + further)

    def forward(self, ids, mask):
        rows = self.first(ids)
        for layer in self.layers:
            rows = layer(rows, mask)
        return rows


class Upper(nn.Module):
    """The rest of the encoder: a text's vector, its tokens' vectors, and how much each token decides."""

    def __init__(self, tensors, layers):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in layers])
        self.heads = nn.Linear(WIDTH, len(tensors["heads.bias"]))
        heads = {"heads.weight": torch.from_numpy(matrix(tensors, "heads")), "heads.bias": torch.from_numpy(np.array(tensors["heads.bias"]))}
        self.load_state_dict(layers_from(tensors, layers) | heads)

    def forward(self, rows, mask):
        for layer in self.layers:
            rows = layer(rows, mask)
        heads, weight = self.heads(rows).float(), mask.unsqueeze(-1).float()
        vector = (rows.float() * weight).sum(1) / weight.sum(1)
        return F.normalize(vector, dim=-1), F.normalize(heads[..., :-1], dim=-1), heads[..., -1]


def table(tensors, name):
    return torch.from_numpy(tensors[f"{name}.codes"].astype(np.float32) * tensors[f"{name}.scales"])


def tensors_of(path: Path) -> dict[str, np.ndarray]:
    """The values of an exported model."""
    model = onnx.load(str(path), load_external_data=False)
    load_external_data_for_model(model, str(path.parent))
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}


def matrix(tensors, name):
    return (tensors[f"{name}.codes"].astype(np.float32) * tensors[f"{name}.scales"]).T.copy()


def layers_from(tensors, indices) -> dict[str, torch.Tensor]:
    """Exported layers under the names that a list `layers` of `Layer` has."""
    state = {}
    for at, index in enumerate(indices):
        own, theirs = f"layers.{at}", f"encoder.layer.{index}"
        state |= {f"{own}.mixed.weight": matrix(tensors, f"{theirs}.attention.self")}
        state |= {f"{own}.mixed.bias": tensors[f"{theirs}.attention.bias"]}
        state |= {f"{own}.wide.weight": matrix(tensors, f"{theirs}.intermediate")}
        state |= {f"{own}.wide.bias": tensors[f"{theirs}.intermediate.bias"]}
        for norm, (name, part) in enumerate((("joined", "attention.output"), ("narrow", "output"))):
            state |= {f"{own}.{name}.weight": matrix(tensors, f"{theirs}.{part}")}
            state |= {f"{own}.{name}.bias": tensors[f"{theirs}.{part}.dense.bias"]}
            for kind in ("weight", "bias"):
                state |= {f"{own}.norms.{norm}.{kind}": tensors[f"{theirs}.{part}.LayerNorm.{kind}"]}
    return {name: torch.from_numpy(np.array(value)) for name, value in state.items()}


class Weights(dict):
    """Tensors as export_onnx.py takes them: matrices in 8 bits."""

    def put(self, name, value):
        if value.ndim == 2:
            self[f"{name}.q"], self[f"{name}.s"] = coded(value)
        else:
            self[name] = value

    def put_linear(self, name, state, own):
        for kind in ("weight", "bias"):
            self.put(f"{name}.{kind}", state[f"{own}.{kind}"])


def layers_to(weights: Weights, state: dict[str, np.ndarray], indices) -> None:
    """The other way round."""
    weights["embeddings.LayerNorm.weight"] = np.ones(WIDTH, np.float32)
    for at, index in enumerate(indices):
        own, theirs = f"layers.{at}", f"encoder.layer.{index}"
        for kind in ("weight", "bias"):
            for part, value in zip(("query", "key", "value"), np.split(state[f"{own}.mixed.{kind}"], 3)):
                weights.put(f"{theirs}.attention.self.{part}.{kind}", value)
            for norm, part in enumerate(("attention.output", "output")):
                weights.put(f"{theirs}.{part}.LayerNorm.{kind}", state[f"{own}.norms.{norm}.{kind}"])
        weights.put_linear(f"{theirs}.intermediate.dense", state, f"{own}.wide")
        weights.put_linear(f"{theirs}.attention.output.dense", state, f"{own}.joined")
        weights.put_linear(f"{theirs}.output.dense", state, f"{own}.narrow")


def layers_back(weights: dict[str, np.ndarray], indices) -> dict[str, torch.Tensor]:
    """What `layers_to` wrote, in floats, under the names that a list `layers` of `Layer` has."""
    state = {}
    for at, index in enumerate(indices):
        own, theirs = f"layers.{at}", f"encoder.layer.{index}"
        for kind in ("weight", "bias"):
            state[f"{own}.mixed.{kind}"] = np.concatenate([weights[f"{theirs}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")])
            for name, part in (("wide", "intermediate"), ("joined", "attention.output"), ("narrow", "output")):
                state[f"{own}.{name}.{kind}"] = weights[f"{theirs}.{part}.dense.{kind}"]
            for norm, part in enumerate(("attention.output", "output")):
                state[f"{own}.norms.{norm}.{kind}"] = weights[f"{theirs}.{part}.LayerNorm.{kind}"]
    return {name: torch.from_numpy(np.array(value)) for name, value in state.items()}


def numpy_state(model: nn.Module) -> dict[str, np.ndarray]:
    return {name: value.detach().float().cpu().numpy() for name, value in model.state_dict().items()}
