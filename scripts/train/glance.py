"""Trains the glance: which of some stored texts answers a question, told from the token vectors that the encoder gave of them.
No text is read again, so it costs a small part of what the pair model does, which is its teacher. Minutes on a GPU.

    python3 glance.py WEIGHTS OUT --stories links-*.jsonl --answers answers-*.jsonl --pairs pairs.jsonl.xz

WEIGHTS is src/models/reader/weights: the encoder and the pair model that ship. The questions are those of relations.py. It sees one
to three texts at a time, in the order in which they were told, and says of each whether it is the answer as far as they tell.

Writes OUT/glance.npz; export_glance.py makes the shipped files of it.
"""

import argparse
import copy
import json
import random
import re
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from export_onnx import EXIT_LAYERS
from relations import DEVICE, FIRST, LAST, LAYERS, TOKENS_A_WINDOW, PairModel, Pairs, summed
from relations_data import read_answers, read_lot, read_questions, read_story_questions, with_a_remark
from upper import Layer, Lower, Upper, Weights, layers_to, numpy_state, tensors_of
from weights import LARGEST_CODE, NORM_EPSILON, all_floats, read_weights

TOKEN_WIDTH = 64
# What it sees of each text, and of the question.
LONGEST = 120
# The mark before all, the question, and the last, last but one and last but two of the texts.
KINDS = 5
MARK, QUESTION, LAST_TEXT = 0, 1, 2
# The best match on the other side, the best in the other texts, and how much a token of the question decides.
SIGNS = 3
# Token vectors that are kept.
KEPT = 60_000_000
MEAN_STEPS = 1_000
# Lists a step: of stories, of answers, of the encoder's pairs.
LISTS_A_STEP = (192, 112, 80)
# How many texts a list has.
TEXTS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 3]
# Lists of about one length that are read together.
PART = 192
# Questions of the encoder's pairs.
PUBLIC = 36_000
# Characters of the longest text of the encoder's pairs.
LONGEST_PUBLIC = 450


class Glance(nn.Module):
    def __init__(self, width, layers):
        super().__init__()
        self.tokens, self.signs = nn.Linear(TOKEN_WIDTH, width), nn.Linear(SIGNS, width, bias=False)
        self.kinds = nn.Parameter(torch.randn(KINDS, width) * 0.1)
        self.places = nn.Parameter(torch.randn(LONGEST, width) * 0.1)
        self.norm = nn.LayerNorm(width, eps=NORM_EPSILON)
        self.layers = nn.ModuleList([Layer(width) for _ in range(layers)])
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(2 * width, width), nn.Tanh(), nn.Dropout(0.1), nn.Linear(width, 1))

    def forward(self, vectors, signs, kinds, places, mask, parts):
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            # As products: gathering from so few rows learns slowly, for its gradient is added up one by one.
            kind, place = (F.one_hot(which, len(table)).to(vectors.dtype) @ table for which, table in ((kinds, self.kinds), (places, self.places)))
            rows = self.norm(self.tokens(vectors) + self.signs(signs) + kind + place)
            for layer in self.layers:
                rows = layer(rows, mask)
        return self.head(summed(rows, parts))[..., 0]


def on_device(arrays):
    return [torch.from_numpy(one).to(DEVICE) for one in arrays]


