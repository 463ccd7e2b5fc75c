"""Fits what the facts model says of kinds (person, organization, place, date, thing, concept) anew, and nothing else of it.

    python3 kinds.py WEIGHTS KINDS OUT --lots kinds-*.tsv --held unseen/kinds.tsv

OUT is a folder that facts.py wrote. Lots have lines of kind, source, name and text. Relations tell kinds, too (KINDS), but of subjects hardly
any besides people: what only facts teach takes a launch for a person. A minute on a CPU.

Writes OUT/facts.npz again.
"""

import argparse
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F

from facts import DEVICE, Reader, batch
from facts_data import Labels, Pieces, Text
from weights import all_floats, read_weights, write_weights

STEPS = 1500


def read_lot(path, tokenizer, labels):
    """(example, (piece, kind)) of every line."""
    for line in path.read_text(encoding="utf8").splitlines():
        kind, source, name, text = line.split("\t")
        pieces = Pieces(tokenizer, text)
        ends = [word[1] for word in pieces.words if text[: word[3]].endswith(name)]
        if ends:
            yield {"text": Text(source, "", text), "pieces": pieces}, (ends[0], labels.kinds.index(kind))


@torch.no_grad()
def rows_of(reader, known):
    found = [None] * len(known)
    order = sorted(range(len(known)), key=lambda at: len(known[at][0]["pieces"].ids))
    for at in range(0, len(order), 64):
        part = order[at : at + 64]
        rows = reader.rows(batch([known[one][0] for one in part]))
        for place, one in enumerate(part):
            found[one] = rows[place, known[one][1][0]].float()
    return torch.stack(found), torch.tensor([kind for _, (_, kind) in known], device=DEVICE)


def report(name, head, known, labels):
    rows, kinds = known
    said = head(rows).argmax(-1)
    shares = [
        f"{kind} {(said[kinds == at] == at).float().mean().item():.2f} of {(kinds == at).sum().item()}" for at, kind in enumerate(labels.kinds)
    ]
    print(f"{name}: {(said == kinds).float().mean().item():.3f} of {len(kinds)} right; {', '.join(shares)}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("kinds", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--lots", type=Path, nargs="+", required=True)
    arguments.add_argument("--held", type=Path, nargs="*", default=[])
    options = arguments.parse_args()
    torch.manual_seed(1)
    tokenizer = Tokenizer.from_file(str(options.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    labels = Labels([], json.loads(options.kinds.read_text()))
    known = json.loads((options.out / "labels.json").read_text())
    labels.take(**known)
    reader = Reader(options.weights, labels).to(DEVICE).eval()
    state = {name: torch.from_numpy(value) for name, value in all_floats(read_weights([options.out / "facts.npz"])).items()}
    reader.facts.load_state_dict(state)
    read = lambda paths: rows_of(reader, [one for path in paths for one in read_lot(path, tokenizer, labels)])  # noqa: E731
    told, held = read(options.lots), [(path.stem, read([path])) for path in options.held]
    head = reader.facts.kind
    for name, one in held:
        report(f"{name}, before", head, one, labels)
    head = nn.Linear(*reversed(head.weight.shape)).to(DEVICE)
    optimiser = torch.optim.AdamW(head.parameters(), lr=3e-3, weight_decay=0.1)
    drop = nn.Dropout(0.3)
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * (1 - step / STEPS)
        loss = F.cross_entropy(head(drop(told[0])), told[1])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    for name, one in [("learnt", told), *held]:
        report(name, head, one, labels)
    state |= {f"kind.{name}": value.detach().cpu() for name, value in head.state_dict().items()}
    write_weights(options.out / "facts.npz", {name: value.numpy() for name, value in state.items()})


if __name__ == "__main__":
    main()
