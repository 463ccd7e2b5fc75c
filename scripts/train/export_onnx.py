"""Writes a trained model as the files that src/models/reader loads as they are: NAME.onnx, NAME.bin and words.bin.

    python3 export_onnx.py FOLDER NAME WEIGHTS.npz...

The weights are those of a BERT encoder, kept as weights.py says. What the model answers follows from the heads among
them:

    proj, imp   an encoder, written as two models: NAME-lower has the first layers and gives `rows`, NAME-upper makes of
                them `vector` (mean over a text's tokens), `tokens` (one unit vector a token, in 1/127) and `importance`
                (0 to 1, of each token). The facts model goes on with the same rows (export_facts.py)
    start, exit, final
                a judge of pairs, written as three models: NAME-lower has the first layers and gives `logits`, and `rows`
                that NAME-middle goes on with where these are not enough, and after it NAME-upper. A second input, `segments`,
                says which of the two texts a token belongs to, a third one is the tokens' `words`: the word vectors of --words,
                which NAME-words gives once for all that read pairs

    exit_answers alone
                what reads for answers, written as NAME-reading. Before a question several texts may stand: the input `parts`
                has for each of them the share of every token, and `answers` says of each whether it answers

Input `token_ids`: texts x tokens. All texts of a run have the same length, so nothing is padded. Products run in 8
bits, and every activation row has its own scale, so a text's result is the same bit by bit alone and in any company. What
reads for answers takes one question at a time: there all rows share a scale, which one operator of onnxruntime finds,
codes by and multiplies with, in half the time.

The values are kept outside the graph, because onnxruntime maps such files instead of reading them: that saves their
size in memory once, and of the word vectors only the rows that occur are ever read. Models trained with the same
word vectors share words.bin; one with its own gets NAME-words.bin.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from weights import HEAD_WIDTH, LARGEST_CODE, NORM_EPSILON, coded, floats, layer_count, read_weights

# The unsigned code that stands for zero in quantised activations.
CENTRE = 128
# Layers of the lower of two models, and of the lowest of three.
EXIT_LAYERS, START_LAYERS = 6, 3
OPSET = 17
# Where mapped tensors may start.
PAGE = 4096


class Graph:
    """An ONNX graph under construction. Every node has one output, and is named after it."""

    def __init__(self, weights: dict[str, np.ndarray], alone: bool = False):
        """`alone`: it takes one input at a time, so all rows may share a scale."""
        self.weights, self.alone = weights, alone
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def node(self, output: str, operator: str, *inputs: str, domain: str = "", **attributes) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def split(self, outputs: list[str], source: str, sizes: str) -> list[str]:
        self.nodes.append(helper.make_node("Split", [source, sizes], outputs, axis=1))
        return outputs

    def floats(self, name: str) -> np.ndarray:
        return floats(self.weights, name)

    def codes(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """8-bit rows and their scales; made here where training left a small matrix in floats."""
        if f"{name}.q" in self.weights:
            return self.weights[f"{name}.q"], self.weights[f"{name}.s"].astype(np.float32)
        return coded(self.floats(name))


def multiply(graph: Graph, layer: str, parts: list[str], rows: str, centres: str = "centres", bias: str = "") -> str:
    """Rows times the matrices of these parts, side by side; with their biases, as a constant of this name, where one is given."""
    pairs = [graph.codes(f"{part}.weight") for part in parts]
    matrix = graph.constant(f"{layer}.codes", np.concatenate([codes for codes, _ in pairs]).T)
    scales = graph.constant(f"{layer}.scales", np.concatenate([scale for _, scale in pairs])[:, 0])
    added = [graph.constant(bias, np.concatenate([graph.floats(f"{part}.bias") for part in parts]))] if bias else []
    if graph.alone:
        inputs = [rows, matrix, scales, "", *added] if added else [rows, matrix, scales]
        return graph.node(f"{layer}.product", "DynamicQuantizeMatMul", *inputs, domain="com.microsoft")
    sizes = graph.node(f"{layer}.sizes", "Abs", rows)
    largest = graph.node(f"{layer}.largest", "ReduceMax", sizes, axes=[1], keepdims=1)
    steps = graph.node(f"{layer}.steps", "Mul", largest, "one_step")
    step_list = graph.node(f"{layer}.step_list", "Reshape", steps, "as_list")
    coded = graph.node(f"{layer}.coded", "QuantizeLinear", rows, step_list, centres, axis=0)
    scaled = graph.node(
        f"{layer}.scaled", "MatMulIntegerToFloat", coded, matrix, "one", scales, "centre", domain="com.microsoft"
    )
    product = graph.node(f"{layer}.product", "Mul", scaled, steps)
    return graph.node(f"{layer}.biased", "Add", product, *added) if added else product


def add(graph: Graph, output: str, rows: str, bias: str) -> str:
    return graph.node(output, "Add", rows, graph.constant(bias, graph.floats(bias)))


def normalize(graph: Graph, layer: str, rows: str) -> str:
    """Layer normalisation, spelt out where vectors and judgements must stay as they are: onnxruntime's own operator, which is faster, differs in the last bits."""
    weight = graph.constant(f"{layer}.LayerNorm.weight", graph.floats(f"{layer}.LayerNorm.weight"))
    if graph.alone:
        bias = graph.constant(f"{layer}.LayerNorm.bias", graph.floats(f"{layer}.LayerNorm.bias"))
        return graph.node(f"{layer}.normal", "LayerNormalization", rows, weight, bias, axis=-1, epsilon=NORM_EPSILON)
    mean = graph.node(f"{layer}.mean", "ReduceMean", rows, axes=[1], keepdims=1)
    centred = graph.node(f"{layer}.centred", "Sub", rows, mean)
    squares = graph.node(f"{layer}.squares", "Mul", centred, centred)
    power = graph.node(f"{layer}.power", "ReduceMean", squares, axes=[1], keepdims=1)
    floor = graph.node(f"{layer}.floor", "Add", power, "norm_epsilon")
    length = graph.node(f"{layer}.length", "Sqrt", floor)
    unit = graph.node(f"{layer}.unit", "Div", centred, length)
    stretched = graph.node(f"{layer}.stretched", "Mul", unit, weight)
    return add(graph, f"{layer}.normal", stretched, f"{layer}.LayerNorm.bias")