class Encoded:
    """The token vectors of texts as they are stored: words alone, in 8 bits. A text is encoded once."""

    def __init__(self, folder: Path, pairs: Pairs):
        self.pairs = pairs
        self.lower = Lower(tensors_of(folder / "encoder-lower.onnx"), range(EXIT_LAYERS)).to(DEVICE).eval()
        self.upper = Upper(tensors_of(folder / "encoder-upper.onnx"), range(EXIT_LAYERS, LAYERS)).to(DEVICE).eval()
        vocabulary = pairs.tokenizer.get_vocab()
        self.words = torch.zeros(len(vocabulary), dtype=torch.bool)
        self.words[[at for piece, at in vocabulary.items() if re.search(r"[^\W_]", piece) and at not in (FIRST, LAST)]] = True
        self.words = self.words.to(DEVICE)
        kept = KEPT if DEVICE == "cuda" else KEPT // 30
        self.codes = torch.zeros(kept, TOKEN_WIDTH, dtype=torch.int8, device=DEVICE)
        self.importance = torch.zeros(kept, device=DEVICE)
        self.forget()

    def forget(self):
        # The first row is that of marks and of what is not there.
        self.known, self.used = {}, 1

    @torch.no_grad()
    def add(self, texts):
        fresh = sorted({text for text in texts if text not in self.known}, key=len)
        pieces = [[FIRST, *self.pairs.pieces(text), LAST] for text in fresh]
        if self.used + sum(map(len, pieces)) > len(self.codes):
            self.forget()
            return self.add(texts)
        for at in range(0, len(fresh), 512):
            self.encode(fresh[at : at + 512], pieces[at : at + 512])

    def encode(self, texts, pieces):
        width = max(map(len, pieces))
        ids = torch.zeros(len(pieces), width, dtype=torch.long)
        for at, piece in enumerate(pieces):
            ids[at, : len(piece)] = torch.tensor(piece)
        ids = ids.to(DEVICE)
        mask = torch.arange(width, device=DEVICE)[None] < torch.tensor([len(piece) for piece in pieces], device=DEVICE)[:, None]
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            _, tokens, importance = self.upper(self.lower(ids, mask), mask)
        own = mask & self.words[ids]
        codes = (tokens[own] * LARGEST_CODE).round().to(torch.int8)
        self.codes[self.used : self.used + len(codes)] = codes
        self.importance[self.used : self.used + len(codes)] = importance[own].sigmoid()
        for text, count in zip(texts, own.sum(1).tolist()):
            self.known[text] = (self.used, min(count, LONGEST))
            self.used += count

    def placed(self, rows):
        """Where the token vectors of texts and a question each are kept, and what each token is."""
        told = [[self.known[text] for text in (*texts, question)] for texts, question in rows]
        width = 1 + max(sum(length for _, length in one) for one in told)
        most = max(len(texts) for texts, _ in rows)
        at, kinds, places = (np.zeros((len(rows), width), np.int64) for _ in range(3))
        mask, parts = np.zeros((len(rows), width), bool), np.zeros((len(rows), most, width), bool)
        for row, one in enumerate(told):
            end = 1
            for place, (start, length) in enumerate(one):
                here = slice(end, end + length)
                at[row, here], places[row, here] = np.arange(start, start + length), np.arange(length)
                kinds[row, here] = QUESTION if place == len(one) - 1 else LAST_TEXT + len(one) - 2 - place
                if place < len(one) - 1:
                    parts[row, place, here] = True
                end += length
            mask[row, :end] = True
        return at, kinds, places, mask, parts

    def seen(self, at, kinds, places, mask, parts):
        """What the model sees of them."""
        vectors = self.codes[at].float() / LARGEST_CODE
        return vectors, self.signs_of(vectors, at, kinds), kinds, places, mask, parts

    def lists(self, rows):
        self.add([text for texts, question in rows for text in (*texts, question)])
        return self.seen(*on_device(self.placed(rows)))

    def signs_of(self, vectors, at, kinds):
        near = (vectors @ vectors.transpose(1, 2)).float()
        left, right = kinds[:, :, None], kinds[:, None, :]
        other_side = ((left == QUESTION) & (right > QUESTION)) | ((left > QUESTION) & (right == QUESTION))
        other_text = (left > QUESTION) & (right > QUESTION) & (left != right)
        # As far as nothing is on the other side there is no match.
        best = [near.masked_fill(~kind, -1).amax(-1).clamp(min=0) for kind in (other_side, other_text)]
        importance = self.importance[at] * (kinds == QUESTION)
        return torch.stack([*best, importance], -1)


