"""Trains the facts model: its own upper layers and heads on the encoder's lower layers, which learn along. Minutes on a GPU.

    python3 facts.py WEIGHTS KINDS OUT --lots facts-*.tsv --held unseen/facts-l.tsv --keep texts.jsonl.xz

WEIGHTS is src/models/reader/weights, KINDS src/models/facts/kinds.json. Lots are written as data/facts/GUIDE.md says.
The encoder shares its lower layers with the facts model. While these learn, the whole encoder is held to what it said of
the texts of --keep (lines of JSON, of which every string is taken) before: its vectors stay what they were.
With --teachers it also learns what earlier runs on the same lots, taken together, say of the texts of --plain, which have no labels.
With --folds N each of N teachers leaves one part of the lots out (--fold), and the pupil learns of a labelled text also what the one says
that has not seen it: a label is one reader's word, and what is learnt by heart is too sure.
Writes OUT/facts.npz, and OUT/encoder-*.npz where the encoder learnt; export_facts.py makes the shipped files of them.
"""

import argparse
import copy
import hashlib
import json
import lzma
import random
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F

from export_onnx import EXIT_LAYERS
from facts_data import FLAGS, SOURCES, Labels, Pieces, anchored, fits, other_codes, read_plain, read_texts, said_in
from upper import WIDTH, Layer, Lower, Upper, layers_from, matrix, tensors_of
from weights import all_floats, read_weights, write_weights

BATCH = 48
# Texts a step on which the encoder is held to what it was.
KEPT = 96
MOST_KEPT_PIECES = 128
# The weights that ship are a running mean over about so many steps.
MEAN_STEPS = 600
HIDDEN = 192
# The chance from which on a pair that the teachers see in them is a fact to name.
LEAST_TAUGHT = 0.3
# What a label counts beside what the teacher says that has not seen it.
LABELLED = 0.5
ROLES = ["subject", "object", "end", "start", "holder", "word"]
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def put(value):
    return torch.as_tensor(value).to(DEVICE)


class FactsModel(nn.Module):
    """What a text says, from the rows of the encoder's lower layers."""

    def __init__(self, labels, layers=range(EXIT_LAYERS, 12)):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in layers])
        self.source = nn.Parameter(torch.zeros(len(SOURCES), WIDTH))
        self.roles = nn.ModuleDict({role: nn.Linear(WIDTH, HIDDEN) for role in ROLES})
        self.pair = nn.Parameter(torch.randn(HIDDEN + 1, HIDDEN + 1) * 0.02)
        self.start = nn.Parameter(torch.randn(HIDDEN + 1, HIDDEN + 1) * 0.02)
        self.word = nn.Parameter(torch.randn(HIDDEN + 1, HIDDEN + 1) * 0.02)
        self.kind = nn.Linear(WIDTH, len(labels.kinds))
        self.relation = nn.ModuleList([nn.Linear(3 * WIDTH, WIDTH), nn.Linear(WIDTH, len(labels.relations) + len(FLAGS))])
        self.edit = nn.ModuleList([nn.Linear(2 * WIDTH, HIDDEN), nn.Linear(HIDDEN, len(labels.edits))])
        self.drop = nn.Dropout(0.2)

    def rows(self, lower, mask, sources):
        rows = lower + self.source[sources][:, None, :]
        for layer in self.layers:
            rows = layer(rows, mask)
        return rows.float()

    def grids(self, rows):
        """For every two pieces: subject and object, span's end and start, object and word of its predicate."""
        roles = {role: self.drop(F.gelu(linear(rows))) for role, linear in self.roles.items()}
        one = lambda name: F.pad(roles[name], (0, 1), value=1.0)  # noqa: E731
        product = lambda left, weight, right: one(left) @ weight @ one(right).transpose(1, 2)  # noqa: E731
        return (
            product("subject", self.pair, "object"),
            product("end", self.start, "start"),
            product("holder", self.word, "word"),
        )

    def relations(self, features):
        return self.relation[1](self.drop(F.gelu(self.relation[0](self.drop(features)))))

    def edits(self, features):
        return self.edit[1](self.drop(F.gelu(self.edit[0](self.drop(features)))))