def coded_rows(graph: Graph, name: str, indices: str) -> str:
    """Rows of a table that stays in 8 bits."""
    codes, scales = graph.codes(f"embeddings.{name}.weight")
    code = graph.node(f"{name}.code", "Gather", graph.constant(f"{name}.codes", codes), indices)
    scale = graph.node(f"{name}.scale", "Gather", graph.constant(f"{name}.scales", scales), indices)
    return graph.node(name, "Mul", graph.node(f"{name}.float", "Cast", code, to=TensorProto.FLOAT), scale)


def embeddings(graph: Graph, pairs: bool) -> str:
    """Words, places and segments of all tokens, as rows."""
    positions = graph.node("positions", "Range", "zero", "length", "step")
    words = "words" if pairs else coded_rows(graph, "word_embeddings", "token_ids")
    placed = graph.node("placed", "Add", words, coded_rows(graph, "position_embeddings", positions))
    table = graph.floats("embeddings.token_type_embeddings.weight")
    segment = graph.constant("segment_table", table if pairs else table[0])
    if pairs:
        segment = graph.node("segment", "Gather", segment, "segments")
    whole = graph.node("embedded", "Add", placed, segment)
    return normalize(graph, "embeddings", graph.node("embedded.rows", "Reshape", whole, "as_rows"))


def attention(graph: Graph, layer: str, rows: str) -> str:
    roles = [f"{layer}.attention.self.{role}" for role in ("query", "key", "value")]
    name = f"{layer}.attention.bias"
    joined = multiply(graph, f"{layer}.attention.self", roles, rows, bias=name if graph.alone else "")
    parts = graph.split([f"{role}.rows" for role in roles], joined, "thirds")
    texts = [graph.node(f"{role}.texts", "Reshape", part, "as_texts") for role, part in zip(roles, parts)]
    bias = np.concatenate([graph.floats(f"{role}.bias") for role in roles])
    attended = graph.node(
        f"{layer}.attended",
        "MultiHeadAttention",
        *texts,
        *([] if graph.alone else [graph.constant(name, bias)]),
        domain="com.microsoft",
        num_heads=len(bias) // 3 // HEAD_WIDTH,
    )
    return graph.node(f"{layer}.attended.rows", "Reshape", attended, "as_seen")


