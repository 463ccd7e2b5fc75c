"""Trains the teacher of the reading: which of some texts answers a question. It has three layers and a head of its own, on the first three
layers of the pair model, which stay as they are. Minutes on a GPU.

    python3 reading.py WEIGHTS OUT --lots relations-*.tsv --stories links-*.jsonl --answers answers-*.jsonl --pairs pairs.jsonl.xz

WEIGHTS is src/models/reader/weights. It begins with the pair model's own layers; or with what an earlier run wrote (--start), and is half held to that
then, but for the questions of --more, which it learns by their labels alone. Remarks from the lots stand beside some texts, and some texts that do not
answer are one remark over and over.

Writes OUT/reading.npz, of which pupil.py makes what ships.
"""

import argparse
import copy
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from export_onnx import EXIT_LAYERS, START_LAYERS
from relations import CHARACTERS_A_WINDOW, DEVICE, PairModel, Pairs, asked_of
from relations_data import read_answers, read_lot, read_questions, read_story_questions
from upper import Weights, layers_back, layers_to, numpy_state
from weights import all_floats, read_weights

# Questions a step: of stories, of answers, of those to learn by their labels, of the encoder's pairs.
QUESTIONS_A_STEP = (28, 20, 24, 12)
MORE = 2
# Questions of which one text is a remark over and over.
REPEATED = 0.04
# How much of a judgement is what it was.
HELD = 0.5
MEAN_STEPS = 500
OWN_LAYERS = range(START_LAYERS, EXIT_LAYERS)


def opened(folder, start):
    """The pair model with the layers and the head of the reading in their places."""
    model = PairModel(folder, "relations")
    if start:
        weights = all_floats(read_weights([start]))
        nn.ModuleDict({"layers": model.lower.layers[START_LAYERS:EXIT_LAYERS]}).load_state_dict(layers_back(weights, OWN_LAYERS))
        for own, theirs in ((1, 0), (4, 3)):
            model.exit_answers[own].load_state_dict({kind: torch.from_numpy(weights[f"exit_answers.{theirs}.{kind}"]) for kind in ("weight", "bias")})
    return model.to(DEVICE)


def said(model, inputs):
    return model.answers(*inputs, exits=2)[1]


