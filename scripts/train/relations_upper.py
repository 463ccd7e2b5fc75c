"""Goes on training the upper layers of the pair model that ships, on a CPU: minutes for some thousand new pairs.

    python3 relations_upper.py WEIGHTS OUT --lots relations-*.tsv --stories links-*.jsonl --talk pairs.jsonl.xz --held unseen.tsv ...

WEIGHTS is src/models/reader/weights; its lower layers stay as they are and read every pair once. Lots are lines of label,
older and newer text. Of a story every pair of texts is learnt: its links name those in which the newer one replaces, ends
or repeats the older, all others stand beside each other. So do two turns that one conversation holds (--talk: the texts that a line
of the encoder's pairs names): people go on talking, they seldom take anything back. Writes OUT/relations-upper.* and manifest.json.
"""

import argparse
import random
import shutil
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F

from export_onnx import EXIT_LAYERS, build_upper, write
from relations_data import LABELS, read_lot, read_stories, read_talk, varied
from upper import WIDTH, Layer, Weights, layers_from, layers_to, matrix, numpy_state, tensors_of

LAYERS = range(EXIT_LAYERS, 12)
TOKENS_A_TEXT = 120
FIRST, LAST = 101, 102
# Below this chance the upper layers are not asked (src/models/reader/judge.ts).
LEAST_TO_GO_ON = 0.1
BATCH = 32
# Only some processors multiply short floats; for others they take three times as long.
HALVES = torch.cpu._is_amx_tile_supported()


class Upper(nn.Module):
    def __init__(self, tensors):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in LAYERS])
        self.head = nn.ModuleList([nn.Linear(2 * WIDTH, WIDTH), nn.Linear(WIDTH, len(LABELS))])
        self.drop = nn.Dropout(0.1)
        self.load_state_dict(from_bert(tensors))

    def forward(self, rows, mask):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALVES):
            for layer in self.layers:
                rows = layer(rows, mask)
        rows, weight = rows.float(), mask.unsqueeze(-1).float()
        pair = torch.cat([rows[:, 0], (rows * weight).sum(1) / weight.sum(1)], -1)
        return self.head[1](self.drop(torch.tanh(self.head[0](self.drop(pair)))))


def from_bert(tensors):
    """The exported tensors under the names of the modules here."""
    state = layers_from(tensors, LAYERS)
    for at, (name, part) in enumerate((("hidden", "final.0"), ("classes", "final.3"))):
        state[f"head.{at}.weight"] = torch.from_numpy(matrix(tensors, name))
        state[f"head.{at}.bias"] = torch.from_numpy(np.array(tensors[f"{part}.bias"]))
    return state


def to_bert(model):
    """The other way round, with matrices in 8 bits, as export_onnx.py takes them."""
    weights, state = Weights(), numpy_state(model)
    layers_to(weights, state, LAYERS)
    for at, part in enumerate(("final.0", "final.3")):
        weights.put_linear(part, state, f"head.{at}")
    return weights


