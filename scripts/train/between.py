"""Writes the mean of facts models: python3 between.py OUT FOLDER FOLDER... --shares 0.4 0.6, folders that facts.py wrote.

Without --shares all count alike. The runs have to have begun as one model, and to name the same classes.
"""

import argparse
import json
from pathlib import Path

from weights import all_floats, read_weights, write_weights

CLASSES = ("relations", "edits", "kinds")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("folders", type=Path, nargs="+")
    arguments.add_argument("--shares", type=float, nargs="*", help="of each folder, one in all")
    options = arguments.parse_args()
    shares = options.shares or [1 / len(options.folders)] * len(options.folders)
    if len(shares) != len(options.folders) or abs(sum(shares) - 1) > 1e-6:
        raise SystemExit("There has to be one share for each folder, and they have to add up to 1.")
    models = [all_floats(read_weights([folder / "facts.npz"])) for folder in options.folders]
    labels = [json.loads((folder / "labels.json").read_text()) for folder in options.folders]
    if any(labels[0][kind] != other[kind] for other in labels for kind in CLASSES):
        raise SystemExit("The models have other labels each.")
    mean = lambda values: sum(share * value for share, value in zip(shares, values))  # noqa: E731
    options.out.mkdir(parents=True, exist_ok=True)
    write_weights(options.out / "facts.npz", {name: mean([model[name] for model in models]) for name in models[0]})
    calibration = {name: mean([one["calibration"][name] for one in labels]) for name in labels[0]["calibration"]}
    (options.out / "labels.json").write_text(json.dumps(labels[0] | {"calibration": calibration}))


if __name__ == "__main__":
    main()
