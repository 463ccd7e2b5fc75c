"""Trains the pair model: how does a new statement relate to a stored one (same, replaces, ends, beside)?

A cross-encoder that starts from the layers of our own encoder, is warmed up on public entailment pairs and then learns
the labelled pairs of data/relations. The word embeddings stay as they are, so that both models can share one table.

    DATA=folder python3 relations.py --hold relations-e --out OUT

DATA holds tokenizer.json, the encoder's npz parts, the lots (relations-*.tsv: label, old, new) and nli.tsv.xz.
"""
import argparse
import collections
import glob
import lzma
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

LABELS = ['same', 'replaces', 'ends', 'beside']
DATA = os.environ.get('DATA', '.')
DEVICE = 'cuda'
LONGEST = 120
EXIT = 6


def read_start(prefix):
    """The tensors of the npz parts that training starts from."""
    stored = read_weights(sorted(Path(DATA).glob(f'{prefix}_*.npz')))
    return {name: torch.from_numpy(value) for name, value in all_floats(stored).items()}


def trunk(prefix):
    config = BertConfig(vocab_size=30522, hidden_size=384, num_hidden_layers=12, num_attention_heads=12,
                        intermediate_size=1536, max_position_embeddings=512, layer_norm_eps=1e-12)
    model = BertModel(config, add_pooling_layer=False)
    weights = read_start(prefix)
    model.load_state_dict({k: v for k, v in weights.items() if not k.startswith(('proj', 'imp'))})
    model.embeddings.word_embeddings.weight.requires_grad_(False)
    return model


class PairModel(nn.Module):
    """Twelve layers with a second head after the sixth: most pairs are told apart there, and only the rest go on."""

    def __init__(self, prefix='encoder12'):
        super().__init__()
        self.trunk = trunk(prefix)
        self.exit, self.final = head(), head()
        self.drop = nn.Dropout(0.1)

    def pooled(self, ids, mask, types):
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            layers = self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=types, output_hidden_states=True)
        weight = mask.unsqueeze(-1).float()
        return [
            torch.cat([hidden[:, 0], (hidden * weight).sum(1) / weight.sum(1)], -1)
            for hidden in (layers.hidden_states[EXIT].float(), layers.hidden_states[12].float())
        ]

    def forward(self, ids, mask, types):
        early, late = self.pooled(ids, mask, types)
        return self.exit(self.drop(early)), self.final(self.drop(late))


def head():
    return nn.Sequential(nn.Linear(768, 384), nn.Tanh(), nn.Dropout(0.1), nn.Linear(384, len(LABELS)))


tokenizer = Tokenizer.from_file(f'{DATA}/tokenizer.json')
tokenizer.no_padding()
tokenizer.no_truncation()
known = {}


def pieces(text):
    if text not in known:
        known[text] = tokenizer.encode(text).ids[1:-1][:LONGEST]
    return known[text]


