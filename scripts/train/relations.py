"""Trains the pair model: how does a new statement relate to a stored one (same, replaces, ends, beside), and which of some
stored texts answers a question? Minutes on a GPU.

    python3 relations.py WEIGHTS OUT --lots relations-*.tsv --stories links-*.jsonl --answers answers-*.jsonl --nli nli.tsv.xz \\
        --pairs pairs.jsonl.xz

WEIGHTS is src/models/reader/weights: the model starts from the layers of the encoder and shares its word vectors. It is warmed up on
public entailment pairs (lines of `e` or another letter, and two texts), then learns

    lots        lines of label, older and newer text (data/relations)
    stories     every pair of texts of a story; its links name those that do not stand beside each other (data/stories)
    talk        turns that one conversation holds (the texts that a line of the encoder's pairs names): people go on talking, they
                seldom take anything back, so two turns stand beside each other
    questions   of stories, and such with texts that answer them and near ones that do not (data/answers, and those of the encoder's
                pairs). It reads up to five texts at a time, in the order in which they were told, and says of each whether it is
                the answer as far as they tell: what a later one took the place of is none

With --teachers it also learns what earlier runs, taken together, say of the same pairs.
Writes OUT/relations-lower.npz and OUT/relations-upper.npz; export_onnx.py makes the shipped files of them.
"""

import argparse
import copy
import json
import lzma
import random
import time
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F

from export_onnx import EXIT_LAYERS, START_LAYERS
from relations_data import LABELS, read_answers, read_lot, read_questions, read_stories, read_story_questions, read_talk, varied, with_a_remark
from upper import WIDTH, Layer, Lower, Weights, layers_from, layers_to, matrix, numpy_state, tensors_of

CLOSING = (1, 2)
EXITS = ("start", "exit", "final")
# What the judgement after each of them counts while learning.
EXIT_WEIGHTS, ANSWER_WEIGHTS = (0.25, 0.4, 1), (0.4, 1, 1)
HEADS = {*EXITS, *(f"{name}_answers" for name in EXITS), "segments"}
TOKENS_A_TEXT = 120
# Of each text that is read with a question, and about as many characters.
TOKENS_A_WINDOW, CHARACTERS_A_WINDOW = 56, 230
FIRST, LAST = 101, 102
LAYERS = 12
EXIT_PLACES = (START_LAYERS, EXIT_LAYERS, LAYERS)
BATCH = 96
# The weights that ship are a running mean over about so many steps.
MEAN_STEPS = 400
# Pairs of stories and of talk that an epoch holds beside the lots.
STORIES_AN_EPOCH, TALK_AN_EPOCH = 5_000, 4_000
# Of so many pairs of stories, and of talk, that stand beside each other an epoch holds those that look most like a change.
SUSPECTS_AN_EPOCH, SUSPECTS_OF = 4_500, 45_000
# What two readings of a pair cost where they differ.
AGREEING = 1.0
# Questions a step: of stories, of answers, of the encoder's pairs.
QUESTIONS_A_STEP = (32, 20, 12)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class PairModel(nn.Module):
    """Twelve layers with more heads after the third and the sixth: most pairs are told apart there, and only the rest go on."""

    def __init__(self, folder: Path, start: str):
        """`start`: the encoder, or the pair model that ships."""
        super().__init__()
        shipped = start == "relations"
        parts = [tensors_of(folder / f"{start}-{part}.onnx") for part in (("lower", "middle", "upper", "words") if shipped else ("lower", "upper"))]
        tensors = {name: value for part in parts for name, value in part.items()}
        segments = torch.randn(2, WIDTH) * 0.02
        if shipped:
            segments, tensors["segment_table"] = torch.from_numpy(np.array(tensors["segment_table"])), np.zeros(WIDTH, np.float32)
        self.lower = Lower(tensors, range(EXIT_LAYERS))
        self.segments = nn.Parameter(segments)
        self.layers = nn.ModuleList([Layer() for _ in range(EXIT_LAYERS, LAYERS)])
        self.load_state_dict(layers_from(tensors, range(EXIT_LAYERS, LAYERS)), strict=False)
        self.start, self.exit, self.final = (head(len(LABELS)) for _ in EXITS)
        self.start_answers, self.exit_answers, self.final_answers = (head(1) for _ in EXITS)
        if shipped:
            for name, part in zip(EXITS, parts):
                self.load_state_dict(heads_from(part, name), strict=False)

    def sides(self, segments):
        """What is added for the text that a word is of. Not by indexing: the gradient through that takes longer than all layers."""
        first, second = self.segments
        return first + segments[..., None] * (second - first)

    def rows(self, ids, mask, segments, exits=len(EXITS)):
        """After the third layer, the sixth and the last, or the first so many of these."""
        said = []
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            rows = self.lower.first(ids, self.sides(segments))
            for at, layer in enumerate([*self.lower.layers, *self.layers], 1):
                rows = layer(rows, mask)
                if at in EXIT_PLACES:
                    said.append(rows)
                if len(said) == exits:
                    break
        return said

    def pooled(self, ids, mask, segments):
        """What the heads see of a pair."""
        return [summed(rows, mask[:, None])[:, 0] for rows in self.rows(ids, mask, segments)]

    def forward(self, ids, mask, segments):
        heads = (self.start, self.exit, self.final)
        return [one(pool) for one, pool in zip(heads, self.pooled(ids, mask, segments))]

    def answers(self, ids, mask, segments, texts, exits=len(EXITS)):
        """Whether each of the texts answers the question, after each of the three."""
        heads = (self.start_answers, self.exit_answers, self.final_answers)
        return [one(summed(rows, texts))[..., 0] for one, rows in zip(heads, self.rows(ids, mask, segments, exits))]


