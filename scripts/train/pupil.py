"""Trains the reading that ships, a pupil of what reading.py makes: fewer and narrower layers that say what all of them say of which texts answer a
question. Minutes on a GPU.

    python3 pupil.py WEIGHTS OUT --teacher reading.npz --layers 0 1 4 5 --neurons 768 --lots relations-*.tsv --stories links-*.jsonl --answers answers-*.jsonl \\
        --pairs pairs.jsonl.xz

WEIGHTS is src/models/reader/weights. The pupil begins with the layers of its teacher that are named, or with what ships (--go-on), and keeps the heads and
neurons that say most. It learns to say what the teacher says, of every text alone and of several together, and to have the same last rows; a part of what it learns from are the labels.

    stories, answers    questions with texts that answer them and others that do not (data/stories, data/answers)
    pairs               the encoder's: public questions; of passages, windows as a search cuts them
    lots                remarks that stand beside some texts (data/relations); and some texts are one remark over and over

Writes OUT/reading.npz; export_onnx.py makes the shipped files of it.
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
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from reading import opened
from relations import CHARACTERS_A_WINDOW, DEVICE, Pairs, head, summed
from relations_data import NO_QUESTIONS, Asked, read_answers, read_lot, read_questions, read_story_questions, with_a_remark
from upper import WIDTH, Layer, Lower, Weights, layers_to, matrix, numpy_state, tensors_of
from weights import HEAD_WIDTH

# Questions a step: of stories, of answers, of the encoder's pairs, of passages.
QUESTIONS_A_STEP = (32, 44, 20, 16)
# Of these so many have each text read alone.
ALONE = 0.6
REMARKS, REPEATED = 0.12, 0.03
# How much of what a text is held for is what the teacher says; of texts read alone and of passages all of it.
TAUGHT = 0.7
# What it costs to say something else than the teacher, and to have other rows.
LOGITS, ROWS = 1.0, 1.0
MEAN_STEPS = 400


class Reading(nn.Module):
    """Layers of a reading, from the words on, and its head."""

    def __init__(self, lower, segments, own_head):
        super().__init__()
        self.lower, self.segments, self.head = lower, nn.Parameter(segments), own_head

    def forward(self, ids, mask, segments, texts):
        """For each text the logit of its being the answer; and all rows."""
        first, second = self.segments
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            rows = self.lower.first(ids, first + segments[..., None] * (second - first))
            for layer in self.lower.layers:
                rows = layer(rows, mask)
        return self.head(summed(rows, texts))[..., 0], rows


def part_of(teacher, layers):
    """So many layers of the teacher."""
    lower = copy.deepcopy(teacher.lower)
    lower.layers = nn.ModuleList([lower.layers[at] for at in layers])
    return Reading(lower, teacher.segments.detach().clone(), copy.deepcopy(teacher.head))


def shipped(folder):
    """What export_onnx.py wrote."""
    tensors = tensors_of(folder / "relations-words.onnx") | tensors_of(folder / "relations-reading.onnx")
    matrices = [value for name, value in tensors.items() if name.endswith(".intermediate.codes")]
    heads = len(tensors["encoder.layer.0.attention.bias"]) // 3 // HEAD_WIDTH
    lower = Lower(tensors | {"segment_table": np.zeros(WIDTH, np.float32)}, range(len(matrices)), matrices[0].shape[1], heads)
    own = head(1)
    for part, here, there in (("hidden", 1, 0), ("classes", 4, 3)):
        weight, bias = matrix(tensors, f"answers.{part}"), np.array(tensors[f"exit_answers.{there}.bias"])
        own[here].load_state_dict({"weight": torch.from_numpy(weight), "bias": torch.from_numpy(bias)})
    return Reading(lower, torch.from_numpy(np.array(tensors["segment_table"])), own)


@torch.no_grad()
def narrowed(model, heads, neurons, inputs):
    """Keeps of every layer so many heads and neurons: those that add most to the rows of these texts."""
    seen, used = {}, {}

    def watch(layer):
        def attended(_, rows):
            each = rows[0][inputs[1]].float().unflatten(-1, (-1, HEAD_WIDTH))
            matrices = layer.joined.weight.unflatten(-1, (-1, HEAD_WIDTH))
            seen[layer] = torch.einsum("rhd,ohd->rho", each, matrices).norm(dim=-1).mean(0)

        def active(_, __, said):
            used[layer] = F.gelu(said.float())[inputs[1]].abs().mean(0) * layer.narrow.weight.norm(dim=0)

        return layer.joined.register_forward_pre_hook(attended), layer.wide.register_forward_hook(active)

    hooks = [hook for layer in model.lower.layers for hook in watch(layer)]
    model(*inputs)
    for hook in hooks:
        hook.remove()
    for at, layer in enumerate(model.lower.layers):
        kept = used[layer].topk(neurons).indices.sort().values
        width = layer.joined.in_features
        columns = torch.arange(width, device=DEVICE).unflatten(0, (-1, HEAD_WIDTH))[seen[layer].topk(heads).indices.sort().values].flatten()
        rows = torch.cat([columns + part * width for part in range(3)])
        smaller, state = Layer(neurons=neurons, heads=heads).to(DEVICE), layer.state_dict()
        state |= {"mixed.weight": state["mixed.weight"][rows], "mixed.bias": state["mixed.bias"][rows], "joined.weight": state["joined.weight"][:, columns]}
        state |= {"wide.weight": state["wide.weight"][kept], "wide.bias": state["wide.bias"][kept], "narrow.weight": state["narrow.weight"][:, kept]}
        smaller.load_state_dict(state)
        model.lower.layers[at] = smaller


def read_passages(path):
    """Public questions with pieces of long texts, as a search cuts them: no label says which piece answers."""
    asked = []
    with lzma.open(path, "rt", encoding="utf8") as file:
        for line in file:
            one = json.loads(line)
            texts = [text for text in (*one["pos"], *one["neg"][:2]) if len(text) > CHARACTERS_A_WINDOW]
            if one["src"] in NO_QUESTIONS or not texts:
                continue
            pieces = []
            for text in texts:
                start = random.randrange(len(text) - CHARACTERS_A_WINDOW // 2)
                pieces.append(text[start : start + CHARACTERS_A_WINDOW])
            asked.append(Asked(one["q"], [], list(enumerate(pieces)), False))
    return asked


def changed(texts, lots):
    """Some with a remark of something else beside them, and now and then one that is a remark over and over."""
    texts = [with_a_remark(text, lots) if random.random() < REMARKS else text for text in texts]
    if random.random() < REPEATED:
        remark = random.choice(random.choice(lots)[1:])
        texts[random.randrange(len(texts))] = f"{remark} " * (CHARACTERS_A_WINDOW // (len(remark) + 1) + 2)
        return texts, False
    return texts, True


def rows_of(groups, lots):
    """Texts, a question, and which is the answer: -100 where no label says it. Those read alone, and those read together."""
    alone, together = [], []
    for kind, group in enumerate(groups):
        for one in group:
            told, answer = one.texts()
            texts, labelled = changed(told, lots)
            if random.random() < ALONE:
                alone += [([text], one.question, -100, False) for text in texts]
            else:
                labelled = labelled and kind < len(groups) - 1
                together.append((texts, one.question, answer if labelled and answer is not None else -100, labelled))
    return alone, together


class Steps(IterableDataset):
    """What the steps read, made by processes of their own: texts read alone, and texts read together."""

    def __init__(self, questions, lots, pairs, seed):
        self.questions, self.lots, self.pairs, self.seed = questions, lots, pairs, seed

    def __iter__(self):
        random.seed(self.seed * 1000 + get_worker_info().id)
        while True:
            chosen = [random.sample(kind, min(len(kind), count)) for kind, count in zip(self.questions, QUESTIONS_A_STEP)]
            yield [self.inputs_of(rows) for rows in rows_of(chosen, self.lots) if rows]

    def inputs_of(self, rows):
        places = torch.tensor([place for *_, place, _ in rows])
        labelled = torch.tensor([float(labelled) for *_, labelled in rows])
        return [*self.pairs.listed([row[:2] for row in rows], "cpu"), places, labelled]


def loss_of(model, teacher, inputs):
    *inputs, place, labelled = (one.to(DEVICE, non_blocking=True) for one in inputs)
    mask, there = inputs[1], inputs[-1].any(-1)
    said, own = model(*inputs)
    with torch.no_grad():
        before, theirs = teacher(*inputs)
    wanted = torch.full_like(said, 0.02)
    answered = place >= 0
    wanted[answered, place[answered]] = 0.98
    share = labelled[:, None] * (1 - TAUGHT)
    wanted = share * wanted + (1 - share) * before.sigmoid()
    loss = F.binary_cross_entropy_with_logits(said[there], wanted[there])
    loss = loss + LOGITS * F.smooth_l1_loss(said[there].clamp(-7, 7), before[there].clamp(-7, 7))
    return loss + ROWS * F.mse_loss(own.float()[mask], theirs.float()[mask])


def train(model, teacher, steps, options):
    groups = [{"params": [*model.lower.parameters(), model.segments], "lr": options.rate}, {"params": model.head.parameters(), "lr": 3 * options.rate}]
    for group in groups:
        group["params"] = [one for one in group["params"] if one.requires_grad]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")
    rates, mean = [group["lr"] for group in groups], copy.deepcopy(model).requires_grad_(False)
    loader = DataLoader(steps, batch_size=None, num_workers=options.workers, prefetch_factor=8, pin_memory=DEVICE == "cuda")
    begun, step, done, losses = time.time(), 0, 0.0, []
    for inputs in loader:
        if done >= 1:
            break
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * min(1, (step + 1) / 100) * max(0.02, 1 - done)
        loss = sum(loss_of(model, teacher, part) for part in inputs)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(model.parameters()), 1 / min(step + 1, MEAN_STEPS))
        losses.append(loss.detach())
        step, done = step + 1, (time.time() - begun) / options.seconds
        if step % 500 == 0:
            print(f"  {step} loss {torch.stack(losses[-500:]).mean().item():.3f} {time.time() - begun:.0f} s", flush=True)
    print(f"{step} steps", flush=True)
    model.load_state_dict(mean.state_dict())


def held_texts(path):
    """Texts that answer a question and texts that do not, of answers or of stories, whose texts that are out of date are left out."""
    told = {True: [], False: []}
    for line in path.read_text(encoding="utf8").splitlines():
        one = json.loads(line)
        if "yes" in one:
            for answers in (True, False):
                told[answers] += [([text], one["q"]) for text in one["yes" if answers else "no"]]
            continue
        for question in one["questions"]:
            for at, text in enumerate(one["texts"]):
                if at not in question["outdated"]:
                    told[at == question["answer_in"]].append(([text["text"]], question["q"]))
    return told


@torch.no_grad()
def report(path, model, pairs):
    """Each text alone: how often one that answers has a higher chance than one that does not, and how many of each are above one half."""
    model.eval()
    said = {
        answers: np.concatenate([model(*pairs.listed(rows[at : at + 256]))[0][:, 0].sigmoid().cpu().numpy() for at in range(0, len(rows), 256)])
        for answers, rows in held_texts(path).items()
    }
    yes, no = said[True], said[False]
    model.train()
    print(
        f"{path.stem}: AUC {(yes[:, None] > no[None]).mean():.4f}; above one half {(yes >= 0.5).mean():.3f} of {len(yes)} that answer, "
        f"{(no >= 0.5).mean():.3f} of {len(no)} that do not",
        flush=True,
    )


def save(model, out):
    state, weights = numpy_state(model), Weights()
    layers_to(weights, {name.removeprefix("lower."): value for name, value in state.items()}, range(len(model.lower.layers)))
    for kind in ("weight", "bias"):
        weights[f"embeddings.LayerNorm.{kind}"] = state[f"lower.norm.{kind}"]
    weights.put("embeddings.position_embeddings.weight", state["lower.places"])
    weights["embeddings.token_type_embeddings.weight"] = state["lower.segment"][None] + state["segments"]
    for own, theirs in ((1, 0), (4, 3)):
        weights.put_linear(f"exit_answers.{theirs}", state, f"head.{own}")
    np.savez_compressed(out / "reading.npz", **weights)


def taught_by(options):
    if options.teacher is None:
        return shipped(options.weights)
    pair_model = opened(options.weights, options.teacher)
    return Reading(pair_model.lower, pair_model.segments.detach(), pair_model.exit_answers)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--teacher", type=Path, help="reading.npz that reading.py wrote; without it what ships teaches")
    arguments.add_argument("--layers", type=int, nargs="+", default=[0, 1, 4, 5], help="of the teacher that the pupil begins with")
    arguments.add_argument("--go-on", action="store_true", help="begin with what ships instead")
    arguments.add_argument("--start", type=Path, help="begin with reading.pt of an earlier run, of as many heads and neurons")
    arguments.add_argument("--heads", type=int, help="of a layer that stay; all without it")
    arguments.add_argument("--neurons", type=int, help="of a layer that stay; all without it")
    arguments.add_argument("--lots", type=Path, nargs="+", required=True)
    arguments.add_argument("--stories", type=Path, nargs="+", required=True)
    arguments.add_argument("--answers", type=Path, nargs="+", required=True)
    arguments.add_argument("--pairs", type=Path, required=True, help="the encoder's")
    arguments.add_argument("--held", type=Path, nargs="*", default=[], help="answers and stories for the report alone")
    arguments.add_argument("--rate", type=float, default=1e-4)
    arguments.add_argument("--drop", type=float, default=0, help="of the neurons, while learning")
    arguments.add_argument("--seconds", type=float, default=480)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--workers", type=int, default=12, help="processes that make what the steps read")
    options = arguments.parse_args()
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    pairs, lots = Pairs(options.weights), [row for path in options.lots for row in read_lot(path)]
    each = lambda read, paths: [one for path in paths for one in read(path)]  # noqa: E731
    public = read_questions(options.pairs, CHARACTERS_A_WINDOW)
    questions = (each(read_story_questions, options.stories), each(read_answers, options.answers), public, read_passages(options.pairs))
    print(f"questions: {', '.join(str(len(kind)) for kind in questions)}", flush=True)
    teacher = taught_by(options).to(DEVICE).eval().requires_grad_(False)
    for path in options.held:
        report(path, teacher, pairs)
    model = (shipped(options.weights) if options.go_on else part_of(teacher, options.layers)).to(DEVICE).requires_grad_(True)
    first = model.lower.layers[0]
    heads, neurons = options.heads or first.joined.in_features // HEAD_WIDTH, options.neurons or first.wide.out_features
    texts = [([text], one.question) for one in random.sample(questions[0], 100) for text in one.texts()[0]]
    narrowed(model.eval(), heads, neurons, pairs.listed(texts))
    if options.start:
        model.load_state_dict(torch.load(options.start), strict=False)
    model.train().lower.words.requires_grad_(False)
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = options.drop
    train(model, teacher, Steps(questions, lots, pairs, options.seed), options)
    save(model, options.out)
    torch.save({name: value for name, value in model.state_dict().items() if not name.startswith("lower.words")}, options.out / "reading.pt")
    for path in options.held:
        report(path, model, pairs)


if __name__ == "__main__":
    main()