class Reader(nn.Module):
    """The encoder and the facts model on the same lower layers."""

    def __init__(self, folder: Path, labels, before=None):
        super().__init__()
        lower, upper = (tensors_of(folder / f"encoder-{part}.onnx") for part in ("lower", "upper"))
        self.lower, self.upper = Lower(lower, range(EXIT_LAYERS)), Upper(upper, range(EXIT_LAYERS, 12))
        self.facts = FactsModel(labels)
        # Whether its lower layers are the encoder's, which need to read a text once for all.
        self.shares = True
        begin = facts_before(folder, labels, before, self.facts) if before else layers_from(upper, range(EXIT_LAYERS, 12))
        self.facts.load_state_dict(begin, strict=False)

    def rows(self, given):
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            if not self.shares:
                return self.facts.rows(self.lower(given.ids, given.mask), given.mask, given.sources)
            if given.lower is None:
                given.lower = self.lower(given.ids, given.mask)
            return self.facts.rows(given.lower, given.mask, given.sources)

    def encode(self, ids, mask):
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            return self.upper(self.lower(ids, mask), mask)


# A class that the model before did not know begins as unlikely.
UNKNOWN_CLASS = -4.0


def facts_before(folder: Path, labels, before, model):
    """The exported facts model, its classes put where these labels have them."""
    read, names = (tensors_of(folder / f"{name}.onnx") for name in ("facts", "facts-names"))
    state = layers_from(read, range(EXIT_LAYERS, 12))
    for part, source, name in (("kind", read, "kind"), ("relation.0", names, "relations.hidden"), ("edit.0", names, "edits.hidden")):
        state |= {f"{part}.weight": matrix(source, name), f"{part}.bias": source[f"{part}.bias"]}
    for role, weight, bias in zip(ROLES, np.split(matrix(read, "roles"), len(ROLES)), np.split(read["roles.bias"], len(ROLES))):
        state |= {f"roles.{role}.weight": weight, f"roles.{role}.bias": bias}
    state |= {"source": read["sources"], **{part: read[f"{grid}.grid"] for part, grid in (("pair", "pairs"), ("start", "starts"), ("word", "words"))}}
    state = {name: torch.tensor(np.asarray(value)) for name, value in state.items()}
    for part, grid, now, known in (
        ("relation.1", "relations.classes", [*labels.relations, *FLAGS], [*before["relations"], *before["flags"]]),
        ("edit.1", "edits.classes", labels.edits, before["edits"]),
    ):
        places = {name: at for at, name in enumerate(known)}
        kept = [(at, places[name]) for at, name in enumerate(now) if name in places]
        here, there = (torch.tensor(side) for side in zip(*kept))
        own = model.get_submodule(part)
        weight, bias = own.weight.detach().clone(), torch.full_like(own.bias, UNKNOWN_CLASS)
        weight[here] = torch.from_numpy(matrix(names, grid))[there]
        bias[here] = torch.from_numpy(np.array(names[f"{part}.bias"]))[there]
        state |= {f"{part}.weight": weight, f"{part}.bias": bias}
    return state


def padded(rows):
    ids = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    mask = torch.zeros_like(ids, dtype=torch.bool)
    for at, row in enumerate(rows):
        ids[at, : len(row)], mask[at, : len(row)] = torch.tensor(row), True
    return put(ids), put(mask)


@dataclass
class Batch:
    """Texts as pieces, with the pieces at which a word ends or starts and the number of each text's source."""

    ids: torch.Tensor
    mask: torch.Tensor
    ends: torch.Tensor
    starts: torch.Tensor
    sources: torch.Tensor
    lower: torch.Tensor | None = None


def batch(examples):
    ids, mask = padded([one["pieces"].ids for one in examples])
    ends, starts = torch.zeros(mask.shape, dtype=torch.bool), torch.zeros(mask.shape, dtype=torch.bool)
    for at, one in enumerate(examples):
        ends[at, [0, *(word[1] for word in one["pieces"].words)]] = True
        starts[at, [0, *(word[0] for word in one["pieces"].words)]] = True
    return Batch(ids, mask, put(ends), put(starts), put([SOURCES.index(one["text"].source) for one in examples]))


def places(found, width):
    return put(torch.tensor(found, dtype=torch.long).reshape(-1, width))


