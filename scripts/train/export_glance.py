"""Writes the trained glance as the files that src/models/reader loads as they are: glance.onnx and glance.bin.

    python3 export_glance.py FOLDER OUT/glance.npz

Inputs, one list of texts and a question a run: `tokens` (token vectors, a row of zeros for the mark before all), `signs`, `kinds` and
`places` of each as glance.py says, and `parts`, which has for each of the texts the share of every token. `answers` says of each text
whether it answers.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from export_onnx import CENTRE, OPSET, Graph, add, layers, normalize, pair_output, token_shares, write
from weights import LARGEST_CODE, NORM_EPSILON, layer_count, read_weights


def shapes(graph: Graph, width: int) -> None:
    graph.constant("as_rows", np.array([-1, width], np.int64))
    graph.constant("as_texts", np.array([1, -1, width], np.int64))
    graph.constant("as_list", np.array([-1], np.int64))
    graph.constant("thirds", np.array([width] * 3, np.int64))
    graph.constant("first_place", np.array([0], np.int64))
    graph.constant("norm_epsilon", np.float32(NORM_EPSILON))
    graph.constant("one", np.float32(1))
    graph.constant("one_step", np.float32(1 / LARGEST_CODE))
    graph.constant("centre", np.uint8(CENTRE))
    graph.node("centres", "Expand", "centre", graph.node("row_shape", "Shape", "kinds"))


def embedded(graph: Graph) -> str:
    """What is known of each token, as rows."""
    matrices = {name: graph.constant(f"{name}.matrix", graph.floats(f"{name}.weight").T) for name in ("tokens", "signs")}
    vectors = add(graph, "tokens.rows", graph.node("tokens.product", "MatMul", "tokens", matrices["tokens"]), "tokens.bias")
    rows = graph.node("signed", "Add", vectors, graph.node("signs.rows", "MatMul", "signs", matrices["signs"]))
    for name in ("kinds", "places"):
        table = graph.constant(f"{name}.table", graph.floats(name))
        rows = graph.node(f"with_{name}", "Add", rows, graph.node(f"{name}.rows", "Gather", table, name))
    return normalize(graph, "embeddings", rows)


def build(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = Graph(weights)
    shapes(graph, len(weights["tokens.bias"]))
    rows = layers(graph, embedded(graph), range(layer_count(weights)))
    means = graph.node("means", "MatMul", "parts", rows)
    first = graph.node("first", "Gather", rows, "first_place")
    firsts = graph.node("firsts", "Expand", first, graph.node("means.shape", "Shape", means))
    joined = graph.node("joined", "Concat", firsts, means, axis=1)
    count = graph.node("count", "Gather", graph.node("parts.shape", "Shape", "parts"), "first_place")
    output = pair_output(graph, joined, graph.node("text_centres", "Expand", "centre", count), "answers", "head", "")
    floats = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["length", f"{name}_width"]) for name in ("tokens", "signs")]
    numbers = [helper.make_tensor_value_info(name, TensorProto.INT64, ["length"]) for name in ("kinds", "places")]
    whole = helper.make_graph(graph.nodes, "glance", [*floats, *numbers, token_shares()], [output], graph.constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(whole, opset_imports=opsets, ir_version=8, producer_name="memoryd")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("weights", type=Path)
    options = arguments.parse_args()
    write(build(read_weights([options.weights])), options.folder, "glance")


if __name__ == "__main__":
    main()