def encoder_layer(graph: Graph, layer: str, rows: str) -> str:
    def close(name: str, source: str, skip: str) -> str:
        product = multiply(graph, name, [f"{name}.dense"], source, bias=f"{name}.dense.bias")
        return normalize(graph, name, graph.node(f"{name}.sum", "Add", product, skip))

    middle = close(f"{layer}.attention.output", attention(graph, layer, rows), rows)
    return close(f"{layer}.output", activated(graph, layer, middle), middle)


def activated(graph: Graph, layer: str, rows: str) -> str:
    name, part = f"{layer}.intermediate.bias", f"{layer}.intermediate.dense"
    if graph.alone:
        wide = multiply(graph, f"{layer}.intermediate", [part], rows, bias=name)
        return graph.node(f"{layer}.active", "Gelu", wide, domain="com.microsoft")
    wide = multiply(graph, f"{layer}.intermediate", [part], rows)
    bias = graph.constant(name, graph.floats(f"{part}.bias"))
    return graph.node(f"{layer}.active", "BiasGelu", wide, bias, domain="com.microsoft")


def mean_over_tokens(graph: Graph, output: str, texts: str) -> str:
    """As a product with 1/tokens for every token: ReduceMean adds up in another order when there are more texts."""
    length = graph.node("length.float", "Cast", "length", to=TensorProto.FLOAT)
    share = graph.node("share", "Reciprocal", length)
    axis = graph.constant("share.axis", np.array([1], np.int64))
    shares = graph.node("shares", "Unsqueeze", graph.node("share.texts", "Expand", share, "input_shape"), axis)
    return graph.node(output, "Squeeze", graph.node(f"{output}.product", "MatMul", shares, texts), axis)


def encoder_outputs(graph: Graph, rows: str, texts: str) -> list[onnx.ValueInfoProto]:
    mean_over_tokens(graph, "vector", texts)
    dimensions = len(graph.weights["proj.bias"])
    bias = graph.constant("heads.bias", np.concatenate([graph.floats("proj.bias"), graph.floats("imp.bias")]))
    heads = graph.node("heads.biased", "Add", multiply(graph, "heads", ["proj", "imp"], rows), bias)
    sizes = graph.constant("heads.split", np.array([dimensions, 1], np.int64))
    projected, importance = graph.split(["projected", "importance.raw"], heads, sizes)
    length = graph.node("projected.length", "ReduceL2", projected, axes=[1], keepdims=1)
    unit = graph.node("projected.unit", "Div", projected, length)
    step = graph.constant("token_step", np.float32(1 / LARGEST_CODE))
    graph.node("tokens", "QuantizeLinear", unit, step, graph.constant("token_centre", np.int8(0)))
    graph.node("importance", "Sigmoid", importance)
    return [
        helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["texts", "width"]),
        helper.make_tensor_value_info("tokens", TensorProto.INT8, ["rows", dimensions]),
        helper.make_tensor_value_info("importance", TensorProto.FLOAT, ["rows", 1]),
    ]


def pair_outputs(graph: Graph, texts: str, head: str) -> list[onnx.ValueInfoProto]:
    first = graph.node("first", "Gather", texts, "zero", axis=1)
    rows = graph.node("pair", "Concat", first, mean_over_tokens(graph, "mean", texts), axis=1)
    count = graph.node("pairs", "Gather", "input_shape", "first_place")
    return [pair_output(graph, rows, graph.node("pair_centres", "Expand", "centre", count), "logits", head, "")]


def answers_output(graph: Graph, rows: str) -> onnx.ValueInfoProto:
    """Which of the texts before a question answers it, one question at a time."""
    means = graph.node("answers.means", "MatMul", "parts", rows)
    first = graph.node("answers.first", "Gather", rows, "first_place")
    firsts = graph.node("answers.firsts", "Expand", first, graph.node("answers.shape", "Shape", means))
    joined = graph.node("answers.joined", "Concat", firsts, means, axis=1)
    return pair_output(graph, joined, "", "answers", "exit_answers", "answers.")