def summed(rows, parts):
    """The first row and the mean of each part."""
    rows, weight = rows.float(), parts.float()
    means = weight @ rows / weight.sum(-1, keepdim=True).clamp(min=1)
    return torch.cat([rows[:, :1].expand_as(means), means], -1)


def head(outputs):
    return nn.Sequential(nn.Dropout(0.1), nn.Linear(2 * WIDTH, WIDTH), nn.Tanh(), nn.Dropout(0.1), nn.Linear(WIDTH, outputs))


def heads_from(tensors, part):
    """Exported heads under the names that they have here. Those for answers are not exported: what ships reads with layers of its own."""
    state = {}
    for name, own, theirs in (("hidden", 1, 0), ("classes", 4, 3)):
        state[f"{part}.{own}.weight"] = torch.from_numpy(matrix(tensors, name))
        state[f"{part}.{own}.bias"] = torch.from_numpy(np.array(tensors[f"{part}.{theirs}.bias"]))
    return state


class Pairs:
    """Pairs of texts as the model reads them."""

    def __init__(self, folder: Path):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.known: dict[str, list[int]] = {}

    def add(self, texts):
        """Many at once."""
        fresh = list(dict.fromkeys(texts))
        for text, one in zip(fresh, self.tokenizer.encode_batch(fresh)):
            self.known[text] = one.ids[1:-1][:TOKENS_A_TEXT]

    def pieces(self, text):
        if text not in self.known:
            self.known[text] = self.tokenizer.encode(text).ids[1:-1][:TOKENS_A_TEXT]
        return self.known[text]

    def length(self, older, newer):
        return len(self.pieces(older)) + len(self.pieces(newer))

    def batch(self, pairs):
        rows = [([FIRST, *self.pieces(older), LAST], [*self.pieces(newer), LAST]) for older, newer in pairs]
        width = max(len(left) + len(right) for left, right in rows)
        ids, segments = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width), np.int64)
        mask = np.zeros((len(rows), width), bool)
        for at, (left, right) in enumerate(rows):
            end = len(left) + len(right)
            ids[at, :end], mask[at, :end] = left + right, True
            segments[at, len(left) : end] = 1
        return tuple(torch.from_numpy(one).to(DEVICE) for one in (ids, mask, segments))

    def listed(self, rows, device=DEVICE):
        """Texts and a question each; also which tokens each text has."""
        told = [[[*self.pieces(text)[:TOKENS_A_WINDOW], LAST] for text in texts] for texts, _ in rows]
        asked = [[*self.pieces(question), LAST] for _, question in rows]
        width = max(1 + sum(map(len, texts)) + len(question) for texts, question in zip(told, asked))
        ids, segments = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width), np.int64)
        mask = np.zeros((len(rows), width), bool)
        parts = np.zeros((len(rows), max(map(len, told)), width), bool)
        for at, (texts, question) in enumerate(zip(told, asked)):
            end = 1
            for place, text in enumerate(texts):
                parts[at, place, end : end + len(text)] = True
                end += len(text)
            whole = [FIRST, *(piece for text in texts for piece in text), *question]
            ids[at, : len(whole)], mask[at, : len(whole)] = whole, True
            segments[at, end : len(whole)] = 1
        return tuple(torch.from_numpy(one).to(device) for one in (ids, mask, segments, parts))


