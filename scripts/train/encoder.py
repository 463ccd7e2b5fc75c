"""Trains the encoder: one pass gives a text's vector, a vector for each token, and how much a question's token matters.

Starts from weights of the same form, mines hard negatives with them, and learns question -> text pairs with a listwise loss
on three scores: late interaction, the vectors' cosine, and both together. A pull towards the start keeps what it knew.

    DATA=folder python3 encoder.py --start encoder12 --seconds 420 --tag encoder --out OUT

DATA holds tokenizer.json, the start's npz parts, train.jsonl.xz (q, pos, neg, src) and sets.json.xz (dev sets to report on).
"""
import argparse
import collections
import json
import lzma
import math
import os
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from weights import all_floats, read_weights

DATA = os.environ.get('DATA', '.')
DEVICE = 'cuda'
QUESTION, TEXT = 48, 192
PREFIXES = ('proj', 'imp')


def read_start(prefix):
    """The tensors of the npz parts that training starts from."""
    stored = read_weights(sorted(Path(DATA).glob(f'{prefix}_*.npz')))
    return {name: torch.from_numpy(value) for name, value in all_floats(stored).items()}


class Encoder(nn.Module):
    def __init__(self, weights):
        super().__init__()
        config = BertConfig(vocab_size=30522, hidden_size=384, num_hidden_layers=12, num_attention_heads=12,
                            intermediate_size=1536, max_position_embeddings=512, layer_norm_eps=1e-12)
        self.trunk = BertModel(config, add_pooling_layer=False)
        self.trunk.load_state_dict({k: v for k, v in weights.items() if not k.startswith(PREFIXES)})
        # The pair model shares this table.
        self.trunk.embeddings.word_embeddings.weight.requires_grad_(False)
        self.proj, self.imp = nn.Linear(384, 64), nn.Linear(384, 1)
        heads = {k: v.view(1, 384) if k == 'imp.weight' else v.view(-1) if k.endswith('bias') else v
                 for k, v in weights.items() if k.startswith(PREFIXES)}
        self.load_state_dict(heads, strict=False)

    def forward(self, ids, mask):
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            hidden = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state
        hidden = hidden.float()
        weight = mask.unsqueeze(-1).float()
        vector = F.normalize((hidden * weight).sum(1) / weight.sum(1), dim=-1)
        return vector, F.normalize(self.proj(hidden), dim=-1), torch.sigmoid(self.imp(hidden)).squeeze(-1) * mask


def pad(rows):
    width = max(map(len, rows))
    ids = np.zeros((len(rows), width), np.int64)
    mask = np.zeros((len(rows), width), np.int64)
    for at, row in enumerate(rows):
        ids[at, :len(row)] = row
        mask[at, :len(row)] = 1
    return torch.from_numpy(ids).to(DEVICE, non_blocking=True), torch.from_numpy(mask).to(DEVICE, non_blocking=True)


def late(question, weight, text, mask):
    """For every question and text: the mean, by importance, of each token's best match."""
    weight = weight / weight.sum(1, keepdim=True).clamp(min=1e-6)
    flat = text.bfloat16().flatten(0, 1)
    rows = []
    for at in range(0, len(question), 32):
        some = question[at:at + 32]
        match = (some.bfloat16().flatten(0, 1) @ flat.T).view(len(some), some.shape[1], text.shape[0], text.shape[1])
        best = match.masked_fill(mask[None, None] == 0, -1).amax(-1).float()
        rows.append((best * weight[at:at + 32, :, None]).sum(1))
    return torch.cat(rows)


class Corpus:
    """The pairs as tokens. Texts are numbered; a text that occurs twice is one."""

    def __init__(self, tokenizer):
        with lzma.open(f'{DATA}/train.jsonl.xz', 'rt', encoding='utf8') as file:
            rows = [json.loads(line) for line in file]
        numbers = {}
        number = lambda text: numbers.setdefault(text, len(numbers))
        self.positives = [[number(text) for text in row['pos'][:4]] for row in rows]
        self.negatives = [[number(text) for text in row.get('neg', [])[:8]] for row in rows]
        self.sources = [row['src'] for row in rows]
        tokenizer.enable_truncation(TEXT)
        self.texts = self.encode(tokenizer, list(numbers))
        tokenizer.enable_truncation(QUESTION)
        self.questions = self.encode(tokenizer, [row['q'] for row in rows])
        self.mined = [[] for _ in rows]
        self.by_source = collections.defaultdict(list)
        for at, source in enumerate(self.sources):
            self.by_source[source].append(at)

    @staticmethod
    def encode(tokenizer, texts):
        ids = []
        for at in range(0, len(texts), 20000):
            ids += [np.array(one.ids, dtype=np.int32) for one in tokenizer.encode_batch(texts[at:at + 20000])]
        return ids