def pair_output(graph: Graph, rows: str, centres: str, output: str, head: str, prefix: str) -> onnx.ValueInfoProto:
    hidden = add(graph, f"{prefix}hidden", multiply(graph, f"{prefix}hidden", [f"{head}.0"], rows, centres), f"{head}.0.bias")
    active = graph.node(f"{prefix}active", "Tanh", hidden)
    add(graph, output, multiply(graph, f"{prefix}classes", [f"{head}.3"], active, centres), f"{head}.3.bias")
    return helper.make_tensor_value_info(output, TensorProto.FLOAT, ["pairs", len(graph.weights[f"{head}.3.bias"])])


def shapes(graph: Graph, width: int, seen: int) -> None:
    """Constants, and what follows from how many texts of what length there are."""
    graph.constant("as_rows", np.array([-1, width], np.int64))
    graph.constant("as_list", np.array([-1], np.int64))
    graph.constant("as_seen", np.array([-1, seen], np.int64))
    graph.constant("thirds", np.array([seen] * 3, np.int64))
    graph.constant("zero", np.int64(0))
    graph.constant("first_place", np.array([0], np.int64))
    graph.constant("step", np.int64(1))
    graph.constant("norm_epsilon", np.float32(NORM_EPSILON))
    graph.constant("one", np.float32(1))
    graph.constant("one_step", np.float32(1 / LARGEST_CODE))
    graph.constant("centre", np.uint8(CENTRE))
    graph.node("input_shape", "Shape", "token_ids")
    graph.node("length", "Gather", "input_shape", "step")
    graph.node("as_texts", "Concat", "input_shape", "as_list", axis=0)
    graph.node("row_count", "Size", "token_ids")
    graph.node("row_shape", "Reshape", "row_count", "as_list")
    graph.node("centres", "Expand", "centre", "row_shape")