class Told:
    """Where the labels of a batch lie: its facts' ends, their spans and words, as indices of pieces."""

    def __init__(self, examples, labels, length):
        pairs, words, spans, said, self.edits, kinds = [], [], [], [], [], []
        subjects, objects, self.relations, self.flags = [], [], [], []
        for at, one in enumerate(examples):
            pieces, base = one["pieces"], at * length
            for fact in one["facts"]:
                subject, object_ = pieces.last_piece(fact.subject[1]), pieces.last_piece(fact.object[1])
                for span in (fact.subject, fact.object):
                    if span[0] >= 0:
                        spans.append((at, pieces.last_piece(span[1]), pieces.first_piece(span[0])))
                ends_of_words = [pieces.last_piece(one) for one in fact.predicate]
                words += [(at, object_, piece) for piece in ends_of_words]
                said += [(len(pairs), base + piece, base + object_) for piece in ends_of_words]
                pairs.append((at, subject, object_))
                subjects.append(base + subject)
                objects.append(base + object_)
                self.relations.append(labels.relation(fact))
                self.flags.append(fact.flags)
                self.edits += labels.edits_of(fact)
                kinds += [(base + pieces.last_piece(word), kind) for word, kind in labels.kinds_told(fact)]
        self.pairs, self.words, self.spans, self.said = places(pairs, 3), places(words, 3), places(spans, 3), places(said, 3)
        self.kinds = places(kinds, 2)
        # The row of who speaks sums up the whole text, and would let one clause decide for another.
        self.named = put([float(subject % length != 0) for subject in subjects])[:, None] if subjects else None
        self.subjects, self.objects = (put(torch.tensor(ends, dtype=torch.long)) for ends in (subjects, objects))


def logits_of(model, rows, told, starts):
    """What a model says of a batch, where the labels are: grid of pairs, starts of spans, grid of words, relations with flags."""
    pair, start, word = model.grids(rows)
    if not len(told.pairs):
        return pair, None, word, None
    starting = start[told.spans[:, 0], told.spans[:, 1]].masked_fill(~starts[told.spans[:, 0]], -1e4)
    flat = rows.reshape(-1, WIDTH)
    count = len(told.pairs)
    counts = torch.zeros(count, device=DEVICE).index_add(0, told.said[:, 0], torch.ones(len(told.said), device=DEVICE))
    means = torch.zeros(count, WIDTH, device=DEVICE).index_add(0, told.said[:, 0], flat[told.said[:, 1]]) / counts.clamp(min=1)[:, None]
    features = torch.cat([flat[told.subjects] * told.named, flat[told.objects], means], -1)
    return pair, starting, word, model.relations(features)


def losses(reader, rows, examples, given, labels):
    model, ends = reader.facts, given.ends
    told, classes = Told(examples, labels, given.ids.shape[1]), len(labels.relations)
    pair, starting, word, named = logits_of(model, rows, told, given.starts)
    wanted, words, holders = torch.zeros_like(pair), torch.zeros_like(word), torch.zeros_like(given.mask)
    index = told.pairs
    wanted[index[:, 0], index[:, 1], index[:, 2]] = 1
    holders[index[:, 0], index[:, 2]] = True
    total = {"pair": pair_loss(pair, wanted, ends)}
    if not len(index):
        return total
    total["start"] = F.cross_entropy(starting, told.spans[:, 2])
    index = told.words
    words[index[:, 0], index[:, 1], index[:, 2]] = 1
    total["word"] = word_loss(word, words, holders, ends, len(told.pairs))
    named_relations = put(told.relations)
    sure = named_relations >= 0
    if sure.any():
        total["relation"] = F.cross_entropy(named[sure][:, :classes], named_relations[sure], label_smoothing=0.05)
    total["flags"] = F.binary_cross_entropy_with_logits(named[:, classes:], put(told.flags)) * 3
    flat = rows.reshape(-1, WIDTH)
    if any(one >= 0 for one in told.edits):
        features = torch.cat([flat[told.said[:, 1]], flat[told.said[:, 2]]], -1)
        total["edit"] = F.cross_entropy(model.edits(features), put(told.edits)) * 0.5
    if len(told.kinds):
        total["kind"] = F.cross_entropy(model.kind(flat[told.kinds[:, 0]]), told.kinds[:, 1]) * 0.3
    return total