@torch.no_grad()
def vectors(model, rows, size=512):
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    found = torch.empty(len(rows), 384, dtype=torch.float16, device=DEVICE)
    for at in range(0, len(order), size):
        chosen = order[at:at + size]
        found[chosen] = model(*pad([rows[i] for i in chosen]))[0].half()
    return found


@torch.no_grad()
def mine(model, corpus, started):
    """Texts of the same source that the model takes for answers: near, but not so near that they may be some."""
    model.eval()
    texts, questions = vectors(model, corpus.texts), vectors(model, corpus.questions)
    for source, rows in corpus.by_source.items():
        own = sorted({text for row in rows for text in corpus.positives[row] + corpus.negatives[row]})
        pool = torch.tensor(own, device=DEVICE)
        for at in range(0, len(rows), 2048):
            some = rows[at:at + 2048]
            scores = questions[some] @ texts[pool].T
            best = scores.topk(min(40, len(own)), dim=1)
            places, values = pool[best.indices].cpu().numpy(), best.values.float().cpu().numpy()
            first = (questions[some] * texts[[corpus.positives[row][0] for row in some]]).sum(1).float().cpu().numpy()
            for line, row in enumerate(some):
                known = set(corpus.positives[row])
                near = [int(text) for text, value in zip(places[line], values[line])
                        if int(text) not in known and value < first[line] - 0.02]
                corpus.mined[row] = near[:16]
    model.train()
    print(f'mined {np.mean([len(m) for m in corpus.mined]):.1f} a question, {time.time() - started:.0f} s', flush=True)


def choose(corpus, size):
    """Mostly one source a batch, which makes its other texts hard negatives; one batch in three is mixed."""
    sources = list(corpus.by_source)
    weights = [len(corpus.by_source[source]) ** 0.7 for source in sources]
    if random.random() < 0.33:
        return [random.choice(corpus.by_source[source]) for source in random.choices(sources, weights, k=size)]
    return random.choices(corpus.by_source[random.choices(sources, weights)[0]], k=size)