class Lower:
    """What the lower layers make of pairs: whether the upper ones are asked, and with what."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / "relations-lower.onnx"), options)

    def pieces(self, text):
        return self.tokenizer.encode(text).ids[1:-1][:TOKENS_A_TEXT]

    def read(self, older, newer):
        left, right = [FIRST, *self.pieces(older), LAST], [*self.pieces(newer), LAST]
        ids = np.array([left + right], np.int64)
        segments = np.array([[0] * len(left) + [1] * len(right)], np.int64)
        logits, rows = self.session.run(["logits", "rows"], {"token_ids": ids, "segments": segments})
        powers = np.exp(logits[0] - logits[0].max())
        chances = powers / powers.sum()
        goes_on = chances[1] + chances[2] >= LEAST_TO_GO_ON
        return rows.reshape(-1, WIDTH).astype(np.float16) if goes_on else None


def examples(lower, rows):
    """Labels with what the upper layers see; None where they are not asked."""
    return [(LABELS.index(label), lower.read(older, newer)) for label, older, newer in rows]


def batch(rows):
    length = max(len(one) for one in rows)
    joined = torch.zeros(len(rows), length, WIDTH)
    mask = torch.zeros(len(rows), length, dtype=torch.bool)
    for at, one in enumerate(rows):
        joined[at, : len(one)] = torch.from_numpy(one.astype(np.float32))
        mask[at, : len(one)] = True
    return joined, mask


@torch.no_grad()
def report(name, model, known):
    """How many changes are closed at a certainty, and how many of the closings are right."""
    model.eval()
    changes = sum(label in (1, 2) for label, _ in known)
    asked = sorted((one for one in known if one[1] is not None), key=lambda one: len(one[1]))
    scored = []
    for at in range(0, len(asked), 64):
        part = asked[at : at + 64]
        chances = model(*batch([rows for _, rows in part])).softmax(-1).numpy()
        scored += [(chance[1] + chance[2], label in (1, 2)) for chance, (label, _) in zip(chances, part)]
    figures = []
    for least in (0.5, 0.8, 0.9, 0.95, 0.97, 0.99):
        closed = [right for chance, right in scored if chance >= least]
        figures.append(f"{least}: {sum(closed)}/{changes} wrong {len(closed) - sum(closed)}")
    print(f"{name}: {len(known)} pairs; " + "; ".join(figures), flush=True)
    model.train()


def train(model, known, options, started):
    body = list(model.layers.parameters())
    groups = [{"params": body, "lr": options.rate}, {"params": list(model.head.parameters()), "lr": 4 * options.rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    asked = [one for one in known if one[1] is not None]
    batches = []
    for _ in range(options.epochs):
        random.shuffle(asked)
        # Texts of about the same length go together; which of them changes from epoch to epoch.
        near = sorted(asked, key=lambda one: len(one[1]) + random.randrange(8))
        parts = [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
        random.shuffle(parts)
        batches += parts
    losses = []
    for step, part in enumerate(batches):
        factor = min(1, (step + 1) / 50) * max(0.02, 1 - step / len(batches))
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * factor
        logits = model(*batch([rows for _, rows in part]))
        loss = F.cross_entropy(logits, torch.tensor([label for label, _ in part]), label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        losses.append(loss.item())
        if step % 50 == 49:
            print(f"  {step + 1}/{len(batches)} loss {np.mean(losses[-50:]):.3f} {time.time() - started:.0f} s", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--lots", type=Path, nargs="+", default=[])
    arguments.add_argument("--stories", type=Path, nargs="+", default=[])
    arguments.add_argument("--most", type=int, default=10**6, help="pairs of lots, drawn by chance")
    arguments.add_argument("--talk", type=Path)
    arguments.add_argument("--turns", type=int, default=12_000, help="pairs of --talk")
    arguments.add_argument("--held", type=Path, nargs="+", default=[], help="lots and stories for the report alone")
    arguments.add_argument("--epochs", type=int, default=2)
    arguments.add_argument("--rate", type=float, default=2e-5)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()
    started = time.time()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    lower = Lower(options.weights)
    read = lambda path: read_stories(path) if path.suffix == ".jsonl" else read_lot(path)  # noqa: E731
    held = {path.name: examples(lower, read(path)) for path in options.held}
    lots = [row for path in options.lots for row in read(path)]
    rows = random.sample(lots, min(len(lots), options.most)) + [row for path in options.stories for row in read(path)]
    rows = [varied(row) for row in rows] + (random.sample(read_talk(options.talk), options.turns) if options.talk else [])
    known = examples(lower, rows)
    print(f"{len(known)} pairs, {sum(one[1] is not None for one in known)} go on; {time.time() - started:.0f} s", flush=True)
    model = Upper(tensors_of(options.weights / "relations-upper.onnx")).train()
    for name, pairs in held.items():
        report(f"before, {name}", model, pairs)
    train(model, known, options, started)
    for name, pairs in held.items():
        report(f"after, {name}", model, pairs)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.out.resolve() != options.weights.resolve():
        shutil.copytree(options.weights, options.out, dirs_exist_ok=True)
    write(build_upper(to_bert(model)), options.out, "relations-upper")
    print(f"done, {time.time() - started:.0f} s")


if __name__ == "__main__":
    main()
