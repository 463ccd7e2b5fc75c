"""Trains the encoder from its parent on questions and the texts that answer them.

    python3 from_parent.py OUT.npz --start PARENT.npz --tokenizer tokenizer.json --pairs FILE... [--seconds 330]

One pass gives a text's vector (the mean over its tokens), one vector a token for late interaction, and how much each
token of a question decides. All three learn together: in every batch each question has to pick its text among those of
all the others, by the vectors, by late interaction and by both. The parent, a general encoder, is kept as a teacher:
without a pull to its judgement the encoder forgets texts unlike its training data.

A line of a pairs file is a JSON object: `q` (question), `pos` (texts that answer it), `neg` (texts that look alike and
do not; may be absent), `src` (where it comes from). Files may be packed with xz. Trains for a fixed time on one GPU.
"""

import argparse
import json
import lzma
import math
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn
from transformers import BertConfig, BertModel

from weights import HEAD_WIDTH, NORM_EPSILON, floats, layer_count, read_weights, write_weights

QUESTION_TOKENS, POSITIVES, NEGATIVES = 48, 4, 8
# Sources are drawn by their size to this power: large ones lead without drowning the small.
SOURCE_POWER = 0.7
# The share of batches that mix sources; the others take one source, whose texts are harder to tell apart.
MIXED = 1 / 3
TEACHER_SCALE = 40.0
HELD_OUT = 1_000
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def read_tensors(paths: list[Path]) -> dict[str, torch.Tensor]:
    weights = read_weights(paths)
    names = {name.removesuffix(".q") for name in weights if not name.endswith(".s")}
    return {name: torch.from_numpy(floats(weights, name)) for name in names}