def pair_loss(logits, wanted, ends):
    known = ends[:, :, None] & ends[:, None, :]
    each = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none")[known]
    wanted = wanted[known]
    return (each * (1 + 2 * wanted)).sum() / wanted.sum().clamp(min=1) * 0.5


def word_loss(logits, wanted, holders, ends, facts):
    each = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none")[holders[:, :, None] & ends[:, None, :]]
    return each.sum() / facts * 0.5


class Seen:
    """The facts that the teachers see in a batch, as indices of pieces: where to ask for a span, a name, a kind."""

    def __init__(self, pairs, words, ends, length):
        places = torch.arange(length, device=DEVICE)
        possible = ends[:, :, None] & ends[:, None, :] & (places[:, None] != places)
        self.pairs = ((pairs >= LEAST_TAUGHT) & possible).nonzero()
        texts, subjects, objects = self.pairs.unbind(1)
        self.holders = torch.zeros_like(ends)
        self.holders[texts, objects] = True
        spans = self.holders.clone()
        spans[texts, subjects] = True
        spans[:, 0] = False
        self.spans = spans.nonzero()
        self.subjects, self.objects, self.named = texts * length + subjects, texts * length + objects, (subjects != 0).float()[:, None]
        said = (words[texts, objects] >= 0.5) & ends[texts] & (places != 0)
        facts, pieces = said.nonzero().unbind(1)
        self.facts, self.words, self.of = facts, texts[facts] * length + pieces, self.objects[facts]

    def named_by(self, model, rows):
        """Of each fact relations and flags, of each word of its predicate an edit, of each name a kind."""
        flat = rows.reshape(-1, WIDTH)
        counts = torch.zeros(len(self.pairs), device=DEVICE).index_add(0, self.facts, torch.ones(len(self.facts), device=DEVICE))
        means = torch.zeros(len(self.pairs), WIDTH, device=DEVICE).index_add(0, self.facts, flat[self.words]) / counts.clamp(min=1)[:, None]
        features = torch.cat([flat[self.subjects] * self.named, flat[self.objects], means], -1)
        edits = model.edits(torch.cat([flat[self.words], flat[self.of]], -1))
        return model.relations(features), edits, model.kind(flat[self.spans[:, 0] * rows.shape[1] + self.spans[:, 1]])


def taught(reader, rows, teachers, given, classes):
    """The loss against what the teachers say together."""
    ends, starts, length = given.ends, given.starts, given.ids.shape[1]
    begins = lambda grid, spans: grid[spans[:, 0], spans[:, 1]].masked_fill(~starts[spans[:, 0]], -1e4)  # noqa: E731
    mean = lambda values: torch.stack(values).mean(0)  # noqa: E731
    with torch.no_grad():
        theirs = [teacher.rows(given) for teacher in teachers]
        grids = [teacher.facts.grids(one) for teacher, one in zip(teachers, theirs)]
        pairs, words = (mean([grid[place].sigmoid() for grid in grids]) for place in (0, 2))
        seen = Seen(pairs, words, ends, length)
        spans = mean([begins(grid[1], seen.spans).softmax(-1) for grid in grids])
        named = [seen.named_by(teacher.facts, one) for teacher, one in zip(teachers, theirs)]
        relations, edits, kinds = (mean([one[place][:, :most].softmax(-1) for one in named]) for place, most in ((0, classes), (1, None), (2, None)))
        flags = mean([one[0][:, classes:].sigmoid() for one in named])
    pair, start, word = reader.facts.grids(rows)
    total = {"t-pair": pair_loss(pair, pairs, ends)}
    if not len(seen.pairs):
        return total
    own_relations, own_edits, own_kinds = seen.named_by(reader.facts, rows)
    total["t-start"] = F.cross_entropy(begins(start, seen.spans), spans)
    total["t-word"] = word_loss(word, words, seen.holders, ends, len(seen.pairs))
    total["t-relation"] = F.cross_entropy(own_relations[:, :classes], relations)
    total["t-flags"] = F.binary_cross_entropy_with_logits(own_relations[:, classes:], flags) * 3
    if len(seen.facts):
        total["t-edit"] = F.cross_entropy(own_edits, edits) * 0.5
    total["t-kind"] = F.cross_entropy(own_kinds, kinds) * 0.3
    return total


