"""Trains the parser and writes parser.bin and parser.json as src/models/extractor/parser reads them.

    python3 train.py DATA OUT [seconds]

Two bidirectional LSTM layers over word vectors and hashed spelling features; heads for tags, names, arcs and labels
(Dozat and Manning's biaffine scores). Trains for a fixed time, 380 s by default, which one H200 needs; keeps a moving
average of the weights and reports UPOS, UAS and LAS on EWT.
"""

import json
import math
import random
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HIDDEN, LAYERS, SPELLING, ARC, LABEL, BUCKETS = 112, 2, 64, 112, 56, 16_384
DROPOUT, WORD_DROPOUT, RATE, BATCH_WORDS, LONGEST = 0.22, 0.12, 2.5e-3, 4_000, 100
NAME_TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG"]
SUBTYPES = {
    "nsubj:pass", "nmod:poss", "acl:relcl", "aux:pass", "compound:prt", "obl:agent", "obl:unmarked", "nmod:unmarked",
    "csubj:pass", "cc:preconj", "advcl:relcl", "nsubj:outer",
}  # fmt: skip
IGNORED = -100
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def hashed(data: bytes) -> int:
    """FNV-1a with a final mix: the twin of `hash` in parser/embedding.ts."""
    value = 2_166_136_261
    for byte in data:
        value = ((value ^ byte) * 16_777_619) & 0xFFFFFFFF
    value ^= value >> 15
    value = (value * 0x2C1B3C6D) & 0xFFFFFFFF
    return value ^ (value >> 12)


def shape(word: str) -> bytes:
    kinds: list[str] = []
    previous = ""
    for byte in word.encode():
        letter = chr(byte)
        kind = "u" if byte >= 128 else "X" if letter.isupper() else "x" if letter.islower() else "d" if letter.isdigit() else letter
        if kind != previous or len(kinds) < 2:
            kinds.append(kind)
        previous = kind
        if len(kinds) >= 10:
            break
    return "".join(kinds).encode()


class Features:
    """A word as its row of the vectors (0 when unknown) and nine buckets of its spelling."""

    def __init__(self, words: list[str]):
        self.rows = {word: row + 1 for row, word in enumerate(words)}
        self.known: dict[str, tuple[int, list[int]]] = {}

    def __call__(self, word: str) -> tuple[int, list[int]]:
        if word not in self.known:
            lower = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in word)
            data = "".join("0" if "0" <= c <= "9" else c for c in lower).encode()
            parts = [b"w" + data, b"1" + data[:1], b"2" + data[:2], b"3" + data[:3], b"a" + data[-1:], b"b" + data[-2:]]
            parts += [b"c" + data[-3:], b"d" + data[-4:], b"s" + shape(word)]
            self.known[word] = (self.rows.get(lower, 0), [hashed(part) % BUCKETS for part in parts])
        return self.known[word]


def read_blocks(path: Path) -> list[list[list[str]]]:
    blocks = path.read_text(encoding="utf8").split("\n\n")
    return [[line.split("\t") for line in block.split("\n") if line] for block in blocks if block.strip()]


def read_trees(path: Path) -> list[list[tuple]]:
    def relation(name: str) -> str:
        return name if name in SUBTYPES else name.split(":")[0]

    return [[(w, f"{u}/{x}", int(h), relation(r)) for w, u, x, h, r in block] for block in read_blocks(path)]


def read_names(path: Path) -> list[list[tuple]]:
    return [[(w, NAME_TAGS.index(t) if t in NAME_TAGS else 0) for w, t in block] for block in read_blocks(path)]


def varied(sentence: list[tuple], has_arcs: bool) -> list[tuple]:
    """People write without capitals, in capitals, without apostrophes and full stops."""
    draw = random.random()
    if draw < 0.15:
        change = str.lower if draw < 0.12 else str.upper
        sentence = [(change(word[0]), *word[1:]) for word in sentence]
    if random.random() < 0.05:
        sentence = [(word[0].replace("'", "") or word[0], *word[1:]) for word in sentence]
    last = len(sentence)
    if random.random() < 0.15 and last > 2 and sentence[-1][0] in ".!":
        if not has_arcs or not any(word[2] == last for word in sentence):
            sentence = sentence[:-1]
    return sentence