def repeated(row, lots):
    """The same question with one of the texts that do not answer replaced by a remark that is said over and over."""
    texts, question, answer = row
    places = [at for at in range(len(texts)) if at != answer]
    if not places or random.random() >= REPEATED:
        return row
    remark = random.choice(random.choice(lots)[1:])
    texts[random.choice(places)] = f"{remark} " * (CHARACTERS_A_WINDOW // (len(remark) + 1) + 2)
    return texts, question, answer


def loss_of(model, before, share, groups, lots, pairs):
    rows = [(*repeated(row, lots), kind == MORE) for kind, group in enumerate(groups) for row in asked_of(group, lots)]
    inputs = pairs.listed([row[:2] for row in rows])
    logits, there = said(model, inputs), inputs[-1].any(-1)
    place = torch.tensor([-100 if answer is None else answer for _, _, answer, _ in rows], device=DEVICE)
    wanted, answered = torch.full_like(logits, 0.02), place >= 0
    wanted[answered, place[answered]] = 0.98
    with torch.no_grad():
        held = share * (1 - torch.tensor([float(more) for *_, more in rows], device=DEVICE)[:, None])
        wanted = (1 - held) * wanted + held * said(before, inputs).sigmoid()
    alone = F.binary_cross_entropy_with_logits(logits[there], wanted[there])
    return 1.5 * alone + 0.3 * F.cross_entropy(logits.masked_fill(~there, -1e4), place, ignore_index=-100)


def train(model, questions, lots, pairs, options):
    before = copy.deepcopy(model).eval().requires_grad_(False)
    model.requires_grad_(False)
    body, head = model.lower.layers[START_LAYERS:EXIT_LAYERS], model.exit_answers
    own = nn.ModuleList([*body, head]).requires_grad_(True)
    groups = [{"params": body.parameters(), "lr": options.rate}, {"params": head.parameters(), "lr": 5 * options.rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")
    rates, mean = [group["lr"] for group in groups], copy.deepcopy(own).requires_grad_(False)
    begun, step, done, losses = time.time(), 0, 0.0, []
    while done < 1:
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * min(1, (step + 1) / 50) * max(0.02, 1 - done)
        chosen = [random.sample(kind, min(len(kind), count)) for kind, count in zip(questions, QUESTIONS_A_STEP)]
        loss = loss_of(model, before, HELD if options.start else 0, chosen, lots, pairs)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(own.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(own.parameters()), 1 / min(step + 1, MEAN_STEPS))
        losses.append(loss.detach())
        step, done = step + 1, (time.time() - begun) / options.seconds
        if step % 200 == 0:
            print(f"  {step} loss {torch.stack(losses[-200:]).mean().item():.3f} {time.time() - begun:.0f} s", flush=True)
    own.load_state_dict(mean.state_dict())


@torch.no_grad()
def report(path, model, pairs):
    """Each text alone: how often one that answers has a higher chance than one that does not, and how many of each are above one half."""
    model.eval()
    told = {True: [], False: []}
    for line in path.read_text(encoding="utf8").splitlines():
        one = json.loads(line)
        for answers in (True, False):
            texts = one["yes" if answers else "no"]
            if texts:
                told[answers] += said(model, pairs.listed([([text], one["q"]) for text in texts]))[:, 0].sigmoid().tolist()
    yes, no = np.array(told[True]), np.array(told[False])
    model.train()
    print(
        f"{path.stem}: AUC {(yes[:, None] > no[None]).mean():.3f}; above one half {(yes >= 0.5).mean():.3f} of {len(yes)} that answer, "
        f"{(no >= 0.5).mean():.3f} of {len(no)} that do not",
        flush=True,
    )


def save(model, out):
    state, weights = numpy_state(model), Weights()
    own = {f"layers.{at}.{name}": value for at, index in enumerate(OWN_LAYERS) for name, value in numpy_state(model.lower.layers[index]).items()}
    layers_to(weights, own, OWN_LAYERS)
    for part, theirs in ((1, 0), (4, 3)):
        weights.put_linear(f"exit_answers.{theirs}", state, f"exit_answers.{part}")
    np.savez_compressed(out / "reading.npz", **weights)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--lots", type=Path, nargs="+", required=True)
    arguments.add_argument("--stories", type=Path, nargs="+", required=True)
    arguments.add_argument("--answers", type=Path, nargs="+", required=True)
    arguments.add_argument("--more", type=Path, nargs="*", default=[], help="answers and stories to learn by their labels alone")
    arguments.add_argument("--pairs", type=Path, required=True, help="the encoder's")
    arguments.add_argument("--held", type=Path, nargs="*", default=[], help="answers for the report alone")
    arguments.add_argument("--start", type=Path, help="reading.npz of an earlier run, to go on from")
    arguments.add_argument("--share", type=float, default=1, help="of the learnt weights in what is saved; the rest is the model it began as")
    arguments.add_argument("--rate", type=float, default=5e-5)
    arguments.add_argument("--seconds", type=float, default=600)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    pairs, lots = Pairs(options.weights), [row for path in options.lots for row in read_lot(path)]
    each = lambda read, paths: [one for path in paths for one in read(path)]  # noqa: E731
    questions = (
        each(read_story_questions, options.stories),
        each(read_answers, options.answers),
        each(lambda path: (read_story_questions if path.stem.startswith("links") else read_answers)(path), options.more),
        read_questions(options.pairs, CHARACTERS_A_WINDOW),
    )
    print(f"questions: {', '.join(str(len(kind)) for kind in questions)}", flush=True)
    model = opened(options.weights, options.start).train()
    begun = copy.deepcopy(model.state_dict())
    for path in options.held:
        report(path, model, pairs)
    train(model, questions, lots, pairs, options)
    model.load_state_dict({name: torch.lerp(begun[name], value, options.share) for name, value in model.state_dict().items()})
    save(model, options.out)
    for path in options.held:
        report(path, model, pairs)


if __name__ == "__main__":
    main()