def train(model, start, corpus, seconds, rate, pull, size, started):
    scale = nn.Parameter(torch.tensor([math.log(25.0), math.log(25.0)], device=DEVICE))
    heads = [*model.proj.parameters(), *model.imp.parameters()]
    body = [p for p in model.trunk.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW([{'params': body, 'lr': rate}, {'params': heads, 'lr': rate * 5},
                                   {'params': [scale], 'lr': 1e-3}], weight_decay=0.01, betas=(0.9, 0.98))
    rates = [group['lr'] for group in optimiser.param_groups]
    begun, step, losses = time.time(), 0, []
    while (spent := (time.time() - begun) / seconds) < 1:
        factor = min(1, (step + 1) / 200) * (0.02 + 0.49 * (1 + math.cos(math.pi * spent)))
        for group, full in zip(optimiser.param_groups, rates):
            group['lr'] = full * factor
        rows = choose(corpus, size)
        texts = [random.choice(corpus.positives[row]) for row in rows]
        for row in rows:
            texts += random.sample(corpus.negatives[row], min(1, len(corpus.negatives[row])))
            texts += random.sample(corpus.mined[row], min(2, len(corpus.mined[row])))
        question, asked = pad([corpus.questions[row] for row in rows])
        text, mask = pad([corpus.texts[one] for one in texts])
        qv, qt, qw = model(question, asked)
        tv, tt, _ = model(text, mask)
        places = collections.defaultdict(list)
        for at, one in enumerate(texts):
            places[one].append(at)
        same = torch.zeros(len(rows), len(texts), dtype=torch.bool)
        for at, row in enumerate(rows):
            for one in corpus.positives[row]:
                for other in places[one]:
                    if other != at:
                        same[at, other] = True
        same = same.to(DEVICE)
        wanted = torch.arange(len(rows), device=DEVICE)
        sharp = scale.exp().clamp(max=60)
        by_tokens = (late(qt, qw, tt, mask) * sharp[0]).masked_fill(same, -1e4)
        by_vector = (qv @ tv.T * sharp[1]).masked_fill(same, -1e4)
        loss = F.cross_entropy(by_tokens, wanted) + 0.5 * F.cross_entropy(by_vector, wanted)
        loss = loss + 0.5 * F.cross_entropy(by_tokens + by_vector, wanted)
        if pull > 0 and step % 2 == 0:
            with torch.no_grad():
                before = (start(question, asked)[0] @ start(text, mask)[0].T * 40).softmax(1)
            loss = loss + 2 * pull * F.kl_div((qv @ tv.T * sharp[1]).log_softmax(1), before, reduction='batchmean')
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        losses.append(loss.item())
        if step % 200 == 0:
            right = (by_tokens.argmax(1) == wanted).float().mean()
            print(f'  {step} loss {np.mean(losses[-200:]):.3f} right {right:.3f} {time.time() - started:.0f} s', flush=True)


@torch.no_grad()
def report(name, model, tokenizer, started):
    """Recall and nDCG at 10 by the vector alone, by late interaction alone, and by both, on the dev sets."""
    model.eval()
    with lzma.open(f'{DATA}/sets.json.xz', 'rt', encoding='utf8') as file:
        sets = json.load(file)
    for key, held in sets.items():
        tokenizer.enable_truncation(256)
        items = held['items']
        ids = Corpus.encode(tokenizer, [item['t'] for item in items])
        groups = collections.defaultdict(list)
        for at, item in enumerate(items):
            groups[item['g']].append(at)
        tokenizer.enable_truncation(64)
        asked = collections.defaultdict(list)
        for query in held['queries']:
            if query['gold'] and query['c'] not in ('adversarial', 'abstention'):
                asked[query['g']].append(query)
        figures = collections.defaultdict(list)
        for group, places in groups.items():
            queries = asked[group]
            if not queries:
                continue
            names = [items[at]['id'] for at in places]
            tv, tt, tm = [], [], []
            for at in range(0, len(places), 128):
                text, mask = pad([ids[i] for i in places[at:at + 128]])
                vector, tokens, _ = model(text, mask)
                tv.append(vector)
                tt.append(tokens)
                tm.append(mask)
            for at in range(0, len(queries), 32):
                some = queries[at:at + 32]
                question, mask = pad(Corpus.encode(tokenizer, [query['q'] for query in some]))
                qv, qt, qw = model(question, mask)
                dense = torch.cat([qv @ vector.T for vector in tv], 1)
                tokens = torch.cat([late(qt, qw, text, seen) for text, seen in zip(tt, tm)], 1)
                for label, scores in (('vector', dense), ('late', tokens), ('both', dense + tokens)):
                    order = scores.topk(min(10, len(names)), dim=1).indices.cpu().numpy()
                    for query, line in zip(some, order):
                        gold = set(query['gold'])
                        hits = np.array([names[place] in gold for place in line], dtype=float)
                        ideal = (1 / np.log2(np.arange(2, 2 + min(len(gold), 10)))).sum()
                        figures[label].append((hits[:5].sum() / len(gold), hits.sum() / len(gold),
                                               (hits / np.log2(np.arange(2, 2 + len(hits)))).sum() / ideal))
        for label, rows in figures.items():
            five, ten, gain = np.mean(rows, 0)
            print(f'{name} {key} {label}: R@5 {five:.3f} R@10 {ten:.3f} nDCG@10 {gain:.3f}', flush=True)
    print(f'{name} reported, {time.time() - started:.0f} s', flush=True)
    model.train()


def save(model, out, tag):
    tensors = {}
    state = {name.removeprefix('trunk.'): value for name, value in model.state_dict().items()}
    for name, value in state.items():
        if 'position_ids' in name or 'token_type_ids' in name:
            continue
        array = value.detach().float().cpu().numpy()
        if array.ndim == 2 and array.size > 5000:
            scale = np.abs(array).max(1, keepdims=True) / 127 + 1e-12
            tensors[name + '.q'] = np.round(array / scale).astype(np.int8)
            tensors[name + '.s'] = scale.astype(np.float32)
        else:
            tensors[name] = array.astype(np.float16)
    words = [name for name in tensors if name.startswith('embeddings')]
    rest = [name for name in tensors if not name.startswith('embeddings')]
    for part, chosen in zip('abc', (words, rest[:len(rest) // 2], rest[len(rest) // 2:])):
        np.savez_compressed(f'{out}/{tag}_{part}.npz', **{name: tensors[name] for name in chosen})


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--start', default='encoder12')
    options.add_argument('--seconds', type=float, default=420)
    options.add_argument('--rate', type=float, default=3e-5)
    options.add_argument('--pull', type=float, default=0.25, help='towards the start, on its vectors')
    options.add_argument('--size', type=int, default=192)
    options.add_argument('--tag', default='encoder')
    options.add_argument('--out', default='')
    given = options.parse_args()
    torch.manual_seed(1)
    random.seed(1)
    started = time.time()
    tokenizer = Tokenizer.from_file(f'{DATA}/tokenizer.json')
    tokenizer.no_padding()
    weights = read_start(given.start)
    start, model = Encoder(weights).to(DEVICE).eval(), Encoder(weights).to(DEVICE).train()
    corpus = Corpus(tokenizer)
    print(f'{len(corpus.questions)} questions, {len(corpus.texts)} texts, {time.time() - started:.0f} s', flush=True)
    mine(model, corpus, started)
    train(model, start, corpus, given.seconds, given.rate, given.pull, given.size, started)
    if given.out:
        save(model, given.out, given.tag)
    report('start', start, tokenizer, started)
    report(given.tag, model, tokenizer, started)


if __name__ == '__main__':
    main()
