"""The labelled texts of data/facts as the facts model learns them: pieces, spans, relations, flags and kinds."""

import collections
import json
import lzma
import random
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

SOURCES = ["user", "assistant", "document"]
FLAGS = ["neg", "ended", "hyp", "future"]
# A text longer than this is read in parts; labelled ones are shorter.
MOST_PIECES = 160
# A relation told at least so often is a class of its own; others are made from the words of the text.
LEAST_TELLINGS = 5
LEAST_EDITS = 4
# What may stand before the words of the text in a relation.
PREFIXES = ["", "has_", "is_", "plans_to_", "wants_to_", "favourite_", "was_", "had_", "got_", "does_", "gets_", "wants_"]
DROPPED, KEPT = "drop", "keep"


@dataclass
class Text:
    source: str
    speaker: str
    text: str
    facts: list = field(default_factory=list)


def read_texts(path: Path) -> list[Text]:
    texts: list[Text] = []
    for line in path.read_text(encoding="utf8").splitlines():
        kind, *parts = line.split("\t")
        if kind == "T" and len(parts) >= 3:
            texts.append(Text(*parts[:3]))
        elif kind == "F" and len(parts) >= 4:
            subject, predicate, object_, relation, *flags = parts
            texts[-1].facts.append((subject, predicate, object_, relation, set(filter(None, (flags or [""])[0].split(",")))))
    return texts


# Sets of pairs.jsonl.xz whose texts are written, not said.
WRITTEN = re.compile("wiki|squad|docs|boolq|iirc|med|qasper|qasc|hybrid|timeqa|nq_|pubmed|ropes|scitail|adversarial|covid|quartz|hotpot")
SPEAKER = re.compile(r"^([A-Z][\w .'-]{0,24}): ")
# Characters of the shortest and the longest text without labels.
SHORTEST_PLAIN, LONGEST_PLAIN = 12, 420
# Texts of one file at most.
MOST_PLAIN = 60_000


def read_plain(path: Path) -> list[Text]:
    """Texts without labels: of pairs of statements, of stories, of the encoder's pairs; a long one gives a part of it."""
    if path.suffix == ".tsv":
        told = [(text, "user") for line in path.read_text(encoding="utf8").splitlines() for text in line.split("\t")[1:3]]
    else:
        with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="utf8") as file:
            told = [
                (text, "document" if WRITTEN.search(one.get("src", "")) else "user")
                for one in map(json.loads, file)
                for text in said_in({key: value for key, value in one.items() if key not in ("q", "questions", "id", "src")})
            ]
    told = sorted({one for one in told if len(one[0]) >= SHORTEST_PLAIN})
    return [plain(*one) for one in random.sample(told, min(MOST_PLAIN, len(told)))]


def said_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from said_in(part)


def plain(text: str, source: str) -> Text:
    speaker = SPEAKER.match(text) if source == "user" else None
    if speaker:
        text, source = text[speaker.end() :], "assistant" if speaker[1] in ("Assistant", "Doctor") else source
    if len(text) > LONGEST_PLAIN:
        sentences = re.split(r"(?<=[.!?]) +", text)
        first = random.randrange(len(sentences))
        text = " ".join(sentences[first : first + random.randint(1, 4)])[:LONGEST_PLAIN]
    return Text(source, "", text)


def other_codes(text: Text) -> Text | None:
    """The same text with other digits, and other letters in words that hold digits: where they stand, not what they are, tells what they mean."""
    digits, letters = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    table = str.maketrans(digits + letters, "".join(random.sample(digits, 10) + random.sample(letters, 26)))
    changed = lambda piece: re.sub(r"\S*\d\S*", lambda word: word[0].translate(table), piece)  # noqa: E731
    if changed(text.text) == text.text:
        return None
    facts = [(changed(subject), predicate, changed(object_), *rest) for subject, predicate, object_, *rest in text.facts]
    return replace(text, text=changed(text.text), facts=facts)


class Pieces:
    """A text as the encoder reads it: ids with marks, and the words that they make up."""

    def __init__(self, tokenizer, text: str):
        coded = tokenizer.encode(text)
        self.ids = coded.ids[: MOST_PIECES - 1] + ([coded.ids[-1]] if len(coded.ids) >= MOST_PIECES else [])
        self.text = text
        # Of each word its first and last piece, and where it stands in the text.
        self.words: list[tuple[int, int, int, int]] = []
        for at in range(1, len(self.ids) - 1):
            start, end = coded.offsets[at]
            if coded.tokens[at].startswith("##") and self.words:
                first, _, begun, _ = self.words[-1]
                self.words[-1] = (first, at, begun, end)
            else:
                self.words.append((at, at, start, end))

    def within(self, start: int, end: int):
        """The words that a stretch of the text touches, as (first word, last word)."""
        hit = [at for at, (_, _, begun, ended) in enumerate(self.words) if begun < end and ended > start]
        return (hit[0], hit[-1]) if hit else None

    def first_piece(self, word):
        return 0 if word < 0 else self.words[word][0]

    def last_piece(self, word):
        return 0 if word < 0 else self.words[word][1]


def find(text: str, piece: str, near: int):
    """Where a piece stands, nearest to a place; at the borders of words where it can."""
    if not piece:
        return None
    for flags in (0, re.IGNORECASE):
        for pattern in (rf"(?<!\w){re.escape(piece)}(?!\w)", re.escape(piece)):
            hits = [hit.start() for hit in re.finditer(pattern, text, flags)]
            if hits:
                start = min(hits, key=lambda at: abs(at - near))
                return start, start + len(piece)
    return None