def kept(reader, before, texts):
    """How far the encoder has moved on these texts."""
    ids, mask = padded(texts)
    with torch.no_grad():
        vector, tokens, importance = before.encode(ids, mask)
    for part in (reader.lower, reader.upper):
        part.eval()
    found = reader.encode(ids, mask)
    reader.train()
    apart = lambda left, right: 1 - (left * right).sum(-1)  # noqa: E731
    return {
        "vector": apart(found[0], vector).mean() * 40,
        "tokens": apart(found[1], tokens)[mask].mean() * 20,
        "importance": F.mse_loss(found[2][mask].sigmoid(), importance[mask].sigmoid()) * 20,
    }


LONGEST_SPAN = 24


@torch.no_grad()
def read_facts(reader, one, labels, least):
    """The facts of a text, as the decoder of src/models/facts gives them."""
    model = reader.facts
    rows = reader.rows(batch([one]))
    pair, start, word = (grid[0].cpu() for grid in model.grids(rows))
    rows, chances, words = rows[0], torch.sigmoid(pair), torch.sigmoid(word)
    pieces = one["pieces"]
    last = [0, *(word[1] for word in pieces.words)]
    found = []
    none = torch.zeros(WIDTH, device=DEVICE)
    for subject, s in enumerate(last):
        for object_, o in enumerate(last):
            chance = chances[s, o].item()
            if chance < least or subject == object_:
                continue
            span = lambda at: "@user" if at == 0 else piece(pieces, start, at - 1)  # noqa: E731
            said = [at for at, word in enumerate(pieces.words) if words[o, word[1]] >= 0.5]
            mean = rows[[pieces.words[at][1] for at in said]].mean(0) if said else none
            logits = model.relations(torch.cat([rows[s] if s else none, rows[o], mean])[None])[0]
            classes = len(labels.relations)
            flags = torch.sigmoid(logits[classes:]).tolist()
            relation = labels.relations[int(logits[:classes].argmax())]
            if relation.endswith("*"):
                relation = made(model, labels, relation[:-1], pieces, rows, said, o)
            found.append(
                {"subject": span(subject), "object": span(object_), "relation": relation, "chance": chance}
                | {flag: value >= 0.5 for flag, value in zip(FLAGS, flags)}
                | {"predicate": " ".join(pieces.text[pieces.words[at][2] : pieces.words[at][3]] for at in said)}
            )
    return found


def piece(pieces, start, word):
    first = max(0, word - LONGEST_SPAN)
    places = [pieces.words[at][0] for at in range(first, word + 1)]
    begun = first + int(start[pieces.words[word][1], places].argmax())
    return pieces.text[pieces.words[begun][2] : pieces.words[word][3]]


def made(model, labels, prefix, pieces, rows, said, o):
    """A relation's name from the words of the text."""
    parts = []
    for at in said:
        text = pieces.text[pieces.words[at][2] : pieces.words[at][3]].lower()
        logits = model.edits(torch.cat([rows[pieces.words[at][1]], rows[o]])[None])[0]
        for number in logits.argsort(descending=True).tolist():
            edit = labels.edits[number]
            if edit == "drop":
                break
            if edit == "keep":
                parts.append(text)
                break
            off, on = edit[1:].split("+", 1)
            if int(off) < len(text):
                parts.append(text[: len(text) - int(off)] + on)
                break
    return prefix + "_".join(parts) if parts else (prefix.rstrip("_") or "is")


def report(name, reader, examples, labels, least=(0.3, 0.4, 0.5, 0.6, 0.7, 0.8)):
    reader.eval()
    read = [read_facts(reader, one, labels, min(least)) for one in examples]
    for limit in least:
        counts = dict(found=0, right=0, exact=0, told=0, recalled=0, relation=0)
        for one, facts in zip(examples, read):
            facts = [fact for fact in facts if fact["chance"] >= limit]
            gold = one["text"].facts
            counts["found"] += len(facts)
            counts["told"] += len(gold)
            right = [fact for fact in facts if any(fits(each, fact) for each in gold)]
            counts["right"] += len(right)
            counts["exact"] += sum(any(fits(each, fact, exact=True) for each in gold) for fact in facts)
            counts["recalled"] += sum(any(fits(each, fact) for fact in facts) for each in gold)
            counts["relation"] += sum(any(fits(each, fact) and each[3] == fact["relation"] for each in gold) for fact in right)
        precision, recall = counts["right"] / max(1, counts["found"]), counts["recalled"] / max(1, counts["told"])
        print(
            f"{name} >= {limit}: P {precision:.3f} R {recall:.3f} F {2 * precision * recall / max(1e-9, precision + recall):.3f}"
            f", exact {counts['exact'] / max(1, counts['found']):.3f}, relation {counts['relation'] / max(1, counts['right']):.3f}"
            f", {counts['found']} facts",
            flush=True,
        )
    reader.train()
    return read


