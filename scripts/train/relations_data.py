"""The pairs that the pair model learns: lots, stories, talk, and the same pairs in another surface."""

import json
import lzma
import random
import re

LABELS = ["same", "replaces", "ends", "beside"]
CONVERSATIONS = {"self_dialogue", "synthetic_persona_chat", "qmsum", "crd3", "mts_dialog", "aci_bench", "topical_chat", "molweni", "sgd"}
NAMES = "Amara Tomasz Lin Yusuf Priya Anneke Rosa Ivo Nadia Kofi Sofia Ravi Hana Diego Olga Sam Fatima Bjarne Mei Luca".split()


def read_lot(path):
    lines = [line.split("\t") for line in path.read_text(encoding="utf8").splitlines()]
    return [tuple(line) for line in lines if len(line) == 3]


def read_stories(path):
    rows = []
    for line in path.read_text(encoding="utf8").splitlines():
        story = json.loads(line)
        texts = [text if isinstance(text, str) else text["text"] for text in story["texts"]]
        links = {(newer, older): label for newer, older, label in story["links"]}
        for newer in range(len(texts)):
            rows += [(links.get((newer, older), "beside"), texts[older], texts[newer]) for older in range(newer)]
    return rows


def read_talk(path):
    rows = []
    with lzma.open(path, "rt", encoding="utf8") as file:
        for line in file:
            told = json.loads(line)
            turns = [*told["pos"], *told["neg"]]
            if told["src"] in CONVERSATIONS and len(turns) >= 2:
                rows += [("beside", *random.sample(turns, 2)) for _ in range(2)]
    return [row for row in rows if row[1] != row[2]]


def read_answers(path):
    """Rows of whether, text and question."""
    rows = []
    for line in path.read_text(encoding="utf8").splitlines():
        asked = json.loads(line)
        rows += [(label, text, asked["q"]) for label, kind in ((True, "yes"), (False, "no")) for text in asked[kind]]
    return rows


# Sets whose questions are no questions, or whose texts do not answer them by themselves.
NO_QUESTIONS = {"snli", "mnli", "paws", "disflqa_qq", "crd3", "aci_bench", "docs_sections", "ropes"}


def read_questions(path):
    """The same of the encoder's pairs: as many texts that do not answer as do."""
    rows = []
    with lzma.open(path, "rt", encoding="utf8") as file:
        for line in file:
            asked = json.loads(line)
            if asked["src"] in NO_QUESTIONS or len(asked["pos"]) != 1 or not asked["neg"]:
                continue
            rows += [(True, asked["pos"][0], asked["q"]), (False, random.choice(asked["neg"]), asked["q"])]
    return rows


FIRST_PERSON = re.compile(r"\b(I|I'm|I've|my|My|we|We|our|Our)\b")


# Characters.
LONGEST_REMARK = 110


def with_a_remark(text, rows):
    """The text with what somebody says of something else before or after it."""
    remark = random.choice(random.choice(rows)[1:])
    if len(remark) > LONGEST_REMARK or remark in text or text in remark:
        return text
    first, second = random.sample([text, remark], 2)
    return f"{first} {second}" if first[-1:] in ".!?" else f"{first}. {second}"


def varied(row, rows):
    """The same pair in another surface. With the names of two speakers before it, what one says of himself changes nothing of the other."""
    label, older, newer = row
    if label != "same" and random.random() < 0.2:
        older, newer = random.choice([(older, with_a_remark(newer, rows)), (with_a_remark(older, rows), newer)])
        return label, older, newer
    roll = random.random()
    if roll < 0.15:
        name = random.choice(NAMES)
        return label, f"{name}: {older}", f"{name}: {newer}"
    if roll < 0.21 and all(FIRST_PERSON.search(text) for text in (older, newer)):
        left, right = random.sample(NAMES, 2)
        return "beside", f"{left}: {older}", f"{right}: {newer}"
    if roll < 0.4 and re.search(r"\d", older):
        digits = str.maketrans("123456789", "".join(random.sample("123456789", 9)))
        return label, older.translate(digits), newer.translate(digits)
    return row