def build_encoder_lower(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = begun(weights)
    graph.node("rows", "Identity", layers(graph, embeddings(graph, pairs=False), range(EXIT_LAYERS)))
    return finished(graph, ["token_ids"], [], [token_rows()])


def build_encoder_upper(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The token ids come along for their shape alone."""
    graph = begun(weights)
    rows = layers(graph, "rows", range(EXIT_LAYERS, layer_count(weights)))
    outputs = encoder_outputs(graph, rows, graph.node("texts", "Reshape", rows, "as_texts"))
    return finished(graph, ["token_ids"], [token_rows()], outputs)


def build_words(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = Graph(weights)
    graph.node("words", "Identity", coded_rows(graph, "word_embeddings", "token_ids"))
    return finished(graph, ["token_ids"], [], [token_words()])


def build_lower(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = begun(weights)
    rows = layers(graph, embeddings(graph, pairs=True), range(START_LAYERS))
    graph.node("rows", "Identity", rows)
    return finished(graph, ["token_ids", "segments"], [token_words()], [*judged(graph, rows, "start"), token_rows()])


def build_middle(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The token ids come along for their shape alone."""
    graph = begun(weights)
    rows = layers(graph, "rows", range(START_LAYERS, EXIT_LAYERS))
    graph.node("further", "Identity", rows)
    further = helper.make_tensor_value_info("further", TensorProto.FLOAT, ["rows", "width"])
    return finished(graph, ["token_ids"], [token_rows()], [*judged(graph, rows, "exit"), further])


def build_reading(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    graph = begun(weights, alone=True)
    rows = layers(graph, embeddings(graph, pairs=True), range(layer_count(weights)))
    return finished(graph, ["token_ids", "segments"], [token_words(), token_shares()], [answers_output(graph, rows)])


def judged(graph: Graph, rows: str, head: str) -> list[onnx.ValueInfoProto]:
    return pair_outputs(graph, graph.node("texts", "Reshape", rows, "as_texts"), head)


def build_upper(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The token ids come along for their shape alone."""
    graph = begun(weights)
    rows = layers(graph, "rows", range(EXIT_LAYERS, layer_count(weights)))
    return finished(graph, ["token_ids"], [token_rows()], judged(graph, rows, "final"))


def begun(weights: dict[str, np.ndarray], alone: bool = False) -> Graph:
    graph = Graph(weights, alone)
    own = [value for name, value in weights.items() if name.endswith("attention.self.query.bias")]
    width = len(weights["embeddings.LayerNorm.weight"])
    shapes(graph, width, len(own[0]) if own else width)
    return graph


def layers(graph: Graph, rows: str, indices: range) -> str:
    for index in indices:
        rows = encoder_layer(graph, f"encoder.layer.{index}", rows)
    return rows


def token_rows() -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["rows", "width"])


def token_words() -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info("words", TensorProto.FLOAT, ["texts", "length", "width"])


def token_shares() -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info("parts", TensorProto.FLOAT, ["parts", "length"])


def finished(graph: Graph, tokens: list[str], further: list, outputs: list) -> onnx.ModelProto:
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "length"]) for name in tokens]
    whole = helper.make_graph(graph.nodes, "reader", [*inputs, *further], outputs, graph.constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(whole, opset_imports=opsets, ir_version=8, producer_name="memoryd")


def move_out(tensors: list[onnx.TensorProto], path: Path) -> None:
    """Puts the values into a file that is mapped, not read: the model keeps their place in it."""
    data = b""
    for tensor in tensors:
        data += bytes(-len(data) % PAGE)
        place = {"location": path.name, "offset": len(data), "length": len(tensor.raw_data)}
        data += tensor.raw_data
        refer(tensor, place)
    path.write_bytes(data)


def refer(tensor: onnx.TensorProto, place: dict) -> None:
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in place.items():
        tensor.external_data.add(key=key, value=str(value))


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def hashes(folder: Path, files: list[str]) -> dict[str, str]:
    return {file: digest((folder / file).read_bytes()) for file in files}


def write(model: onnx.ModelProto, folder: Path, name: str) -> None:
    """The graph, its matrices and the word vectors; and in manifest.json what these files must contain."""
    manifest = folder / "manifest.json"
    noted = json.loads(manifest.read_text()) if manifest.exists() else {}
    codes = [tensor for tensor in model.graph.initializer if tensor.name.endswith(".codes")]
    words = [tensor for tensor in codes if tensor.name == "word_embeddings.codes"]
    others = [files["words.bin"] for other, files in noted.items() if other != name and "words.bin" in files]
    shared = all(hash == digest(table.raw_data) for table in words for hash in others)
    graph, matrices, vectors = f"{name}.onnx", f"{name}.bin", "words.bin" if shared else f"{name}-words.bin"
    own = [tensor for tensor in codes if tensor not in words]
    values = [file for file, tensors in ((matrices, own), (vectors, words)) if tensors]
    for file, tensors in ((matrices, own), (vectors, words)):
        if tensors:
            move_out(tensors, folder / file)
    (folder / graph).write_bytes(model.SerializeToString(deterministic=True))
    onnx.checker.check_model(str(folder / graph))
    noted[name] = hashes(folder, [graph, *values])
    noted["tokenizer"] = hashes(folder, ["tokenizer.json", "tokenizer_config.json"])
    manifest.write_text(json.dumps(noted, indent=2, sort_keys=True) + "\n")
    for file in noted[name]:
        print(f"{file}: {(folder / file).stat().st_size:,} bytes")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("name")
    arguments.add_argument("weights", type=Path, nargs="+")
    arguments.add_argument("--words", type=Path, help="the encoder's weights with the word vectors that a judge shares")
    options = arguments.parse_args()
    weights = read_weights(options.weights)
    if "exit_answers.0.bias" in weights and "exit.0.bias" not in weights:
        return write(build_reading(weights), options.folder, f"{options.name}-reading")
    if options.words is None:
        write(build_encoder_lower(weights), options.folder, f"{options.name}-lower")
        return write(build_encoder_upper(weights), options.folder, f"{options.name}-upper")
    weights |= {name: value for name, value in read_weights([options.words]).items() if "word_embeddings" in name}
    for part, build in (("words", build_words), ("lower", build_lower), ("middle", build_middle), ("upper", build_upper)):
        write(build(weights), options.folder, f"{options.name}-{part}")


if __name__ == "__main__":
    main()