class Lists(IterableDataset):
    """What a step learns from, without end: lists of about one length, as the model and as its teacher see them."""

    def __init__(self, questions, remarks, encoded, pairs):
        self.questions, self.remarks, self.encoded, self.pairs = questions, remarks, encoded, pairs

    def __iter__(self):
        worker = get_worker_info()
        random.seed(worker.seed if worker else 1)
        while True:
            chosen = [one for kind, count in zip(self.questions, LISTS_A_STEP) for one in random.sample(kind, min(len(kind), count))]
            rows = [(*one.texts(random.choice(TEXTS)), one.question) for one in chosen]
            rows.sort(key=lambda row: sum(map(len, row[0])))
            yield [self.part(rows[at : at + PART]) for at in range(0, len(rows), PART)]

    def part(self, rows):
        told = [[self.remarks.get(text, text) if random.random() < 0.15 else text for text in texts] for texts, *_ in rows]
        asked = [(texts, question) for texts, (_, _, question) in zip(told, rows)]
        place = np.array([-100 if answer is None else answer for _, answer, _ in rows])
        whole = np.array([all(len(self.pairs.pieces(text)) <= TOKENS_A_WINDOW for text in texts) for texts in told])
        return self.encoded.placed(asked), [one.numpy() for one in self.pairs.listed(asked, "cpu")], place, whole


@torch.no_grad()
def taught(teacher, ids, mask, segments, parts):
    """What the pair model says after its sixth layer."""
    early = teacher.rows(ids, mask, segments, exits=2)[-1]
    return teacher.exit_answers(summed(early, parts))[..., 0].sigmoid()


def loss_of(model, teacher, encoded, part):
    inputs, read, (place, whole) = encoded.seen(*on_device(part[0])), on_device(part[1]), on_device(part[2:])
    said, there = model(*inputs), inputs[-1].any(-1)
    wanted = torch.full_like(said, 0.02).scatter(1, place.clamp(min=0)[:, None], torch.where(place >= 0, 0.98, 0.02)[:, None])
    wanted = torch.where(whole[:, None], 0.4 * wanted + 0.6 * taught(teacher, *read), wanted)
    alone = F.binary_cross_entropy_with_logits(said, wanted, weight=there.float(), reduction="sum") / there.sum()
    first = F.cross_entropy(said.masked_fill(~there, -1e4), place, ignore_index=-100, reduction="sum") / (place >= 0).sum().clamp(min=1)
    return 1.5 * alone + 0.3 * first


def train(model, teacher, lists, encoded, options):
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.02, fused=DEVICE == "cuda")
    steps = iter(DataLoader(lists, batch_size=None, num_workers=options.workers, prefetch_factor=4 if options.workers else None, collate_fn=lambda step: step))
    mean = copy.deepcopy(model).requires_grad_(False)
    begun, step, done, losses = time.time(), 0, 0.0, []
    while done < 1:
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 300) * max(0.01, 1 - done)
        parts = next(steps)
        optimiser.zero_grad()
        loss = 0
        for part in parts:
            own = loss_of(model, teacher, encoded, part) / len(parts)
            own.backward()
            loss = loss + own.detach()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(model.parameters()), 1 / min(step + 1, MEAN_STEPS))
        losses.append(loss)
        step += 1
        done = max(step / options.steps, (time.time() - begun) / options.seconds)
        if step % 500 == 0:
            print(f"  {step} loss {torch.stack(losses[-500:]).mean().item():.4f} {time.time() - begun:.0f} s", flush=True)
    print(f"{step} steps, {time.time() - begun:.0f} s", flush=True)
    model.load_state_dict(mean.state_dict())


@torch.no_grad()
def report(name, stories, model, encoded):
    """All texts of a story alone: is there an answer, and is it first? And what is out of date beside what took its place."""
    model.eval()
    best, plain, newer = {True: [], False: []}, [], []
    for story in stories:
        texts = [text["text"] for text in story["texts"]]
        for one in story["questions"]:
            said = model(*encoded.lists([([text], one["q"]) for text in texts]))[:, 0].cpu().numpy()
            best[one["answer_in"] is not None].append(said.max())
            if one["kind"] == "plain":
                plain.append(int(said.argmax()) == one["answer_in"])
            if one["kind"] == "changed":
                pairs = [([texts[older], texts[one["answer_in"]]], one["q"]) for older in one["outdated"] if older < one["answer_in"]]
                newer += [bool(row[1] > row[0]) for row in (model(*encoded.lists(pairs)) if pairs else [])]
    yes, no = (np.array(best[kind]) for kind in (True, False))
    print(f"{name}: AUC {(yes[:, None] > no[None]).mean():.3f}; plain first {np.mean(plain):.3f}; newer before older {np.mean(newer):.3f}", flush=True)
    model.train()