def edit(word: str, part: str):
    """How a word of the text becomes a part of a relation's name: `keep`, or letters off and on at its end."""
    word = word.lower()
    if word == part:
        return KEPT
    same = 0
    while same < min(len(word), len(part)) and word[same] == part[same]:
        same += 1
    if same == 0 or same < len(word) - 4 or len(part) - same > 4:
        return None
    return f"-{len(word) - same}+{part[same:]}"


def spelt(words: list[str], relation: str):
    """The prefix and the edit of each word that give this relation; None when they do not."""
    for prefix in PREFIXES:
        if not relation.startswith(prefix):
            continue
        edits, at = [DROPPED] * len(words), 0
        for part in relation[len(prefix) :].split("_"):
            found = next((i for i in range(at, len(words)) if edit(words[i], part) is not None), None)
            if found is None:
                break
            edits[found], at = edit(words[found], part), found + 1
        else:
            return prefix, edits
    return None


@dataclass
class Fact:
    """Words by their numbers; the speaker or the user is -1."""

    subject: tuple[int, int]
    object: tuple[int, int]
    predicate: list[int]
    relation: str
    prefix: str | None
    edits: list[str] | None
    flags: list[float]


SELF = (-1, -1)


def anchored(pieces: Pieces, fact) -> Fact | None:
    subject, predicate, object_, relation, flags = fact
    text, at, words, first = pieces.text, 0, [], None
    for word in predicate.split():
        place = find(text[at:], word, 0)
        if place is None:
            continue
        start, end = at + place[0], at + place[1]
        span = pieces.within(start, end)
        first = start if first is None else first
        at = end
        if span:
            words += [word for word in range(span[0], span[1] + 1) if word not in words]

    def span_of(name, near):
        if name in ("@user", "@speaker"):
            return SELF
        place = find(text, name, near)
        return place and pieces.within(*place)

    object_span = span_of(object_, at)
    subject_span = span_of(subject, first if first is not None else 0)
    if object_span is None or subject_span is None or object_span == subject_span:
        return None
    said = [text[pieces.words[word][2] : pieces.words[word][3]] for word in words]
    script = spelt(said, relation)
    prefix, edits = script if script else (None, None)
    return Fact(subject_span, object_span, words, relation, prefix, edits, [float(flag in flags) for flag in FLAGS])


class Labels:
    """The classes of relations and edits, from what the training texts tell."""

    def __init__(self, facts: list[Fact], kinds: dict[str, list[str | None]]):
        tellings = collections.Counter(fact.relation for fact in facts)
        named = sorted(name for name, count in tellings.items() if count >= LEAST_TELLINGS)
        self.relations = named + [f"{prefix}*" for prefix in PREFIXES]
        edits = collections.Counter(one for fact in facts for one in (fact.edits or []))
        self.edits = [DROPPED, KEPT] + sorted(
            name for name, count in edits.items() if count >= LEAST_EDITS and name not in (DROPPED, KEPT)
        )
        self.kinds = ["person", "organization", "place", "date", "thing", "concept"]
        self.kinds_of = kinds
        self.take(self.relations, self.edits)

    def take(self, relations: list[str], edits: list[str], **_) -> None:
        self.relations, self.edits = relations, edits
        self.relation_of = {name: at for at, name in enumerate(relations)}
        self.edit_of = {name: at for at, name in enumerate(edits)}

    def relation(self, fact: Fact) -> int:
        """-100 (not learnt) for one that is neither told often nor made of the text's words."""
        if fact.relation in self.relation_of:
            return self.relation_of[fact.relation]
        if fact.edits is not None and all(one in self.edit_of for one in fact.edits):
            return self.relation_of[f"{fact.prefix}*"]
        return -100

    def edits_of(self, fact: Fact) -> list[int]:
        return [self.edit_of.get(one, -100) for one in fact.edits or [None] * len(fact.predicate)]

    def kinds_told(self, fact: Fact) -> list[tuple[int, int]]:
        """(last word, kind) of subject and object, as far as the relation tells them."""
        subject, object_ = self.kinds_of.get(fact.relation, [None, None])
        told = [(fact.subject[1], subject), (fact.object[1], object_)]
        return [(word, self.kinds.index(kind)) for word, kind in told if kind is not None and word >= 0]


def overlap(left: str, right: str) -> float:
    """How many words two pieces share, 0 to 1."""
    words = [re.findall(r"[^\W_]+", name.lower()) for name in (left, right)]
    small = set("the a an my our your his her their some of to in on at for with and this that".split())
    a, b = [[word for word in name if word not in small] or name for name in words]
    if not a or not b:
        return float(left == right)
    shared = sum((collections.Counter(a) & collections.Counter(b)).values())
    return 2 * shared / (len(a) + len(b))


def fits(gold, found, exact=False) -> bool:
    """Subject, object and polarity."""
    subject, _, object_, _, flags = gold
    own = subject in ("@user", "@speaker")
    if own != (found["subject"] in ("@user", "@speaker")):
        return False
    if bool(flags & {"neg", "ended"}) != (found["neg"] or found["ended"]):
        return False
    if exact:
        return (own or subject.lower() == found["subject"].lower()) and object_.lower() == found["object"].lower()
    return (own or overlap(subject, found["subject"]) >= 0.6) and overlap(object_, found["object"]) >= 0.5