def open_trunk(tensors: dict[str, torch.Tensor], layers: int | None) -> BertModel:
    """The BERT model of these tensors; if fewer layers are asked for, evenly chosen ones, first and last included."""
    words, width = tensors["embeddings.word_embeddings.weight"].shape
    present = layer_count(tensors)
    config = BertConfig(
        vocab_size=words,
        hidden_size=width,
        num_hidden_layers=present,
        num_attention_heads=width // HEAD_WIDTH,
        intermediate_size=len(tensors["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(tensors["embeddings.position_embeddings.weight"]),
        layer_norm_eps=NORM_EPSILON,
        # The time is too short to overfit.
        hidden_dropout_prob=0,
        attention_probs_dropout_prob=0,
    )
    trunk = BertModel(config, add_pooling_layer=False)
    missing, _ = trunk.load_state_dict(tensors, strict=False)
    # A table of counted places, which some versions of the library keep among the weights.
    missing = [name for name in missing if not name.endswith("position_ids")]
    if missing:
        raise SystemExit(f"the start has no {missing[0]}")
    if layers and layers < present:
        chosen = [round(i * (present - 1) / (layers - 1)) for i in range(layers)]
        trunk.encoder.layer = nn.ModuleList(trunk.encoder.layer[i] for i in chosen)
        trunk.config.num_hidden_layers = layers
    return trunk.to(DEVICE)


class Encoder(nn.Module):
    def __init__(self, trunk: BertModel, dimensions: int):
        super().__init__()
        self.trunk = trunk
        self.proj = nn.Linear(trunk.config.hidden_size, dimensions)
        self.imp = nn.Linear(trunk.config.hidden_size, 1)
        nn.init.zeros_(self.imp.weight)
        nn.init.zeros_(self.imp.bias)

    def tokens(self, hidden: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.proj(hidden), dim=-1)

    def importance(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        weights = torch.sigmoid(self.imp(hidden)).squeeze(-1) * mask
        return weights / weights.sum(1, keepdim=True).clamp(min=1e-6)


def read(trunk: BertModel, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        return trunk(input_ids=ids, attention_mask=mask).last_hidden_state.float()


def pooled(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    weights = mask.unsqueeze(-1).float()
    return F.normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1)


def late_interaction(
    questions: torch.Tensor, weights: torch.Tensor, texts: torch.Tensor, mask: torch.Tensor
) -> torch.Tensor:
    """Questions by texts: for each token of the question its best match in the text, weighted; sliced, for memory."""
    flat = texts.bfloat16().flatten(0, 1)
    scores = []
    for part, weight in zip(questions.bfloat16().split(32), weights.split(32)):
        matches = (part.flatten(0, 1) @ flat.T).view(*part.shape[:2], *texts.shape[:2])
        best = matches.masked_fill(mask[None, None] == 0, -1).amax(-1).float()
        scores.append((best * weight[:, :, None]).sum(1))
    return torch.cat(scores)


class Pairs:
    """The training pairs as token ids, each distinct text tokenised once."""

    def __init__(self, files: list[Path], tokenizer: Path, text_tokens: int):
        rows = [json.loads(line) for file in files for line in open_text(file)]
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.no_padding()
        questions = self.encode({row["q"] for row in rows}, QUESTION_TOKENS)
        texts = self.encode({text for row in rows for text in kept(row)}, text_tokens)
        self.ids = list(texts.values())
        place = {text: index for index, text in enumerate(texts)}
        self.by_source: dict[str, list[dict]] = defaultdict(list)
        random.shuffle(rows)
        for index, row in enumerate(rows):
            positives = [place[text] for text in row["pos"][:POSITIVES]]
            negatives = [place[text] for text in row.get("neg", [])[:NEGATIVES]]
            pair = {"question": questions[row["q"]], "positives": positives, "negatives": negatives}
            self.by_source["held out" if index < HELD_OUT else row["src"]].append(pair)
        self.held_out = self.by_source.pop("held out")
        self.sources = list(self.by_source)
        self.shares = [len(self.by_source[source]) ** SOURCE_POWER for source in self.sources]
        print(f"{len(rows):,} pairs of {len(self.sources)} sources, {len(self.ids):,} texts", flush=True)

    def encode(self, texts: set[str], limit: int) -> dict[str, np.ndarray]:
        self.tokenizer.enable_truncation(limit)
        ordered = sorted(texts)
        ids: list[np.ndarray] = []
        for start in range(0, len(ordered), 20_000):
            encodings = self.tokenizer.encode_batch(ordered[start : start + 20_000])
            ids += [np.array(encoding.ids, np.int32) for encoding in encodings]
        return dict(zip(ordered, ids))

    def batch(self, size: int) -> list[dict]:
        if random.random() < MIXED:
            sources = random.choices(self.sources, self.shares, k=size)
            return [random.choice(self.by_source[source]) for source in sources]
        return random.choices(self.by_source[random.choices(self.sources, self.shares)[0]], k=size)


def open_text(file: Path):
    return lzma.open(file, "rt") if file.suffix == ".xz" else file.open()


def kept(row: dict) -> list[str]:
    return row["pos"][:POSITIVES] + row.get("neg", [])[:NEGATIVES]


def padded(texts: list[np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    ids = np.zeros((len(texts), max(map(len, texts))), np.int64)
    mask = np.zeros_like(ids)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = text
        mask[row, : len(text)] = 1
    return torch.from_numpy(ids).to(DEVICE), torch.from_numpy(mask).to(DEVICE)


class Batch:
    def __init__(self, pairs: Pairs, rows: list[dict], negatives: int):
        texts = [random.choice(row["positives"]) for row in rows]
        for row in rows:
            texts += random.sample(row["negatives"], min(negatives, len(row["negatives"])))
        self.questions, self.question_mask = padded([row["question"] for row in rows])
        self.texts, self.text_mask = padded([pairs.ids[text] for text in texts])
        self.answers = torch.arange(len(rows), device=DEVICE)
        # Other texts that answer a question as well must not count against it.
        columns: dict[int, list[int]] = defaultdict(list)
        for column, text in enumerate(texts):
            columns[text].append(column)
        also = np.zeros((len(rows), len(texts)), bool)
        for index, row in enumerate(rows):
            for text in row["positives"]:
                also[index, columns[text]] = True
            also[index, index] = False
        self.also = torch.from_numpy(also).to(DEVICE)


def scores(encoder: Encoder, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Likeness by late interaction and by vectors, and the questions' hidden states."""
    texts = read(encoder.trunk, batch.texts, batch.text_mask)
    questions = read(encoder.trunk, batch.questions, batch.question_mask)
    weights = encoder.importance(questions, batch.question_mask)
    late = late_interaction(encoder.tokens(questions), weights, encoder.tokens(texts), batch.text_mask)
    return late, pooled(questions, batch.question_mask) @ pooled(texts, batch.text_mask).T, questions


@torch.no_grad()
def teach(teacher: BertModel, batch: Batch) -> torch.Tensor:
    texts = pooled(read(teacher, batch.texts, batch.text_mask), batch.text_mask)
    questions = pooled(read(teacher, batch.questions, batch.question_mask), batch.question_mask)
    return (questions @ texts.T * TEACHER_SCALE).softmax(1)


@torch.no_grad()
def start_heads(encoder: Encoder, tensors: dict[str, torch.Tensor], pairs: Pairs) -> None:
    """Those of the start; where it has none, the directions in which its tokens differ most, all equally important."""
    if "proj.weight" in tensors:
        heads = {name: value for name, value in tensors.items() if name.startswith(("proj.", "imp."))}
        encoder.load_state_dict(heads, strict=False)
        return
    hidden = []
    sample = random.sample(pairs.ids, min(4_000, len(pairs.ids)))
    for start in range(0, len(sample), 250):
        ids, mask = padded(sample[start : start + 250])
        hidden.append(read(encoder.trunk, ids, mask)[mask == 1])
    rows = torch.cat(hidden)
    mean = rows.mean(0)
    directions = torch.linalg.svd((rows - mean).T @ (rows - mean) / len(rows))[0][:, : encoder.proj.out_features].T
    encoder.proj.weight.copy_(directions)
    encoder.proj.bias.copy_(-directions @ mean)


@torch.no_grad()
def report(encoder: Encoder, pairs: Pairs, what: str) -> None:
    right = np.zeros(2)
    for start in range(0, HELD_OUT, 250):
        batch = Batch(pairs, pairs.held_out[start : start + 250], 2)
        for kind, likeness in enumerate(scores(encoder, batch)[:2]):
            right[kind] += (likeness.masked_fill(batch.also, -1).argmax(1) == batch.answers).sum().item()
    late, dense = right / HELD_OUT
    print(f"{what}: right text of about 750 first: {late:.3f} (late interaction), {dense:.3f} (vector)", flush=True)


def train(encoder: Encoder, teacher: BertModel, pairs: Pairs, options: argparse.Namespace) -> None:
    sharpness = nn.Parameter(torch.full((2,), math.log(20.0), device=DEVICE))
    heads = [*encoder.proj.parameters(), *encoder.imp.parameters()]
    groups = [
        {"params": list(encoder.trunk.parameters()), "lr": options.rate},
        {"params": heads, "lr": options.rate * 10},
        {"params": [sharpness], "lr": 1e-3},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98))
    rates = [group["lr"] for group in optimizer.param_groups]
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    smaller = encoder.trunk.config.num_hidden_layers < teacher.config.num_hidden_layers
    began, step, losses = time.time(), 0, []
    while (done := (time.time() - began) / options.seconds) < 1:
        factor = min(1, (step + 1) / 100) * (0.02 + 0.49 * (1 + math.cos(math.pi * done)))
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * factor
        batch = Batch(pairs, pairs.batch(options.batch), options.negatives)
        late, dense, questions = scores(encoder, batch)
        sharp = sharpness.exp().clamp(max=60)
        late, dense = late * sharp[0], dense * sharp[1]
        choices = [(late, 1.0), (dense, 0.5), (late + dense, 0.5)]
        loss = sum(
            share * F.cross_entropy(logits.masked_fill(batch.also, -1e4), batch.answers) for logits, share in choices
        )
        # The teacher costs a pass of its own: every second step is enough.
        if options.pull > 0 and step % 2 == 0:
            apart = F.kl_div(dense.log_softmax(1), teach(teacher, batch), reduction="batchmean")
            loss = loss + 2 * options.pull * apart
        if smaller and done < 0.5:
            with torch.no_grad():
                taught = read(teacher, batch.questions, batch.question_mask)
            apart = (1 - F.cosine_similarity(questions, taught, dim=-1)) * batch.question_mask
            loss = loss + 0.5 * apart.sum() / batch.question_mask.sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        losses.append(loss.item())
        step += 1
        if step % 200 == 0:
            print(f"step {step}, {time.time() - began:.0f} s, loss {np.mean(losses[-200:]):.3f}", flush=True)


def save(encoder: Encoder, out: Path) -> None:
    tensors = {name.removeprefix("trunk."): value for name, value in encoder.state_dict().items()}
    write_weights(out, {name: value.float().cpu().numpy() for name, value in tensors.items()})


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--start", type=Path, nargs="+", required=True, help="weights to start from")
    arguments.add_argument("--teacher", type=Path, nargs="+", help="weights of the parent, if not the start")
    arguments.add_argument("--tokenizer", type=Path, required=True)
    arguments.add_argument("--pairs", type=Path, nargs="+", required=True)
    arguments.add_argument("--seconds", type=float, default=330)
    arguments.add_argument("--layers", type=int, help="fewer than the start has")
    arguments.add_argument("--dimensions", type=int, default=64, help="of a token's vector")
    arguments.add_argument("--text-tokens", type=int, default=160)
    arguments.add_argument("--batch", type=int, default=256)
    arguments.add_argument("--negatives", type=int, default=2, help="of each question, in a batch")
    arguments.add_argument("--rate", type=float, default=5e-5)
    arguments.add_argument("--pull", type=float, default=0.5, help="to the teacher's judgement")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    tensors = read_tensors(options.start)
    pairs = Pairs(options.pairs, options.tokenizer, options.text_tokens)
    teacher = open_trunk(read_tensors(options.teacher) if options.teacher else tensors, None)
    encoder = Encoder(open_trunk(tensors, options.layers), options.dimensions).to(DEVICE)
    start_heads(encoder, tensors, pairs)
    report(encoder, pairs, "before")
    train(encoder, teacher, pairs, options)
    report(encoder, pairs, "after")
    save(encoder, options.out)


if __name__ == "__main__":
    main()