def start_from(model, path):
    """Goes on with what an earlier run saved."""
    tensors = {name: torch.from_numpy(value) for name, value in all_floats(read_weights([path])).items()}
    state = {name: tensors[name] for name in ("tokens.weight", "tokens.bias", "signs.weight", "kinds", "places")}
    for kind in ("weight", "bias"):
        state[f"norm.{kind}"] = tensors[f"embeddings.LayerNorm.{kind}"]
        state |= {f"head.{own}.{kind}": tensors[f"head.{theirs}.{kind}"] for own, theirs in ((1, 0), (4, 3))}
        for at in range(len(model.layers)):
            own, theirs = f"layers.{at}", f"encoder.layer.{at}"
            state[f"{own}.mixed.{kind}"] = torch.cat([tensors[f"{theirs}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")])
            for name, part in (("wide", "intermediate"), ("joined", "attention.output"), ("narrow", "output")):
                state[f"{own}.{name}.{kind}"] = tensors[f"{theirs}.{part}.dense.{kind}"]
            for norm, part in enumerate(("attention.output", "output")):
                state[f"{own}.norms.{norm}.{kind}"] = tensors[f"{theirs}.{part}.LayerNorm.{kind}"]
    model.load_state_dict(state)


def save(model, out):
    state = numpy_state(model)
    weights = Weights()
    layers_to(weights, state, range(len(model.layers)))
    for kind in ("weight", "bias"):
        weights[f"embeddings.LayerNorm.{kind}"] = state[f"norm.{kind}"]
    for name in ("tokens.weight", "tokens.bias", "signs.weight", "kinds", "places"):
        weights[name] = state[name]
    for own, theirs in ((1, 0), (4, 3)):
        weights.put_linear(f"head.{theirs}", state, f"head.{own}")
    np.savez_compressed(out / "glance.npz", **weights)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--lots", type=Path, nargs="+", required=True, help="of relations, for remarks of something else")
    arguments.add_argument("--stories", type=Path, nargs="+", required=True)
    arguments.add_argument("--answers", type=Path, nargs="+", required=True)
    arguments.add_argument("--pairs", type=Path, help="the encoder's")
    arguments.add_argument("--held-questions", type=Path, nargs="*", default=[], help="stories with questions for the report alone")
    arguments.add_argument("--start", type=Path, help="glance.npz of an earlier run, to go on from")
    arguments.add_argument("--workers", type=int, default=7)
    arguments.add_argument("--width", type=int, default=192)
    arguments.add_argument("--layers", type=int, default=4)
    arguments.add_argument("--rate", type=float, default=1e-3)
    arguments.add_argument("--steps", type=int, default=100_000)
    arguments.add_argument("--seconds", type=float, default=480)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    lots = [row for path in options.lots for row in read_lot(path)]
    stories = [one for path in options.stories for one in read_story_questions(path)]
    answers = [one for path in options.answers for one in read_answers(path)]
    public = read_questions(options.pairs, LONGEST_PUBLIC) if options.pairs else []
    print(f"questions: {len(stories)} of stories, {len(answers)} of answers, {len(public)} of the encoder's pairs", flush=True)
    pairs = Pairs(options.weights)
    public = random.sample(public, min(len(public), PUBLIC))
    remarks = {text: with_a_remark(text, lots) for kind in (stories, answers) for one in kind for text in one.all_texts()[1:]}
    pairs.add([*remarks.values(), *(text for kind in (stories, answers, public) for one in kind for text in one.all_texts())])
    encoded = Encoded(options.weights, pairs)
    encoded.add(pairs.known)
    teacher = PairModel(options.weights, "relations").to(DEVICE).eval().requires_grad_(False)
    model = Glance(options.width, options.layers).to(DEVICE).train()
    if options.start:
        start_from(model, options.start)
    train(model, teacher, Lists((stories, answers, public), remarks, encoded, pairs), encoded, options)
    save(model, options.out)
    for path in options.held_questions:
        report(path.stem, [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()], model, encoded)


if __name__ == "__main__":
    main()
