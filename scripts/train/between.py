"""Writes the facts model between two: python3 between.py BEFORE AFTER OUT --share 0.5, folders that facts.py wrote."""

import argparse
import json
from pathlib import Path

from weights import all_floats, read_weights, write_weights


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("before", type=Path)
    arguments.add_argument("after", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--share", type=float, default=0.5, help="of the later one")
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    before, after = (all_floats(read_weights([folder / "facts.npz"])) for folder in (options.before, options.after))
    named, later = (json.loads((folder / "labels.json").read_text()) for folder in (options.before, options.after))
    if any(named[kind] != later[kind] for kind in ("relations", "edits", "kinds")):
        raise SystemExit("The two models have other labels each.")
    between = lambda left, right: left + options.share * (right - left)  # noqa: E731
    write_weights(options.out / "facts.npz", {name: between(before[name], value) for name, value in after.items()})
    calibration = {name: between(named["calibration"][name], value) for name, value in later["calibration"].items()}
    (options.out / "labels.json").write_text(json.dumps(later | {"calibration": calibration}))


if __name__ == "__main__":
    main()