class Parser(nn.Module):
    def __init__(self, vectors: np.ndarray, tags: int, labels: int):
        super().__init__()
        self.word = nn.Embedding(len(vectors) + 1, vectors.shape[1], padding_idx=0)
        with torch.no_grad():
            self.word.weight[1:] = torch.from_numpy(vectors)
        self.hash = nn.Embedding(BUCKETS, SPELLING)
        nn.init.normal_(self.hash.weight, std=0.1)
        size = vectors.shape[1] + SPELLING
        self.root = nn.Parameter(torch.randn(size) * 0.1)
        self.rnn = nn.LSTM(size, HIDDEN, LAYERS, batch_first=True, bidirectional=True, dropout=DROPOUT)
        wide = 2 * HIDDEN
        self.tag, self.ner = nn.Linear(wide, tags), nn.Linear(wide, len(NAME_TAGS))
        self.ad, self.ah = nn.Linear(wide, ARC), nn.Linear(wide, ARC)
        self.ld, self.lh = nn.Linear(wide, LABEL), nn.Linear(wide, LABEL)
        self.U = nn.Parameter(torch.zeros(ARC + 1, ARC))
        self.V = nn.Parameter(torch.randn(labels, LABEL + 1, LABEL + 1) * 0.01)
        self.drop = nn.Dropout(DROPOUT)

    def encode(self, words, spellings, mask):
        if self.training:
            words = words * (torch.rand(words.shape, device=words.device) > WORD_DROPOUT)
        inputs = torch.cat([self.word(words), self.hash(spellings).sum(2)], -1)
        inputs = torch.cat([self.root.expand(len(inputs), 1, -1), inputs[:, 1:]], 1)
        packed = nn.utils.rnn.pack_padded_sequence(self.drop(inputs), mask.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        out, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], batch_first=True, total_length=words.shape[1])
        return self.drop(out)

    def arcs(self, x, mask):
        dependents, heads = (self.drop(F.leaky_relu(layer(x), 0.1)) for layer in (self.ad, self.ah))
        scores = torch.cat([dependents, torch.ones_like(dependents[..., :1])], -1) @ self.U @ heads.transpose(1, 2)
        scores = scores.masked_fill(~mask.unsqueeze(1), -1e4)
        return scores.masked_fill(torch.eye(scores.shape[1], dtype=torch.bool, device=x.device), -1e4)

    def labels(self, x, heads):
        dependents, above = (self.drop(F.leaky_relu(layer(x), 0.1)) for layer in (self.ld, self.lh))
        dependents, above = (torch.cat([part, torch.ones_like(part[..., :1])], -1) for part in (dependents, above))
        chosen = torch.gather(above, 1, heads.clamp(min=0).unsqueeze(-1).expand(-1, -1, above.shape[-1]))
        return torch.einsum("bni,lij,bnj->bnl", dependents, self.V, chosen)


def to_batch(sentences: list[list[tuple]], features: Features, columns: list[dict | None]):
    """Words, spellings, mask and one tensor of gold a column, all with the root in front."""
    width = max(map(len, sentences)) + 1
    words = np.zeros((len(sentences), width), np.int64)
    spellings = np.zeros((len(sentences), width, 9), np.int64)
    mask = np.zeros((len(sentences), width), bool)
    gold = np.full((len(columns), len(sentences), width), IGNORED)
    for row, sentence in enumerate(sentences):
        mask[row, : len(sentence) + 1] = True
        for at, token in enumerate(sentence, 1):
            words[row, at], spellings[row, at] = features(token[0])
            for column, index in enumerate(columns):
                value = token[column + 1]
                gold[column, row, at] = value if index is None else index.get(value, IGNORED)
    return [torch.as_tensor(part, device=DEVICE) for part in (words, spellings, mask)], torch.as_tensor(gold, device=DEVICE)


def batches(sentences: list[list[tuple]]) -> list[list[list[tuple]]]:
    ordered = sorted(sentences, key=lambda sentence: len(sentence) + 2 * random.random())
    result, current = [], []
    for sentence in ordered:
        current.append(sentence)
        if len(current) * len(sentence) > BATCH_WORDS:
            result.append(current)
            current = []
    if current:
        result.append(current)
    random.shuffle(result)
    return result


def loss_of(scores, gold):
    return F.cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=IGNORED)


