"""The pairs that the pair model learns: lots, stories, talk, and the same pairs in another surface."""

import json
import lzma
import random
import re

LABELS = ["same", "replaces", "ends", "beside"]
CONVERSATIONS = {"self_dialogue", "synthetic_persona_chat", "qmsum", "crd3", "mts_dialog", "aci_bench", "topical_chat", "molweni"}
NAMES = "Amara Tomasz Lin Yusuf Priya Anneke Rosa Ivo Nadia Kofi Sofia Ravi Hana Diego Olga Sam Fatima Bjarne Mei Luca".split()


SPEAKER = re.compile(r"([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2}|user|assistant|human|ai): +(?=\S)")
# Words before a colon that name nobody; src/core/speaker.ts has them all.
HEADINGS = {"Note", "Notes", "Update", "Reminder", "Question", "Answer", "Summary", "Warning", "Tip", "Status", "Plan", "Goal", "Result"}


def as_read(label, older, newer):
    """What one speaker says is read without the name before it, what two say with both names."""
    left, right = SPEAKER.match(older), SPEAKER.match(newer)
    if left and right and left[1] == right[1] and left[1] not in HEADINGS:
        return label, older[left.end() :], newer[right.end() :]
    return label, older, newer


def read_lot(path):
    lines = [line.split("\t") for line in path.read_text(encoding="utf8").splitlines()]
    return [as_read(*line) for line in lines if len(line) == 3]


def read_stories(path):
    rows = []
    for line in path.read_text(encoding="utf8").splitlines():
        story = json.loads(line)
        texts = [text if isinstance(text, str) else text["text"] for text in story["texts"]]
        links = {(newer, older): label for newer, older, label in story["links"]}
        for newer in range(len(texts)):
            rows += [as_read(links.get((newer, older), "beside"), texts[older], texts[newer]) for older in range(newer)]
    return rows


def nearness(_, older, newer):
    """Words that both have; what one speaker says is nearer than what two do."""
    left, right = (set(re.findall(r"\w{3,}", text.lower())) for text in (older, newer))
    return len(left & right) + (0 if SPEAKER.match(older) else 3)


def read_talk(path):
    """Two pairs of each conversation: one at random, and of some the nearest."""
    rows = []
    with lzma.open(path, "rt", encoding="utf8") as file:
        for line in file:
            told = json.loads(line)
            turns = [*told["pos"], *told["neg"]]
            if told["src"] in CONVERSATIONS and len(turns) >= 2:
                some = [as_read("beside", *random.sample(turns, 2)) for _ in range(6)]
                rows += [some[0], max(some[1:], key=lambda row: nearness(*row))]
    return [row for row in rows if row[1] != row[2]]


# Sets whose questions are no questions, or whose texts do not answer them by themselves.
NO_QUESTIONS = {"snli", "mnli", "paws", "disflqa_qq", "crd3", "aci_bench", "docs_sections", "ropes"}


class Asked:
    """A question with the texts it may be asked of: `states` tell the answer, each later one in place of those before it."""

    def __init__(self, question, states, others, in_order):
        self.question, self.states, self.in_order = question, states, in_order
        words = set(re.findall(r"\w+", question.lower()))
        # The nearest by their words first.
        self.others = sorted(others, key=lambda one: -len(words & set(re.findall(r"\w+", one[1].lower()))))

    def all_texts(self):
        return [self.question, *(text for _, text in (*self.states, *self.others))]

    def texts(self, most=None):
        """Some of the texts, up to five or so many, in the order in which they were told; and which of them is the answer as far as they tell."""
        states = [one for one in self.states if random.random() < (0.85 if most is None else 0.6)][-4:]
        if most is not None:
            states = random.sample(states, min(len(states), most))
        more = max(0 if states else 1, (most or random.choice([1, 1, 2, 3, 4, 4, 5])) - len(states))
        nearest = round(more * random.random())
        rest = self.others[nearest:]
        told = states + self.others[:nearest] + random.sample(rest, min(more - nearest, len(rest))) or self.states[-1:]
        told = sorted(told) if self.in_order else random.sample(told, len(told))
        last = max((one for one in told if one in self.states), default=None)
        return [text for _, text in told], None if last is None else told.index(last)


def read_story_questions(path):
    asked = []
    for line in path.read_text(encoding="utf8").splitlines():
        story = json.loads(line)
        texts = list(enumerate(text if isinstance(text, str) else text["text"] for text in story["texts"]))
        for one in story.get("questions", []):
            places = {*one["outdated"], *([] if one["answer_in"] is None else [one["answer_in"]])}
            states = [texts[at] for at in sorted(places)]
            asked.append(Asked(one["q"], states, [text for text in texts if text[0] not in places], True))
    return asked


def read_answers(path):
    """Two texts that answer may contradict each other in either order: each has a question of its own."""
    asked = []
    for line in path.read_text(encoding="utf8").splitlines():
        one = json.loads(line)
        others = list(enumerate(one["no"]))
        asked += [Asked(one["q"], [(-1, text)], others, False) for text in one["yes"]] or [Asked(one["q"], [], others, False)]
    return asked


def read_questions(path, longest):
    """The same of the encoder's pairs, where the texts are no longer than so many characters."""
    asked = []
    with lzma.open(path, "rt", encoding="utf8") as file:
        for line in file:
            one = json.loads(line)
            if one["src"] in NO_QUESTIONS or len(one["pos"]) != 1 or len(one["pos"][0]) > longest:
                continue
            others = list(enumerate(text[:longest] for text in one["neg"]))
            if others:
                asked.append(Asked(one["q"], [(-1, one["pos"][0])], others, False))
    return asked


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
    if roll < 0.1 and all(FIRST_PERSON.search(text) and not SPEAKER.match(text) for text in (older, newer)):
        left, right = random.sample(NAMES, 2)
        return "beside", f"{left}: {older}", f"{right}: {newer}"
    if roll < 0.3 and re.search(r"\d", older):
        digits = str.maketrans("123456789", "".join(random.sample("123456789", 9)))
        return label, older.translate(digits), newer.translate(digits)
    return row