def calibrated(read, examples):
    """How often a fact of a score is right, as a line over its logit."""
    facts = [(fact, one["text"].facts) for one, facts in zip(examples, read) for fact in facts]
    logits = torch.logit(torch.tensor([fact["chance"] for fact, _ in facts]), eps=1e-6)
    right = torch.tensor([float(any(fits(each, fact) for each in gold)) for fact, gold in facts])
    line = torch.tensor([1.0, 0.0], requires_grad=True)
    optimiser = torch.optim.LBFGS([line], max_iter=100)

    def step():
        optimiser.zero_grad()
        loss = F.binary_cross_entropy_with_logits(line[0] * logits + line[1], right)
        loss.backward()
        return loss

    optimiser.step(step)
    return {"slope": round(line[0].item(), 4), "shift": round(line[1].item(), 4)}


LONGEST_JOINED = 70


def couples(examples, count):
    """Two short texts of the same kind of source each, of which one denies or ends something and the other does not."""
    told = [one for one in examples if one["facts"] and len(one["pieces"].ids) <= LONGEST_JOINED]
    denies = lambda one: any(fact.flags[0] or fact.flags[1] for fact in one["facts"])  # noqa: E731
    groups = [[[one for one in told if one["text"].source == source and denies(one) == side] for side in (True, False)] for source in SOURCES]
    for group in random.choices(groups, weights=[len(group[0]) for group in groups], k=count):
        yield random.sample([random.choice(side) for side in group], 2)


def joined(tokenizer, first, second):
    """Two texts as one, by a full stop or by `and`: what each says stays as it was."""
    left, right = first["text"].text.rstrip(), second["text"].text
    if random.random() < 0.5:
        left, link = left.rstrip("."), ", and "
        right = right[:1].lower() + right[1:] if right.split(" ")[0] in ("My", "The", "Our", "We", "It", "You", "Your", "This") else right
    else:
        link = " " if left[-1:] in ".!?" else ". "
    pieces = Pieces(tokenizer, left + link + right)
    before = sum(start < len(left + link) for _, _, start, _ in pieces.words)
    shift = lambda word: word if word < 0 else word + before  # noqa: E731
    moved = [
        replace(fact, subject=tuple(map(shift, fact.subject)), object=tuple(map(shift, fact.object)), predicate=[*map(shift, fact.predicate)])
        for fact in second["facts"]
    ]
    most = len(Pieces(tokenizer, left).words)
    kept = [fact for fact in first["facts"] if max(fact.subject[1], fact.object[1], *fact.predicate, 0) < most]
    fits_in = [fact for fact in kept + moved if max(fact.subject[1], fact.object[1], *fact.predicate, 0) < len(pieces.words)]
    return {"text": first["text"], "pieces": pieces, "facts": fits_in, "fold": None}


def texts_to_keep(path, tokenizer, count):
    with lzma.open(path, "rt", encoding="utf8") as file:
        lines = random.sample(list(file), count)
    texts = list({text for line in lines for text in said_in(json.loads(line)) if len(text) > 8})
    random.shuffle(texts)
    coded = tokenizer.encode_batch(texts[: 2 * count])
    return [[*one.ids[: MOST_KEPT_PIECES - 1], one.ids[-1]] if len(one.ids) > MOST_KEPT_PIECES else one.ids for one in coded]


def fold_of(text, folds):
    return hashlib.sha256(text.encode()).digest()[-1] % folds


def in_folds(known, folds):
    """Batches of one fold each; what is made of two texts stands by itself."""
    groups = [[one for one in known if one["fold"] == fold] for fold in [*range(folds), None]]
    parts = [part for group in groups for part in by_length(group, lambda one: len(one["pieces"].ids), BATCH)]
    random.shuffle(parts)
    return parts


