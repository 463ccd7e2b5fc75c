"""Brings gte-small, the encoder's parent, into the form that from_parent.py starts from.

    python3 parent.py MODEL.onnx OUT.npz

MODEL.onnx is the file that its publishers offer (github.com and model hubs know it as thenlper/gte-small, MIT), sha256
398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from weights import write_weights


def main(model_file: str, out: str) -> None:
    graph = onnx.load(model_file).graph
    # The file names a linear layer's matrix by number; the node that multiplies by it still has the layer's name.
    layers = {name: node.name for node in graph.node if node.op_type == "MatMul" for name in node.input}
    tensors: dict[str, np.ndarray] = {}
    for tensor in graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.dtype != np.float32:
            continue
        name = tensor.name
        if name.startswith("onnx::MatMul"):
            name = ".".join(layers[name].strip("/").split("/")[:-1]) + ".weight"
            value = value.T
        tensors[name] = value
    write_weights(Path(out), tensors)


if __name__ == "__main__":
    main(*sys.argv[1:])