def batch(pairs):
    rows = []
    for old, new in pairs:
        left, right = [101, *pieces(old), 102], [*pieces(new), 102]
        rows.append((left + right, [0] * len(left) + [1] * len(right)))
    width = max(len(ids) for ids, _ in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    mask, types = ids.clone(), ids.clone()
    for at, (row, kind) in enumerate(rows):
        ids[at, :len(row)] = torch.tensor(row)
        mask[at, :len(row)] = 1
        types[at, :len(row)] = torch.tensor(kind)
    return ids.to(DEVICE), mask.to(DEVICE), types.to(DEVICE)


def read_lots(names):
    rows = []
    for name in names:
        with open(f'{DATA}/{name}.tsv', encoding='utf8') as file:
            rows += [tuple(line.rstrip('\n').split('\t')) for line in file if line.count('\t') == 2]
    return rows


def surface(text):
    """The same statement with another surface."""
    roll = random.random()
    if roll < 0.4:
        return text.lower()
    return text.rstrip('.!') + random.choice(['', '!', '.', ' .'])


def made_up(train):
    """Pairs that need no label: a surface change is the same, two texts at random have nothing to do with each other."""
    roll = random.random()
    label, old, new = random.choice(train)
    if roll < 0.4:
        text = random.choice([old, new])
        return 'same', text, surface(text)
    return 'beside', old, random.choice(random.choice(train)[1:])


def warm_up(model, steps, started):
    """Entailment from public pairs: teaches the trunk to compare two texts."""
    with lzma.open(f'{DATA}/nli.tsv.xz', 'rt', encoding='utf8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file]
    heads = nn.ModuleList([nn.Linear(768, 2), nn.Linear(768, 2)]).to(DEVICE)
    learnt = [p for p in [*model.trunk.parameters(), *heads.parameters()] if p.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=5e-5)
    right = []
    for step in range(steps):
        for group in optimiser.param_groups:
            group['lr'] = 5e-5 * min(1, (step + 1) / 50)
        chosen = random.sample(rows, 64)
        pooled = model.pooled(*batch([(a, b) for _, a, b in chosen]))
        wanted = torch.tensor([0 if label == 'e' else 1 for label, _, _ in chosen], device=DEVICE)
        early, late = (one(pool) for one, pool in zip(heads, pooled))
        loss = F.cross_entropy(late, wanted) + 0.5 * F.cross_entropy(early, wanted)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        right.append((late.argmax(1) == wanted).float().mean().item())
    print(f'warm-up {steps} steps, accuracy {np.mean(right[-200:]):.3f}, {time.time() - started:.0f} s', flush=True)


def train(model, rows, epochs, started, rate):
    body = [p for p in model.trunk.parameters() if p.requires_grad]
    heads = [*model.exit.parameters(), *model.final.parameters()]
    optimiser = torch.optim.AdamW([{'params': body, 'lr': rate}, {'params': heads, 'lr': rate * 10}], weight_decay=0.01)
    rates = [group['lr'] for group in optimiser.param_groups]
    total = int(epochs * len(rows) / 40)
    losses = []
    for step in range(total):
        factor = min(1, (step + 1) / 100) * max(0.02, 1 - step / total)
        for group, full in zip(optimiser.param_groups, rates):
            group['lr'] = full * factor
        chosen = random.sample(rows, 40) + [made_up(rows) for _ in range(4)]
        early, late = model(*batch([(a, b) for _, a, b in chosen]))
        wanted = torch.tensor([LABELS.index(label) for label, _, _ in chosen], device=DEVICE)
        loss = F.cross_entropy(late, wanted, label_smoothing=0.02)
        loss = loss + 0.4 * F.cross_entropy(early, wanted, label_smoothing=0.02)
        loss = loss + 0.4 * F.kl_div(early.log_softmax(-1), late.detach().softmax(-1), reduction='batchmean')
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        losses.append(loss.item())
        if step % 500 == 499:
            print(f'  {step + 1}/{total} loss {np.mean(losses[-500:]):.3f} {time.time() - started:.0f} s', flush=True)


@torch.no_grad()
def predict(model, pairs):
    """The chances after the exit, and at the end."""
    model.eval()
    early, late = [], []
    for at in range(0, len(pairs), 256):
        one, two = model(*batch(pairs[at:at + 256]))
        early.append(one.softmax(-1).cpu().numpy())
        late.append(two.softmax(-1).cpu().numpy())
    model.train()
    return np.concatenate(early), np.concatenate(late)


def report(name, model, rows):
    early, chances = predict(model, [(old, new) for _, old, new in rows])
    wanted = np.array([LABELS.index(label) for label, _, _ in rows])
    closing = (wanted == 1) | (wanted == 2)
    first, chance = early[:, 1] + early[:, 2], chances[:, 1] + chances[:, 2]
    print(f'{name}: {len(rows)} pairs, accuracy {(chances.argmax(1) == wanted).mean():.3f}'
          f' (exit {(early.argmax(1) == wanted).mean():.3f})')
    for pass_on in (0.05, 0.1, 0.15, 0.2, 0.3):
        on = first >= pass_on
        print(f'  passed on at {pass_on}: {on.mean():.3f} of all, {on[~closing].mean():.3f} of the rest, keeps {on[closing].mean():.3f} of closings')
    for label, values in (('exit', first), ('final', chance), ('both', np.where(first >= 0.1, chance, 0))):
        for least in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98):
            closes = values >= least
            precision = closing[closes].mean() if closes.any() else 0
            print(f'  {label} closes at {least:.2f}: precision {precision:.3f} recall {closes[closing].mean():.3f}')
        order = np.argsort(-values)
        hits = np.cumsum(closing[order]) / np.arange(1, len(order) + 1)
        for floor in (0.95, 0.97):
            reached = np.where(hits >= floor)[0]
            if len(reached):
                print(f'  {label} recall at precision {floor}: {closing[order][:reached[-1] + 1].sum() / closing.sum():.3f}'
                      f' (threshold {values[order][reached[-1]]:.3f})')


def report_known(model):
    path = f'{DATA}/known-pairs.tsv'
    if not os.path.exists(path):
        return
    with open(path, encoding='utf8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file if line.count('\t') == 3]
    _, chances = predict(model, [(row[2], row[3]) for row in rows])
    for group in sorted({(row[0], row[1]) for row in rows}):
        at = [i for i, row in enumerate(rows) if (row[0], row[1]) == group]
        closes = chances[at, 1] + chances[at, 2]
        print('  known', *group, len(at), ' '.join(f'closes>={t}: {(closes >= t).mean():.3f}' for t in (0.5, 0.8, 0.9, 0.95)),
              f'same>=0.5: {(chances[at, 0] >= 0.5).mean():.3f}')


def save(model, out, tag):
    """int8 rows with scales; the word embeddings are the encoder's and are left out."""
    tensors = {}
    for name, value in model.state_dict().items():
        if name.startswith('trunk.embeddings.word_embeddings') or 'position_ids' in name:
            continue
        name = name.removeprefix('trunk.')
        array = value.detach().float().cpu().numpy()
        if array.ndim == 2 and array.size > 5000:
            scale = np.abs(array).max(1, keepdims=True) / 127 + 1e-12
            tensors[name + '.q'] = np.round(array / scale).astype(np.int8)
            tensors[name + '.s'] = scale.astype(np.float32)
        else:
            tensors[name] = array.astype(np.float16)
    names = list(tensors)
    for part, chosen in zip('ab', (names[:len(names) // 2], names[len(names) // 2:])):
        np.savez_compressed(f'{out}/{tag}_{part}.npz', **{name: tensors[name] for name in chosen})


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--warm-up', type=int, default=1500)
    options.add_argument('--epochs', type=float, default=9)
    options.add_argument('--hold', default='', help='lots that are not learnt from, for the report')
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('--tag', default='relations')
    options.add_argument('--out', default='')
    options.add_argument('--rate', type=float, default=4e-5)
    given = options.parse_args()
    torch.manual_seed(given.seed)
    random.seed(given.seed)
    started = time.time()
    held = [name for name in given.hold.split(',') if name]
    lots = sorted(os.path.basename(path)[:-4] for path in glob.glob(f'{DATA}/relations-*.tsv'))
    rows = read_lots([name for name in lots if name not in held])
    print(given.tag, given, len(rows), collections.Counter(row[0] for row in rows), flush=True)
    model = PairModel().to(DEVICE).train()
    warm_up(model, given.warm_up, started)
    train(model, rows, given.epochs, started, given.rate)
    for name in held:
        report(f'{given.tag} {name}', model, read_lots([name]))
    report_known(model)
    if given.out:
        save(model, given.out, given.tag)
    print(f'{given.tag} done, {time.time() - started:.0f} s', flush=True)


if __name__ == '__main__':
    main()
