"""Turns the public corpora into the files that train.py reads. See README.md for where they come from.

    python3 prepare.py CORPORA DATA

CORPORA holds the repositories as downloaded; DATA receives one `.tsv` a treebank (word, UPOS, XPOS, head, relation), one
`.iob` for names (word, tag), and the word vectors of the words that are worth keeping.
"""

import sys
from pathlib import Path

import numpy as np

TREEBANKS = {
    "ewt": ("UD_English-EWT", "en_ewt-ud-train.conllu"),
    "ewt-dev": ("UD_English-EWT", "en_ewt-ud-dev.conllu"),
    "ewt-test": ("UD_English-EWT", "en_ewt-ud-test.conllu"),
    "esl": ("UD_English-ESLSpok", "en_eslspok-ud-train.conllu"),
    "atis": ("UD_English-Atis", "en_atis-ud-train.conllu"),
}
NAMES = {
    "names-train": [
        ("UNER_English-EWT", "en_ewt-ud-train.iob2"),
        ("BTC", "*.conll"),
        ("wikigold", "wikigold.conll.txt"),
        ("WNUT17", "wnut17train.conll"),
    ],
    "names-test": [("UNER_English-EWT", "en_ewt-ud-test.iob2")],
}
TAGS = {"PER": "PER", "PERSON": "PER", "LOC": "LOC", "LOCATION": "LOC", "ORG": "ORG", "CORPORATION": "ORG", "GROUP": "ORG"}
# The most frequent GloVe words, and every word of the treebanks that GloVe knows.
VECTOR_WORDS = 50_000
VECTOR_SIZE = 100


def convert_treebank(source: Path, target: Path) -> set[str]:
    words: set[str] = set()
    with source.open(encoding="utf8") as lines, target.open("w", encoding="utf8") as out:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if fields == [""]:
                out.write("\n")
            elif fields[0].isdigit():
                words.add(fields[1].lower())
                out.write("\t".join([fields[1], fields[3], fields[4], fields[6], fields[7]]) + "\n")
    return words


def convert_names(sources: list[Path], target: Path) -> None:
    with target.open("w", encoding="utf8") as out:
        for source in sources:
            before = ""
            for line in source.read_text(encoding="utf8").split("\n"):
                fields = line.split()
                if line.startswith("#"):
                    continue
                if len(fields) < 2:
                    before = ""
                    out.write("\n")
                    continue
                # UNER lists a number before the word; the others list the word first and the tag last.
                word, tag = (fields[1], fields[2]) if fields[0].isdigit() and len(fields) > 2 else (fields[0], fields[-1])
                place, _, kind = tag.partition("-")
                known = TAGS.get(kind.upper(), "")
                # Some corpora begin a name with I where no other stands before it.
                begins = place == "B" or known != before
                out.write(f"{word}\t{'B' if begins else 'I'}-{known}\n" if known else f"{word}\tO\n")
                before = known
            out.write("\n")


def keep_vectors(source: Path, words: set[str], data: Path) -> None:
    kept: list[str] = []
    vectors: list[np.ndarray] = []
    with source.open(encoding="utf8") as lines:
        for rank, line in enumerate(lines):
            word, *numbers = line.rstrip("\n").split(" ")
            if len(numbers) == VECTOR_SIZE and (rank < VECTOR_WORDS or word in words):
                kept.append(word)
                vectors.append(np.array(numbers, dtype=np.float16))
    (data / "words.txt").write_text("\n".join(kept) + "\n", encoding="utf8")
    np.stack(vectors).tofile(data / "vectors.f16")


def main(corpora: Path, data: Path) -> None:
    data.mkdir(parents=True, exist_ok=True)
    words: set[str] = set()
    for name, (folder, file) in TREEBANKS.items():
        words |= convert_treebank(corpora / folder / file, data / f"{name}.tsv")
    for name, sources in NAMES.items():
        files = [path for folder, pattern in sources for path in sorted((corpora / folder).glob(pattern))]
        convert_names(files, data / f"{name}.iob")
    keep_vectors(corpora / "glove.6B.100d.txt", words, data)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
