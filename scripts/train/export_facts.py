"""Writes a trained facts model as the files that src/models/facts loads: facts.onnx, facts-names.onnx and labels.json.

    python3 export_facts.py TRAINED WEIGHTS LABELS

TRAINED is what facts.py wrote. The encoder, where it learnt along, is written as TRAINED/encoder.npz, for export_onnx.py.

facts.onnx goes on with the `rows` of the encoder's lower layers (export_onnx.py) and the number of the text's source. It
gives what its own layers have `read` of each piece, the `kinds` of what ends at each piece, and three grids over pieces: `pairs` (subject,
object), `starts` (end, start of a span) and `words` (object, word of its predicate). facts-names.onnx names what was
found: `relations` and flags of facts from the rows of subject, object and predicate, `edits` of the predicate's words.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from export_onnx import EXIT_LAYERS, Graph, add, begun, finished, layers, multiply, write
from facts import HIDDEN, ROLES
from facts_data import FLAGS, SOURCES
from upper import WIDTH, Weights, layers_to, tensors_of
from weights import all_floats, read_weights

LAYERS = range(EXIT_LAYERS, 12)


def value(name: str, kind: int, *shape) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, list(shape))


def build_facts(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = begun(weights)
    source = graph.node("source.row", "Gather", graph.constant("sources", weights["source"]), "source")
    rows = layers(graph, graph.node("told", "Add", "rows", source), LAYERS)
    graph.node("read", "Identity", rows)
    add(graph, "kinds", multiply(graph, "kind", ["kind"], rows), "kind.bias")
    bias = graph.constant("roles.bias", np.concatenate([graph.floats(f"roles.{role}.bias") for role in ROLES]))
    joined = multiply(graph, "roles", [f"roles.{role}" for role in ROLES], rows)
    active = graph.node("roles.active", "BiasGelu", joined, bias, domain="com.microsoft")
    sizes = graph.constant("roles.split", np.array([HIDDEN] * len(ROLES), np.int64))
    parts = graph.split([f"roles.{role}.rows" for role in ROLES], active, sizes)
    # A row of ones beside each row, so that a product also has what each side says alone.
    column = graph.constant("column", np.array([1], np.int64))
    shape = graph.node("ones.shape", "Concat", "row_shape", column, axis=0)
    ones = graph.node("ones", "Expand", "one", shape)
    padded = {role: graph.node(f"{role}.padded", "Concat", part, ones, axis=1) for role, part in zip(ROLES, parts)}
    for name, left, grid, right in (
        ("pairs", "subject", "pair", "object"),
        ("starts", "end", "start", "start"),
        ("words", "holder", "word", "word"),
    ):
        turned = graph.node(f"{name}.turned", "Transpose", padded[right], perm=[1, 0])
        half = graph.node(f"{name}.half", "MatMul", padded[left], graph.constant(f"{name}.grid", weights[grid]))
        graph.node(name, "MatMul", half, turned)
    inputs = [value("rows", TensorProto.FLOAT, "rows", WIDTH), value("source", TensorProto.INT64)]
    outputs = [value("read", TensorProto.FLOAT, "rows", WIDTH), value("kinds", TensorProto.FLOAT, "rows", "kinds")]
    outputs += [value(name, TensorProto.FLOAT, "rows", "rows") for name in ("pairs", "starts", "words")]
    return finished(graph, ["token_ids"], inputs, outputs)


def head(graph: Graph, name: str, part: str) -> None:
    """Two layers over rows of their own number."""
    size = graph.node(f"{name}.size", "Shape", f"{name}.rows")
    first, column = graph.constant(f"{name}.first", np.array([0], np.int64)), graph.constant(f"{name}.one", np.array([1], np.int64))
    count = graph.node(f"{name}.count", "Slice", size, first, column)
    centres = graph.node(f"{name}.centres", "Expand", "centre", count)
    hidden = multiply(graph, f"{name}.hidden", [f"{part}.0"], f"{name}.rows", centres)
    bias = graph.constant(f"{part}.0.bias", graph.floats(f"{part}.0.bias"))
    active = graph.node(f"{name}.active", "BiasGelu", hidden, bias, domain="com.microsoft")
    add(graph, name, multiply(graph, f"{name}.classes", [f"{part}.1"], active, centres), f"{part}.1.bias")


def build_names(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = Graph(weights)
    graph.constant("as_list", np.array([-1], np.int64))
    graph.constant("one", np.float32(1))
    graph.constant("one_step", np.float32(1 / 127))
    graph.constant("centre", np.uint8(128))
    head(graph, "relations", "relation")
    head(graph, "edits", "edit")
    inputs = [
        value("relations.rows", TensorProto.FLOAT, "facts", 3 * WIDTH),
        value("edits.rows", TensorProto.FLOAT, "words", 2 * WIDTH),
    ]
    outputs = [value(name, TensorProto.FLOAT, count, "classes") for name, count in (("relations", "facts"), ("edits", "words"))]
    return finished(graph, [], inputs, outputs)


def write_encoder(trained: Path, folder: Path) -> None:
    """The encoder as export_onnx.py takes it. The word vectors are those it had."""
    lower, upper = (all_floats(read_weights([trained / f"encoder-{part}.npz"])) for part in ("lower", "upper"))
    before, weights = tensors_of(folder / "encoder-lower.onnx"), Weights()
    layers_to(weights, lower, range(EXIT_LAYERS))
    layers_to(weights, upper, LAYERS)
    weights["embeddings.word_embeddings.weight.q"] = before["word_embeddings.codes"]
    weights["embeddings.word_embeddings.weight.s"] = before["word_embeddings.scales"]
    weights.put("embeddings.position_embeddings.weight", lower["places"])
    weights["embeddings.token_type_embeddings.weight"] = lower["segment"][None]
    for kind in ("weight", "bias"):
        weights[f"embeddings.LayerNorm.{kind}"] = lower[f"norm.{kind}"]
        weights.put(f"proj.{kind}", upper[f"heads.{kind}"][:-1])
        weights.put(f"imp.{kind}", upper[f"heads.{kind}"][-1:])
    np.savez_compressed(trained / "encoder.npz", **weights)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("trained", type=Path)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("labels", type=Path)
    options = arguments.parse_args()
    if (options.trained / "encoder-lower.npz").exists():
        write_encoder(options.trained, options.weights)
    state, labels = all_floats(read_weights([options.trained / "facts.npz"])), json.loads((options.trained / "labels.json").read_text())
    weights = Weights()
    layers_to(weights, state, LAYERS)
    for part in ("kind", *(f"roles.{role}" for role in ROLES), "relation.0", "relation.1", "edit.0", "edit.1"):
        weights.put_linear(part, state, part)
    for part in ("source", "pair", "start", "word"):
        weights[part] = state[part].astype(np.float32)
    write(build_facts(weights), options.weights, "facts")
    write(build_names(weights), options.weights, "facts-names")
    named = {"sources": SOURCES, "flags": FLAGS}
    named |= {name: labels[name] for name in ("calibration", "kinds", "relations", "edits")}
    options.labels.write_text(json.dumps(named) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
