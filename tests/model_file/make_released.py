"""Write the models of a release, and what they say, into the folder of its version.

Files that are there are left alone, because later versions must load what is out:

    python tests/model_file/make_released.py
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

NAMES = {
    "curves": "curves",
    "linear": "linear",
    "three classes": "three-classes",
    "table": "table",
    "table of three classes": "table-of-three-classes",
    "amounts": "amounts",
    "learned thresholds": "learned-thresholds",
}
FOLDER = Path(__file__).parent / "released"


def main():
    from small_models import fitted

    import trisect
    from trisect import save_model

    folder = FOLDER / trisect.__version__
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    for name, stem in NAMES.items():
        if (folder / f"{stem}.says.json").exists():
            continue
        model, X = fitted(name)
        save_model(model, folder / f"{stem}.model.json")
        rows = {k: v[:40] for k, v in X.items()} if isinstance(X, dict) else X[-40:].tolist()
        given = rows if isinstance(rows, dict) else np.array(rows)
        says = {
            "rows": rows,
            "probabilities": model.predict_proba(given).tolist(),
            "decisions": model.decide(given).tolist(),
        }
        if hasattr(model, "decide_sequentially") and len(model.classes_) == 2:
            says["levels"] = model.decide_sequentially(given).levels.tolist()
        (folder / f"{stem}.says.json").write_text(json.dumps(says) + "\n")


if __name__ == "__main__":
    main()