def read_nli(path):
    with lzma.open(path, "rt", encoding="utf8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def made_up(rows):
    """Pairs that need no label: a surface change is the same, two texts at random have nothing to do with each other."""
    _, older, newer = random.choice(rows)
    if random.random() < 0.4:
        text = random.choice([older, newer])
        return "same", text, text.rstrip(".!") + random.choice(["", "!", ".", " ."])
    return "beside", older, random.choice(random.choice(rows)[1:])


@torch.no_grad()
def closings(model, rows, pairs):
    """The chance of a change, as the sixth layer tells it."""
    order = sorted(range(len(rows)), key=lambda at: pairs.length(*rows[at][1:]))
    chances = np.zeros(len(rows), np.float32)
    model.eval()
    for at in range(0, len(order), 512):
        part = order[at : at + 512]
        ids, mask, segments = pairs.batch([rows[one][1:] for one in part])
        early = model.rows(ids, mask, segments, exits=2)[-1]
        said = model.exit(summed(early, mask[:, None])[:, 0]).softmax(-1)
        chances[part] = said[:, CLOSING].sum(1).cpu().numpy()
    model.train()
    return chances


def suspects(model, others, pairs):
    """Of pairs that stand beside each other, those that the model takes for a change."""
    known = list(dict.fromkeys(others))
    some = random.sample(known, min(len(known), SUSPECTS_OF))
    chances = closings(model, some, pairs)
    return [some[at] for at in np.argsort(-chances)[:SUSPECTS_AN_EPOCH]]


def an_epoch(model, lots, stories, talk, pairs):
    """Rows with whether they are varied: all lots, all links of stories, and so many of the rest."""
    linked = [row for row in stories if row[0] != "beside"]
    others = [row for row in stories if row[0] == "beside"]
    rows = lots + linked + random.sample(others, min(len(others), STORIES_AN_EPOCH)) + suspects(model, others, pairs)
    made = [made_up(rows) for _ in range(len(rows) // 12)]
    chatter = random.sample(talk, min(len(talk), TALK_AN_EPOCH)) + suspects(model, talk, pairs)
    return [varied(row, rows) for row in rows] + made + chatter


def batches(rows, pairs):
    near = sorted(rows, key=lambda row: pairs.length(*row[1:]) + random.randrange(16))
    parts = [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    random.shuffle(parts)
    return parts


def asked_of(questions, lots):
    """Texts, question and the place of the answer among them; some texts with a remark of something else."""
    rows = []
    for one in questions:
        texts, answer = one.texts()
        rows.append(([with_a_remark(text, lots) if random.random() < 0.12 else text for text in texts], one.question, answer))
    return rows


def answers_loss(model, teachers, rows, pairs):
    """Each text by itself; and, where one is the answer, that one before the others."""
    inputs = pairs.listed([row[:2] for row in rows])
    all_said = model.answers(*inputs)
    there = inputs[-1].any(-1)
    place = torch.tensor([-100 if answer is None else answer for _, _, answer in rows], device=DEVICE)
    wanted = torch.full_like(all_said[-1], 0.02)
    answered = place >= 0
    wanted[answered, place[answered]] = 0.98
    if teachers:
        with torch.no_grad():
            wanted = 0.4 * wanted + 0.6 * torch.stack([teacher.answers(*inputs)[-1].sigmoid() for teacher in teachers]).mean(0)
    loss = 0
    for said, weight in zip(all_said, ANSWER_WEIGHTS):
        alone = F.binary_cross_entropy_with_logits(said[there], wanted[there])
        first = F.cross_entropy(said.masked_fill(~there, -1e4), place, ignore_index=-100) if answered.any() else 0
        loss = loss + weight * (1.5 * alone + 0.3 * first)
    return loss


def warm_up(model, rows, questions, pairs, steps, rate):
    """Entailment and questions from public pairs: teaches the layers to compare two texts."""
    heads = nn.ModuleList([nn.Linear(2 * WIDTH, 2) for _ in EXITS]).to(DEVICE)
    optimiser = torch.optim.AdamW([one for one in [*model.parameters(), *heads.parameters()] if one.requires_grad], lr=rate, fused=True)
    right = []
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 50)
        chosen = random.sample(rows, 64)
        said = [one(pool) for one, pool in zip(heads, model.pooled(*pairs.batch([row[1:] for row in chosen])))]
        wanted = torch.tensor([0 if row[0] == "e" else 1 for row in chosen], device=DEVICE)
        loss = sum(weight * F.cross_entropy(one, wanted) for one, weight in zip(said, EXIT_WEIGHTS))
        if questions:
            loss = loss + answers_loss(model, [], asked_of(random.sample(questions, 48), rows), pairs)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        right.append((said[-1].argmax(1) == wanted).float().mean())
    if right:
        print(f"warm-up: {steps} steps, accuracy {torch.stack(right[-200:]).mean().item():.3f}", flush=True)


@torch.no_grad()
def taught(teachers, inputs):
    """What the teachers say together."""
    said = [model(*inputs) for model in teachers]
    return torch.stack([late.softmax(-1) for *_, late in said]).mean(0)


def held_to(before, inputs, label, wanted):
    """Half of what the model said that it began as, where that was right."""
    said = taught([before], inputs)
    right = (said.argmax(-1) == label)[:, None]
    return torch.where(right, 0.5 * wanted + 0.5 * said, wanted)


def apart(first, second):
    """How far two readings of the same pairs, by other neurons each, are from each other."""
    one, two = (F.kl_div(left, right, reduction="batchmean", log_target=True) for left, right in ((first, second), (second, first)))
    return 0.5 * (one + two)


def train(model, teachers, read, pairs, options):
    lots, stories, talk, questions = read
    before = copy.deepcopy(model).eval().requires_grad_(False) if options.above_start else None
    if before:
        for part in (model.lower.places, model.lower.segment, model.segments, model.lower.norm, model.lower.layers[:START_LAYERS], model.start):
            part.requires_grad_(False)
    heads = [one for name, one in model.named_parameters() if one.requires_grad and name.split(".")[0] in HEADS]
    known = {id(one) for one in heads}
    body = [one for one in model.parameters() if one.requires_grad and id(one) not in known]
    groups = [{"params": body, "lr": options.rate}, {"params": heads, "lr": 10 * options.rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    rates = [group["lr"] for group in groups]
    mean = copy.deepcopy(model).requires_grad_(False)
    waiting = batches(an_epoch(model, lots, stories, talk, pairs), pairs)
    total = options.epochs * len(waiting)
    begun, step, done, losses = time.time(), 0, 0.0, []
    while done < 1:
        waiting = waiting or batches(an_epoch(model, lots, stories, talk, pairs), pairs)
        part = waiting.pop()
        factor = min(1, (step + 1) / 100) * max(0.02, 1 - done)
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * factor
        inputs = pairs.batch([row[1:] for row in part])
        *earlier, late = all_said = model(*(torch.cat([one, one]) for one in inputs))
        label = torch.tensor([LABELS.index(row[0]) for row in part], device=DEVICE)
        wanted = F.one_hot(label, len(LABELS)).float() * 0.98 + 0.005
        if teachers:
            wanted = 0.4 * wanted + 0.6 * taught(teachers, inputs)
        if before:
            wanted = held_to(before, inputs, label, wanted)
        wanted = torch.cat([wanted, wanted])
        loss = AGREEING * apart(*late.log_softmax(-1).chunk(2))
        loss = loss + sum(weight * F.cross_entropy(said, wanted) for said, weight in zip(all_said, EXIT_WEIGHTS))
        chosen = [one for kind, count in zip(questions, QUESTIONS_A_STEP) for one in random.sample(kind, min(len(kind), count))]
        if chosen:
            loss = loss + answers_loss(model, teachers, asked_of(chosen, lots), pairs)
        for said, weight in zip(earlier, EXIT_WEIGHTS):
            loss = loss + weight * F.kl_div(said.log_softmax(-1), late.detach().softmax(-1), reduction="batchmean")
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(body + heads, 1.0)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(model.parameters()), 1 / min(step + 1, MEAN_STEPS))
        losses.append(loss.detach())
        step += 1
        done = max(step / total, (time.time() - begun) / options.seconds)
        if step % 500 == 0:
            print(f"  {step}/{total} loss {torch.stack(losses[-500:]).mean().item():.3f} {time.time() - begun:.0f} s", flush=True)
    print(f"{step} steps, {time.time() - begun:.0f} s", flush=True)
    model.load_state_dict(mean.state_dict())


@torch.no_grad()
def report(name, model, rows, pairs):
    """How many changes are closed at a certainty, how many of the closings are wrong, and what the exit lets pass."""
    model.eval()
    parts = []
    for at in range(0, len(rows), 256):
        said = model(*pairs.batch([row[1:] for row in rows[at : at + 256]]))
        parts.append(torch.stack([one.softmax(-1) for one in said]).cpu().numpy())
    model.train()
    said = np.concatenate(parts, 1)
    wanted = np.array([LABELS.index(row[0]) for row in rows])
    closing = np.isin(wanted, CLOSING)
    start, early, late = said[..., CLOSING].sum(-1)
    both = np.select([start < 0.1, early < 0.1], [start, early], late)
    figures = [f"{name}: {len(rows)} pairs, accuracy {(said[-1].argmax(1) == wanted).mean():.3f}"]
    for place, chances, least in (("third", start, 0.05), ("third", start, 0.1), ("sixth", early, 0.1)):
        figures.append(f"{place}: {(chances >= least).mean():.2f} go on from {least}, of changes {(chances[closing] >= least).mean():.3f}")
    for least in (0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99):
        closes = both >= least
        figures.append(f"{least}: {closes[closing].sum()}/{closing.sum()} wrong {closes[~closing].sum()}")
    print("; ".join(figures), flush=True)


@torch.no_grad()
def report_answers(name, stories, model, pairs):
    """Of the three texts of a story that answer best alone, read together: which is first, and is there an answer at all?"""
    model.eval()
    for after, layer in enumerate(("third", "sixth", "last")):
        best, counts = {True: [], False: []}, {"changed": [], "plain": []}
        for story in stories:
            texts = [text["text"] for text in story["texts"]]
            for question in story["questions"]:
                alone = model.answers(*pairs.listed([([text], question["q"]) for text in texts]))[after][:, 0]
                near = sorted(alone.topk(min(3, len(texts))).indices.tolist())
                said = model.answers(*pairs.listed([([texts[at] for at in near], question["q"])]))[after][0].cpu().numpy()
                first = near[int(said.argmax())]
                best[question["answer_in"] is not None].append(said.max())
                if question["kind"] in counts:
                    counts[question["kind"]].append((first == question["answer_in"], first in question["outdated"]))
        yes, no = (np.array(best[kind]) for kind in (True, False))
        changed, plain = (np.array(counts[kind]).mean(0) for kind in ("changed", "plain"))
        print(
            f"{name}, after the {layer} layer: AUC {(yes[:, None] > no[None]).mean():.3f}; changed right {changed[0]:.3f}, "
            f"outdated {changed[1]:.3f}; plain right {plain[0]:.3f}",
            flush=True,
        )
    model.train()


def save(model, out):
    """Under the names that export_onnx.py takes, in two files; the word vectors are the encoder's."""
    state = numpy_state(model)
    lower, upper = Weights(), Weights()
    own = {name.removeprefix("lower."): value for name, value in state.items() if name.startswith("lower.")}
    layers_to(lower, own, range(EXIT_LAYERS))
    layers_to(upper, state, range(EXIT_LAYERS, LAYERS))
    del upper["embeddings.LayerNorm.weight"]
    for kind in ("weight", "bias"):
        lower[f"embeddings.LayerNorm.{kind}"] = state[f"lower.norm.{kind}"]
    lower.put("embeddings.position_embeddings.weight", state["lower.places"])
    lower["embeddings.token_type_embeddings.weight"] = state["lower.segment"][None] + state["segments"]
    for part, weights in (("start", lower), ("exit", lower), ("final", upper)):
        for own, theirs in ((1, 0), (4, 3)):
            for kind in ("", "_answers"):
                weights.put_linear(f"{part}{kind}.{theirs}", state, f"{part}{kind}.{own}")
    for name, weights in (("lower", lower), ("upper", upper)):
        np.savez_compressed(out / f"relations-{name}.npz", **weights)
    torch.save(model.state_dict(), out / "relations.pt")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--lots", type=Path, nargs="+", required=True)
    arguments.add_argument("--stories", type=Path, nargs="*", default=[])
    arguments.add_argument("--nli", type=Path)
    arguments.add_argument("--pairs", type=Path, help="the encoder's")
    arguments.add_argument("--answers", type=Path, nargs="*", default=[])
    arguments.add_argument("--held-questions", type=Path, nargs="*", default=[], help="stories with questions for the report alone")
    arguments.add_argument("--teachers", type=Path, nargs="*", default=[], help="folders that earlier runs wrote")
    arguments.add_argument("--held", type=Path, nargs="*", default=[], help="lots and stories for the report alone")
    arguments.add_argument("--go-on", action="store_true", help="start from the pair model that ships, not from the encoder")
    arguments.add_argument("--above-start", action="store_true", help="learn pairs alone, in the layers above those that the reading shares")
    arguments.add_argument("--judging-only", action="store_true", help="learn no questions")
    arguments.add_argument("--share", type=float, default=1, help="of the learnt weights in what is saved; the rest is the model it began as")
    arguments.add_argument("--start", type=Path, help="a folder that an earlier run wrote, to go on from")
    arguments.add_argument("--warm-up", type=int, default=1500, help="steps")
    arguments.add_argument("--epochs", type=int, default=10)
    arguments.add_argument("--rate", type=float, default=5e-5)
    arguments.add_argument("--seconds", type=float, default=3600, help="the longest it may learn after the warm-up")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    pairs = Pairs(options.weights)
    lots = [row for path in options.lots for row in read_lot(path)]
    stories = [row for path in options.stories for row in read_stories(path)]
    talk = read_talk(options.pairs) if options.pairs else []
    public = read_questions(options.pairs, CHARACTERS_A_WINDOW) if options.pairs else []
    asked = [one for path in options.stories for one in read_story_questions(path)]
    answers = [one for path in options.answers for one in read_answers(path)]
    questions = ([], [], []) if options.judging_only or options.above_start else (asked, answers, public)
    counts = ", ".join(f"{len(kind)} of {name}" for name, kind in zip(("stories", "answers", "the encoder's pairs"), questions))
    print(f"{len(lots)} pairs of lots, {len(stories)} of stories, {len(talk)} of talk; questions: {counts}", flush=True)
    model = PairModel(options.weights, "relations" if options.go_on else "encoder").to(DEVICE).train()
    begun = copy.deepcopy(model.state_dict())
    teachers = [copy.deepcopy(model).eval().requires_grad_(False) for _ in options.teachers]
    for teacher, folder in zip(teachers, options.teachers):
        teacher.load_state_dict(torch.load(folder / "relations.pt"))
    if options.start:
        model.load_state_dict(torch.load(options.start / "relations.pt"))
    if options.nli:
        warm_up(model, read_nli(options.nli), public, pairs, options.warm_up, options.rate)
    train(model, teachers, (lots, stories, talk, questions), pairs, options)
    model.load_state_dict({name: torch.lerp(begun[name], value, options.share) for name, value in model.state_dict().items()})
    save(model, options.out)
    for path in options.held:
        report(path.stem, model, read_stories(path) if path.suffix == ".jsonl" else read_lot(path), pairs)
    for path in options.held_questions:
        report_answers(path.stem, [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()], model, pairs)


if __name__ == "__main__":
    main()
