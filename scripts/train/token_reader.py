"""Trains a reading that never sees a word: which of one or two texts answers a question, from the token vectors alone that are stored beside every
text, 64 numbers a token. Minutes on a GPU. Not shipped: README.md says how well it reads, and what is missing.

    python3 token_reader.py WEIGHTS OUT --stories links-*.jsonl --answers answers-*.jsonl --pairs pairs.jsonl.xz --lots relations-*.tsv

WEIGHTS is src/models/reader/weights: the encoder, which stays as it is, and the reading that ships, whose judgement of every text is most of the lesson.

    stories, answers    questions with texts that answer them and others that do not (data/stories, data/answers)
    pairs               the encoder's: public questions and passages
    lots                remarks that stand beside some texts (data/relations)

Writes OUT/token-reader.npz.
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

from pupil import held_texts, shipped
from relations_data import NO_QUESTIONS, read_answers, read_story_questions, with_a_remark
from upper import Lower, Upper, numpy_state, tensors_of
from weights import HEAD_WIDTH

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
# Pieces of a text that are read at once, and of a question.
WINDOW, QUESTION = 56, 48
# The longest text that is encoded whole.
LONGEST = 400
FIRST, LAST = 101, 102
ENCODER_LAYERS = (range(6), range(6, 12))
# How much of what a text is held for is what the teacher says.
TAUGHT = 0.7
# What it costs to be less or more sure than that.
LOGITS = 0.2
# Of every text of a question, and of so many pairs of its texts, in the order in which they were told.
PAIRS_A_QUESTION = 5
REMARKS = 0.2
# Of the public pairs, texts a question.
PUBLIC_TEXTS = 5
MEAN_STEPS = 500
ROWS_DROPPED = 0.05


class Texts:
    """All texts, each once: their pieces, and after `encode` the token vectors of the pieces that are words."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        vocabulary = self.tokenizer.get_vocab()
        self.is_word = np.zeros(max(vocabulary.values()) + 1, bool)
        for piece, at in vocabulary.items():
            self.is_word[at] = any(letter.isalnum() for letter in piece)
        self.is_word[[FIRST, LAST]] = False
        self.places, self.list = {}, []

    def place(self, text):
        at = self.places.setdefault(text, len(self.list))
        if at == len(self.list):
            self.list.append(text)
        return at

    def split(self):
        self.pieces = []
        for at in range(0, len(self.list), 20_000):
            self.pieces += [np.array(one.ids[1:-1][:LONGEST], np.int64) for one in self.tokenizer.encode_batch(self.list[at : at + 20_000])]

    @torch.no_grad()
    def encode(self, folder):
        parts = [tensors_of(folder / f"encoder-{part}.onnx") for part in ("lower", "upper")]
        lower, upper = Lower(parts[0], ENCODER_LAYERS[0]).to(DEVICE).eval(), Upper(parts[1], ENCODER_LAYERS[1]).to(DEVICE).eval()
        counts = [int(self.is_word[pieces].sum()) for pieces in self.pieces]
        self.start = np.concatenate([[0], np.cumsum(counts)])
        self.rows = torch.zeros(int(self.start[-1]), 64, dtype=torch.int8, device=DEVICE)
        self.weights = torch.zeros(int(self.start[-1]), dtype=torch.float16, device=DEVICE)
        # Which piece of its text a row is of.
        self.at = np.concatenate([np.flatnonzero(self.is_word[pieces]) for pieces in self.pieces])
        order = np.argsort([len(pieces) for pieces in self.pieces])
        for part in np.array_split(order, max(1, len(order) // 512)):
            width = 2 + max(len(self.pieces[at]) for at in part)
            ids = np.zeros((len(part), width), np.int64)
            words, mask = np.zeros((len(part), width), bool), np.zeros((len(part), width), bool)
            for line, at in enumerate(part):
                pieces = self.pieces[at]
                ids[line, : len(pieces) + 2] = [FIRST, *pieces, LAST]
                mask[line, : len(pieces) + 2] = True
                words[line, 1 : len(pieces) + 1] = self.is_word[pieces]
            ids, mask, words = (torch.from_numpy(one).to(DEVICE) for one in (ids, mask, words))
            with torch.autocast(DEVICE, dtype=torch.bfloat16):
                rows = lower(ids, mask)
                _, tokens, importance = upper(rows, mask)
            codes = (tokens[words] * 127).round().clamp(-127, 127).to(torch.int8)
            there = torch.from_numpy(np.concatenate([np.arange(self.start[at], self.start[at + 1]) for at in part])).to(DEVICE)
            self.rows[there], self.weights[there] = codes, importance[words].sigmoid().half()

    def window(self, text, begin=0, length=WINDOW):
        """The rows of some pieces of a text, as (first, count)."""
        first, end = int(self.start[text]), int(self.start[text + 1])
        own = self.at[first:end]
        left, right = np.searchsorted(own, [begin, begin + length])
        return first + int(left), int(right - left)


class Block(nn.Module):
    """A layer whose tokens also see how near the encoder holds them to each other."""

    def __init__(self, width, heads, neurons):
        super().__init__()
        self.heads = heads
        self.mixed, self.joined = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, neurons), nn.Linear(neurons, width)
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(2)])
        self.nearness = nn.Parameter(torch.linspace(0, 4, heads))
        self.drop = nn.Dropout(0.1)

    def forward(self, rows, near, hidden):
        texts, length, width = rows.shape
        query, key, value = self.mixed(self.norms[0](rows)).view(texts, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = (query @ key.transpose(-1, -2)) * (width // self.heads) ** -0.5 + near * self.nearness[:, None, None].to(near.dtype)
        seen = (scores + hidden).softmax(-1).to(value.dtype) @ value
        rows = rows + self.drop(self.joined(seen.transpose(1, 2).reshape(texts, length, width)))
        return rows + self.drop(self.narrow(F.gelu(self.wide(self.norms[1](rows)))))


class TokenReader(nn.Module):
    """Layers over the token vectors of a question and of one or two texts, and a head that says something of each text."""

    def __init__(self, width=128, layers=2, heads=4, neurons=256):
        super().__init__()
        self.enter = nn.Linear(64, width)
        # Question, only or older text, newer text.
        self.sides = nn.Parameter(torch.randn(3, width) * 0.05)
        self.places = nn.Parameter(torch.randn(WINDOW + 8, width) * 0.02)
        # How much the encoder says that a token decides, and its best match on the other side.
        self.signs = nn.Linear(2, width, bias=False)
        self.blocks = nn.ModuleList([Block(width, heads, neurons) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.hidden, self.out = nn.Linear(3 * width, width), nn.Linear(width, 1)

    def forward(self, codes, importance, side, place, mask):
        """Side: 0 the question, 1 and 2 the texts. Gives a logit for each text; of one that is not there anything."""
        with torch.no_grad():
            units = codes.float() / 127
            near = units @ units.transpose(1, 2)
            other = mask[:, None, :] & ((side[:, :, None] == 0) != (side[:, None, :] == 0))
            best = near.masked_fill(~other, -1).amax(-1)
            hidden = torch.zeros_like(mask, dtype=torch.bfloat16).masked_fill(~mask, -1e4)[:, None, None, :]
            near = near[:, None].bfloat16()
            # Not by indexing: the gradient through that takes longer than all layers.
            where = torch.cat([F.one_hot(side, 3), F.one_hot(place, WINDOW + 8)], -1).float()
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            rows = self.enter(units) + where @ torch.cat([self.sides, self.places]) + self.signs(torch.stack([importance, best], -1))
            for block in self.blocks:
                rows = block(rows, near, hidden)
        rows = self.norm(rows.float())
        asked = (side == 0) & mask
        decides = (importance * asked).unsqueeze(-1)
        pools = [mean_of(rows, asked.unsqueeze(-1).float()), mean_of(rows, decides)]
        texts = [mean_of(rows, ((side == one) & mask).unsqueeze(-1).float()) for one in (1, 2)]
        return torch.stack([self.out(F.gelu(self.hidden(torch.cat([*pools, text], -1))))[:, 0] for text in texts], -1)


def mean_of(rows, weight):
    return (rows * weight).sum(1) / weight.sum(1).clamp(min=1e-6)


class Lesson:
    """Questions with one or two texts, as ranges of rows, and what is to be said of each text."""

    def __init__(self):
        self.rows, self.wanted, self.weight = [], [], []

    def add(self, ranges, wanted, weight=1.0):
        self.rows.append([*ranges, (0, 0)][:3])
        self.wanted.append([*wanted, 0.0][:2])
        self.weight.append([weight, weight if len(ranges) > 2 else 0.0])

    def close(self):
        self.rows, self.wanted, self.weight = (torch.tensor(one, device=DEVICE) for one in (self.rows, self.wanted, self.weight))
        return self


def gathered(texts, ranges, drop=0.0):
    """Rows of questions and texts, one after the other, as the model takes them."""
    parts = []
    for side in range(3):
        first, count = ranges[:, side, 0], ranges[:, side, 1]
        width = int(count.max())
        if width == 0:
            continue
        offset = torch.arange(width, device=DEVICE)
        mask = offset < count[:, None]
        if drop and side:
            mask &= torch.rand(mask.shape, device=DEVICE) >= drop
        parts.append((torch.where(mask, first[:, None] + offset, 0), torch.full_like(mask, side, dtype=torch.long), offset.expand_as(mask), mask))
    at, side, place, mask = (torch.cat(one, 1) for one in zip(*parts))
    importance = texts.weights[at].float() * (side == 0) * mask
    return texts.rows[at], importance, side, place.clamp(max=WINDOW + 7), mask


class Teacher:
    """What the reading says of texts alone, or of two together."""

    def __init__(self, folder):
        self.model = shipped(folder).to(DEVICE).eval()

    @torch.no_grad()
    def logits(self, asked):
        """Asked: question and pieces of each text."""
        found = np.zeros((len(asked), 2), np.float32)
        order = sorted(range(len(asked)), key=lambda at: sum(map(len, asked[at][1])) + len(asked[at][0]))
        for begin in range(0, len(order), 1024):
            part = order[begin : begin + 1024]
            width = max(2 + len(asked[at][0]) + sum(len(one) + 1 for one in asked[at][1]) for at in part)
            ids, segments = np.zeros((len(part), width), np.int64), np.zeros((len(part), width), np.int64)
            mask, told = np.zeros((len(part), width), bool), np.zeros((len(part), 2, width), bool)
            for line, at in enumerate(part):
                question, some = asked[at]
                end, whole = 1, [FIRST]
                for place, pieces in enumerate(some):
                    whole += [*pieces, LAST]
                    told[line, place, end : len(whole)] = True
                    end = len(whole)
                whole += [*question, LAST]
                ids[line, : len(whole)], mask[line, : len(whole)] = whole, True
                segments[line, end : len(whole)] = 1
            inputs = (torch.from_numpy(one).to(DEVICE) for one in (ids, mask, segments, told))
            found[part] = self.model(*inputs)[0].float().cpu().numpy()
        return found


def question_groups(options):
    """Questions with their texts in the order in which they were told: which answer, which are out of date; and whether labels say so."""
    groups = []
    lots = [line.split("\t") for path in options.lots for line in path.read_text(encoding="utf8").splitlines()]
    lots = [row for row in lots if len(row) == 3]
    remarked = lambda text: with_a_remark(text, lots) if random.random() < REMARKS else text  # noqa: E731
    for path, read in [*((one, read_story_questions) for one in options.stories), *((one, read_answers) for one in options.answers)]:
        for one in read(path):
            states = [text for _, text in one.states]
            told = sorted([*one.states, *one.others]) if one.in_order else [*one.states, *one.others]
            groups.append((one.question, [(remarked(text), None if text not in states else states.index(text) == len(states) - 1) for _, text in told], True))
    with lzma.open(options.pairs, "rt", encoding="utf8") as file:
        for line in file:
            one = json.loads(line)
            if one["src"] not in NO_QUESTIONS:
                told = [*((text, True) for text in one["pos"][:2]), *((text, None) for text in one["neg"])]
                groups.append((one["q"], told[:PUBLIC_TEXTS], False))
    return groups


def answer_lessons(texts, groups, folder):
    """Every text alone, and some pairs of texts together."""
    alone, together, asked = [], [], []
    for question, told, labelled in groups:
        own, places = texts.place(question), [texts.place(text) for text, _ in told]
        for place, (_, state) in zip(places, told):
            # An older state answers, too, as long as nobody reads it beside the newer one.
            label = None if not labelled or state is False else float(state is True)
            alone.append((own, place, label))
        if labelled:
            states = [at for at, (_, state) in enumerate(told) if state is not None]
            some = [tuple(sorted(random.sample(range(len(told)), 2))) for _ in range(PAIRS_A_QUESTION - 2) if len(told) > 1]
            some += [tuple(sorted(random.sample(states, 2))) for _ in range(2) if len(states) > 1]
            for first, second in some:
                last = max((at for at in (first, second) if told[at][1] is not None), default=None)
                together.append((own, [places[first], places[second]], [float(at == last) for at in (first, second)]))
    texts.split()
    texts.encode(folder)
    begins = [random.randrange(max(1, len(texts.pieces[place]) - WINDOW // 2)) if len(texts.pieces[place]) > WINDOW else 0 for _, place, _ in alone]
    asked = [(texts.pieces[own][:QUESTION], [texts.pieces[place][at : at + WINDOW]]) for (own, place, _), at in zip(alone, begins)]
    both = [(texts.pieces[own][:QUESTION], [texts.pieces[place][:WINDOW] for place in places]) for own, places, _ in together]
    teacher = Teacher(folder)
    begun = time.time()
    said, said_both = teacher.logits(asked), teacher.logits(both)
    print(f"teacher: {len(alone)} alone, {len(together)} together, {time.time() - begun:.0f} s", flush=True)
    lessons = [Lesson(), Lesson(), Lesson()]
    for (own, place, label), begin, logit in zip(alone, begins, said[:, 0]):
        chance = 1 / (1 + np.exp(-logit))
        is_public = label is None
        wanted = chance if is_public else TAUGHT * chance + (1 - TAUGHT) * (0.98 if label else 0.02)
        lessons[1 if is_public else 0].add([texts.window(own, 0, QUESTION), texts.window(place, begin)], [float(wanted)])
    for (own, places, labels), logits in zip(together, said_both):
        chances = 1 / (1 + np.exp(-logits))
        wanted = [float(TAUGHT * chance + (1 - TAUGHT) * (0.98 if label else 0.02)) for chance, label in zip(chances, labels)]
        lessons[2].add([texts.window(own, 0, QUESTION), *(texts.window(place) for place in places)], wanted)
    return [lesson.close() for lesson in lessons]


def train(model, texts, lessons, shares, options):
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.02, fused=DEVICE == "cuda")
    mean = copy.deepcopy(model).requires_grad_(False)
    begun, step, done, losses = time.time(), 0, 0.0, []
    while done < 1:
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 500) * max(0.02, 1 - done)
        loss = 0
        for lesson, size in zip(lessons, shares):
            if size == 0 or len(lesson.rows) == 0:
                continue
            chosen = torch.randint(len(lesson.rows), (size,), device=DEVICE)
            said = model(*gathered(texts, lesson.rows[chosen], ROWS_DROPPED))
            wanted, weight = lesson.wanted[chosen], lesson.weight[chosen]
            part = F.binary_cross_entropy_with_logits(said, wanted, reduction="none")
            part = part + LOGITS * F.smooth_l1_loss(said.clamp(-7, 7), torch.logit(wanted, 1e-3), reduction="none")
            loss = loss + (part * weight).sum() / weight.sum() * size / sum(shares)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(model.parameters()), 1 / min(step + 1, MEAN_STEPS))
        losses.append(loss.detach())
        step, done = step + 1, (time.time() - begun) / options.seconds
        if step % 500 == 0:
            print(f"  {step} loss {torch.stack(losses[-500:]).mean().item():.4f} {time.time() - begun:.0f} s", flush=True)
    print(f"{step} steps", flush=True)
    model.load_state_dict(mean.state_dict())


@torch.no_grad()
def says(model, texts, lesson):
    model.eval()
    parts = [model(*gathered(texts, lesson.rows[at : at + 2048]))[:, 0] for at in range(0, len(lesson.rows), 2048)]
    model.train()
    return torch.cat(parts).sigmoid().cpu().numpy()


def auc(yes, no):
    return (yes[:, None] > no[None]).mean() + 0.5 * (yes[:, None] == no[None]).mean()


def held_rows(path, texts):
    """Question, text, and whether it answers."""
    return [(texts.place(asked), texts.place(text), answers) for answers, rows in held_texts(path).items() for (text,), asked in rows]


def report(name, model, teacher, texts, rows):
    """Each text alone: how often one that answers has a higher chance than one that does not, of the model and of its teacher."""
    lesson, asked = Lesson(), []
    for question, text, _ in rows:
        lesson.add([texts.window(question, 0, QUESTION), texts.window(text)], [0.0])
        asked.append((texts.pieces[question][:QUESTION], [texts.pieces[text][:WINDOW]]))
    answers = np.array([answers for *_, answers in rows])
    said, theirs = says(model, texts, lesson.close()), teacher.logits(asked)[:, 0]
    print(
        f"{name}: AUC {auc(said[answers], said[~answers]):.4f} (teacher {auc(theirs[answers], theirs[~answers]):.4f}); above one half "
        f"{(said[answers] >= 0.5).mean():.3f} of {answers.sum()} that answer, {(said[~answers] >= 0.5).mean():.3f} of {(~answers).sum()} that do not",
        flush=True,
    )


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--stories", type=Path, nargs="+", required=True)
    arguments.add_argument("--answers", type=Path, nargs="*", default=[])
    arguments.add_argument("--lots", type=Path, nargs="+", required=True)
    arguments.add_argument("--pairs", type=Path, required=True, help="the encoder's")
    arguments.add_argument("--held", type=Path, nargs="*", default=[], help="for the report alone")
    arguments.add_argument("--width", type=int, default=128)
    arguments.add_argument("--layers", type=int, default=2)
    arguments.add_argument("--neurons", type=int, default=256)
    arguments.add_argument("--shares", type=int, nargs=3, default=[1536, 1024, 512], help="of a step: what labels say, what the teacher alone says, texts together")
    arguments.add_argument("--rate", type=float, default=1e-3)
    arguments.add_argument("--seconds", type=float, default=400)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    texts, begun = Texts(options.weights), time.time()
    held = {path.stem: held_rows(path, texts) for path in options.held}
    lessons = answer_lessons(texts, question_groups(options), options.weights)
    figures = ", ".join(str(len(one.rows)) for one in lessons)
    print(f"{len(texts.list)} texts, {len(texts.rows)} rows, lessons of {figures}, {time.time() - begun:.0f} s", flush=True)
    model = TokenReader(options.width, options.layers, options.width // HEAD_WIDTH, options.neurons).to(DEVICE)
    train(model, texts, lessons, options.shares, options)
    np.savez_compressed(options.out / "token-reader.npz", **numpy_state(model))
    teacher = Teacher(options.weights)
    for name, rows in held.items():
        report(name, model, teacher, texts, rows)


if __name__ == "__main__":
    main()