@torch.no_grad()
def evaluate(model: Parser, trees, features, columns) -> str:
    model.eval()
    right = np.zeros(3)
    total = 0
    for start in range(0, len(trees), 64):
        (words, spellings, mask), gold = to_batch(trees[start : start + 64], features, columns)
        x = model.encode(words, spellings, mask)
        heads = model.arcs(x, mask).argmax(-1)
        same = (heads == gold[1]) & (gold[1] >= 0)
        labelled = same & (model.labels(x, heads).argmax(-1) == gold[2])
        tagged = (model.tag(x).argmax(-1) == gold[0]) & (gold[1] >= 0)
        right += [part.sum().item() for part in (tagged, same, labelled)]
        total += (gold[1] >= 0).sum().item()
    model.train()
    return "tags %.2f UAS %.2f LAS %.2f" % tuple(100 * right / total)


def save(model: Parser, tags: list[str], labels: list[str], out: Path) -> None:
    """Embeddings as bytes with one scale a row, everything else as 16-bit floats."""
    header = {"cfg": {"h": HIDDEN, "layers": LAYERS, "hd": SPELLING, "arc": ARC, "lab": LABEL}, "tags": tags, "labs": labels, "t": []}
    blob = b""
    for name, value in model.state_dict().items():
        array = value.float().cpu().numpy()
        if name in ("word.weight", "hash.weight"):
            scale = np.abs(array).max(1, keepdims=True) / 127 + 1e-9
            data = scale.astype(np.float32).tobytes() + np.round(array / scale).astype(np.int8).tobytes()
        else:
            data = array.astype(np.float16).tobytes()
        header["t"].append({"k": name, "shape": list(array.shape), "off": len(blob), "len": len(data)})
        blob += data + b"\0" * (-len(data) % 4)
    (out / "parser.bin").write_bytes(blob)
    (out / "parser.json").write_text(json.dumps(header, indent=2) + "\n")


def main(data: Path, out: Path, seconds: float) -> None:
    torch.manual_seed(1)
    random.seed(1)
    words = (data / "words.txt").read_text(encoding="utf8").split("\n")[:-1]
    vectors = np.fromfile(data / "vectors.f16", dtype=np.float16).reshape(len(words), -1).astype(np.float32)
    features = Features(words)
    short = lambda sentences: [sentence for sentence in sentences if len(sentence) < LONGEST]  # noqa: E731
    trees = short([tree for name in ("ewt", "esl", "atis") for tree in read_trees(data / f"{name}.tsv")])
    names = short(read_names(data / "names-train.iob"))
    counts = Counter(word[1] for tree in trees for word in tree)
    tags = [tag for tag, count in counts.most_common() if count >= 3 and not tag.endswith("/_")]
    labels = sorted({word[3] for tree in trees for word in tree})
    columns = [{tag: i for i, tag in enumerate(tags)}, None, {label: i for i, label in enumerate(labels)}]
    model = Parser(vectors, len(tags), len(labels)).to(DEVICE)
    average = {key: value.detach().clone() for key, value in model.state_dict().items()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.95), weight_decay=1e-4)
    start, step = time.time(), 0
    while time.time() - start < seconds:
        name_batches = batches(names)
        for turn, sentences in enumerate(batches(trees)):
            passed = (time.time() - start) / seconds
            if passed > 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1, (step + 1) / 200) * (0.49 * (1 + math.cos(math.pi * passed)) + 0.02)
            (ids, spellings, mask), gold = to_batch([varied(tree, True) for tree in sentences], features, columns)
            x = model.encode(ids, spellings, mask)
            loss = 0.5 * loss_of(model.tag(x), gold[0]) + loss_of(model.arcs(x, mask), gold[1]) + loss_of(model.labels(x, gold[1]), gold[2])
            if turn % 2 == 0:
                chosen = [varied(one, False) for one in name_batches[(turn // 2) % len(name_batches)]]
                (ids, spellings, mask), tagged = to_batch(chosen, features, [None])
                loss = loss + 0.5 * loss_of(model.ner(model.encode(ids, spellings, mask)), tagged[0])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5)
            optimizer.step()
            step += 1
            keep = min(0.998, (step + 1) / (step + 10))
            for key, value in model.state_dict().items():
                average[key].lerp_(value, 1 - keep)
        print(f"{time.time() - start:.0f} s", evaluate(model, read_trees(data / "ewt-dev.tsv"), features, columns), flush=True)
    model.load_state_dict(average)
    print("EWT test", evaluate(model, read_trees(data / "ewt-test.tsv"), features, columns))
    save(model, tags, labels, out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 380)