def by_length(known, length, size):
    near = sorted(known, key=lambda one: length(one) + random.randrange(12))
    parts = [near[at : at + size] for at in range(0, len(near), size)]
    random.shuffle(parts)
    return parts


def train(reader, teachers, known, keep, unlabelled, labels, options, started):
    before = copy.deepcopy(reader).eval().requires_grad_(False) if keep else None
    reader.shares = not (keep or options.free)
    reader.lower.train(not reader.shares).requires_grad_(not reader.shares)
    reader.upper.requires_grad_(bool(keep))
    reader.lower.words.requires_grad_(False)
    layers = [value for part in (reader.lower, reader.upper, reader.facts.layers) for value in part.parameters() if value.requires_grad]
    others = [value for name, value in reader.facts.named_parameters() if not name.startswith("layers.")]
    groups = [{"params": layers, "lr": options.rate}, {"params": others, "lr": options.head_rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    rates = [group["lr"] for group in groups]
    batches = [part for _ in range(options.epochs) for part in in_folds(known, options.folds)]
    keeping, asking, told, begun = [], [], [], time.time()
    mean = copy.deepcopy(reader).requires_grad_(False)
    moving = [pair for pair in zip(mean.parameters(), reader.parameters()) if pair[1].requires_grad]
    for step, part in enumerate(batches):
        done = max(step / len(batches), (time.time() - begun) / options.seconds)
        if done >= 1:
            break
        factor = min(1, (step + 1) / 100) * max(0.02, 1 - done)
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * factor
        given = batch(part)
        rows = reader.rows(given)
        parts = losses(reader, rows, part, given, labels)
        if teachers and part[0]["fold"] is not None and options.folds > 1:
            second = taught(reader, rows, [teachers[part[0]["fold"]]], given, len(labels.relations))
            parts = {name: value * LABELLED for name, value in parts.items()} | {f"f{name[1:]}": value * (1 - LABELLED) for name, value in second.items()}
        if unlabelled:
            asking = asking or by_length(unlabelled, lambda one: len(one["pieces"].ids), options.asked)
            part = asking.pop()
            given = batch(part)
            parts |= taught(reader, reader.rows(given), teachers, given, len(labels.relations))
        if keep:
            keeping = keeping or by_length(keep, len, KEPT)
            parts |= kept(reader, before, keeping.pop())
        loss = sum(parts.values())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 2.0)
        optimiser.step()
        with torch.no_grad():
            share = 1 / min(step + 1, MEAN_STEPS)
            torch._foreach_lerp_(*map(list, zip(*moving)), share)
        told.append({name: value.detach() for name, value in parts.items()})
        if step % 200 == 199:
            recent = {name: np.mean([one[name].item() for one in told[-200:] if name in one]) for name in told[-1]}
            told.clear()
            print(
                f"  {step + 1}/{len(batches)} {time.time() - started:.0f} s "
                + " ".join(f"{name} {value:.3f}" for name, value in recent.items()),
                flush=True,
            )
    reader.load_state_dict(mean.state_dict())


def save(reader, labels, calibration, out):
    learnt = [("encoder-lower", reader.lower), ("encoder-upper", reader.upper)] if reader.lower.places.requires_grad else []
    for name, part in (("facts", reader.facts), *learnt):
        state = {key: value.detach().float().cpu().numpy() for key, value in part.state_dict().items() if key != "words.weight"}
        write_weights(out / f"{name}.npz", state)
    (out / "labels.json").write_text(json.dumps(vars(labels) | {"calibration": calibration}))


def learn(reader, folder: Path):
    """What an earlier run wrote; the encoder only where its lower layers learnt along."""
    for name, part in (("facts", reader.facts), ("encoder-lower", reader.lower)):
        if (folder / f"{name}.npz").exists():
            state = all_floats(read_weights([folder / f"{name}.npz"]))
            part.load_state_dict({key: torch.from_numpy(value) for key, value in state.items()}, strict=name == "facts")
            reader.shares = reader.shares and name == "facts"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("kinds", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--lots", type=Path, nargs="+", required=True)
    arguments.add_argument("--held", type=Path, nargs="*", default=[], help="lots for the report alone")
    arguments.add_argument("--keep", type=Path, help="texts on which the encoder stays what it was; without them its layers do not learn")
    arguments.add_argument("--free", action="store_true", help="let the lower layers learn, whatever becomes of the encoder")
    arguments.add_argument("--teachers", type=Path, nargs="*", default=[], help="folders that earlier runs wrote, all with the same classes")
    arguments.add_argument("--plain", type=Path, nargs="*", default=[], help="texts without labels, of which the teachers tell")
    arguments.add_argument("--asked", type=int, default=96, help="texts without labels a step")
    arguments.add_argument("--folds", type=int, default=1, help="parts of the lots, of which each teacher leaves one out")
    arguments.add_argument("--fold", type=int, help="the part to leave out")
    arguments.add_argument("--go-on", action="store_true", help="begin with the facts model among WEIGHTS, not with the encoder's")
    arguments.add_argument("--dev", type=int, default=300, help="texts kept apart from the lots, for choices")
    arguments.add_argument("--joined", type=int, default=0, help="examples made of two texts each, so that clauses stay apart")
    arguments.add_argument("--epochs", type=int, default=12)
    arguments.add_argument("--rate", type=float, default=1e-4)
    arguments.add_argument("--head-rate", type=float, default=8e-4)
    arguments.add_argument("--seconds", type=float, default=3600, help="the longest it may learn")
    arguments.add_argument("--drop", type=float, default=0.1)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    started = time.time()
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(options.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def example(text):
        pieces = Pieces(tokenizer, text.text)
        facts = [fact for fact in (anchored(pieces, each) for each in text.facts) if fact is not None]
        return {"text": text, "pieces": pieces, "facts": facts, "fold": fold_of(text.text, options.folds)}

    known = [example(text) for path in options.lots for text in read_texts(path)]
    told, placed = sum(len(one["text"].facts) for one in known), sum(len(one["facts"]) for one in known)
    # By what a text says, so that it stays apart whatever lots come.
    known.sort(key=lambda one: hashlib.sha256(one["text"].text.encode()).digest())
    checked, known = known[: options.dev], known[options.dev :]
    labels = Labels([fact for one in known for fact in one["facts"]], json.loads(options.kinds.read_text()))
    for folder in options.teachers[:1]:
        labels.take(**json.loads((folder / "labels.json").read_text()))
    known = [one for one in known if one["fold"] != options.fold]
    derived = [labels.relation(fact) >= 0 for one in known for fact in one["facts"]]
    print(
        f"{len(known)} texts, {told} facts, {placed} placed; {len(labels.relations)} relations and {len(labels.edits)} edits"
        f" give {np.mean(derived):.3f} of them; {time.time() - started:.0f} s",
        flush=True,
    )
    coded = [(other, one["fold"]) for one in known if (other := other_codes(one["text"])) is not None]
    known += [example(text) | {"fold": fold} for text, fold in coded]
    known += [joined(tokenizer, *couple) for couple in list(couples(known, options.joined))]
    keep = []
    if options.keep:
        keep = texts_to_keep(options.keep, tokenizer, 40_000) + [one["pieces"].ids for one in known]
    print(f"{len(known)} examples, {len(keep)} texts to keep, {time.time() - started:.0f} s", flush=True)
    unlabelled = [example(text) for path in options.plain for text in read_plain(path)] if options.teachers else []
    print(f"{len(unlabelled)} texts without labels, {time.time() - started:.0f} s", flush=True)
    before = json.loads(options.kinds.with_name("labels.json").read_text()) if options.go_on else None
    reader = Reader(options.weights, labels, before).to(DEVICE).train()
    for part in reader.modules():
        if isinstance(part, Layer):
            part.drop.p = options.drop
    teachers = [copy.deepcopy(reader).eval().requires_grad_(False) for _ in options.teachers]
    for teacher, folder in zip(teachers, options.teachers):
        learn(teacher, folder)
    train(reader, teachers, known, keep, unlabelled, labels, options, started)
    calibration = {"slope": 1.0, "shift": 0.0}
    save(reader, labels, calibration, options.out)
    if checked:
        calibration = calibrated(report("dev", reader, checked, labels, least=(0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)), checked)
        print(f"calibration {calibration}")
    save(reader, labels, calibration, options.out)
    for path in options.held:
        report(path.stem, reader, [example(text) for text in read_texts(path)], labels)
    print(f"done, {time.time() - started:.0f} s")


if __name__ == "__main__":
    main()
