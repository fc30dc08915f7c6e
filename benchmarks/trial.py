"""A new user's trial: a raw csv of mixed columns as an office exports it, from file to decisions.

The rows are generated, so that it is known which columns matter: claims of car insurance with
identifiers, names, typos, a category of 300 values, German dates and amounts, American quotes,
per cent signs, gaps in several spellings, a constant and an empty column, and notes. The file is
fitted as it is and, to see what reading amounts is worth, with amounts treated as the texts they
are.

    python benchmarks/trial.py --page docs/results/trial.md
"""

import argparse
import csv
import io
import json
import tempfile
from contextlib import redirect_stdout
from datetime import date, datetime, time, timedelta
from pathlib import Path

import numpy as np
from common import markdown_table, replace_section
from scipy.stats import t

from trisect.cli import main as trisect

COSTS = ["--false-accept", "5", "--false-reject", "10", "--review", "1"]
AS_TEXTS = ["Amount (EUR)=ignore", "Repair quote=evidence", "Deductible %=category"]
"""What became of these columns before amounts were read."""

VEHICLES = {
    "Car": ["car", "CAR", "Car ", "Caar"],
    "Van": ["van", "Vann"],
    "Truck": ["truck", "Lorry"],
    "Motorbike": ["motorbike", "Moto"],
    "Trailer": ["trailer"],
}
RARE = ["Tractor", "Bus", "Quad", "E-Scooter", "Hearse"]
FIRST = [
    "Anna", "Jörg", "Müge", "François", "Pieter", "Zoë", "José", "Lena", "Tom", "Ingrid",
    "Åke", "Söhnke", "Marta", "Ivo", "Kai",
]  # fmt: skip
LAST = [
    "Müller", "Schmidt", "Özdemir", "Dupont", "Nowak", "Larsen", "Rossi", "García",
    "Weiß", "Fischer", "Huber", "Koch",
]  # fmt: skip
NOTES = [
    "customer says parked car was hit", "hail damage; roof", "rear collision at traffic light",
    "animal on road", "glass only", "reported twice by phone", "no police report",
    "police report attached, witness named", "unclear who was driving", "stolen overnight",
]  # fmt: skip


def german(amount):
    """Write an amount as 1.234,50."""
    return f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))


def claims(n, seed):
    """Yield rows as dictionaries of texts; about one in fifteen is a fraud."""
    rng = np.random.default_rng(seed)
    garages = [f"G-{i:03} {rng.choice(['Nord', 'Süd', 'Ost', 'West'])}" for i in range(300)]
    of_garage = rng.normal(0, 0.9, 300)

    def gap(share, cell, word=""):
        return word if rng.random() < share else cell

    for i in range(n):
        vehicle = str(rng.choice(list(VEHICLES), p=[0.6, 0.2, 0.1, 0.08, 0.02]))
        amount, previous = float(np.exp(rng.normal(7.4, 0.9))), int(rng.poisson(0.7))
        day = date(2023, 1, 1) + timedelta(days=int(rng.integers(0, 900)))
        seen = datetime.combine(day, time()) + timedelta(hours=float(rng.exponential(50)))
        police, garage = str(rng.choice(["yes", "no"])), int(min(299, rng.exponential(60)))
        age = rng.normal(45, 14)
        note = ", ".join(rng.choice(NOTES, rng.choice([1, 1, 2]), replace=False))
        if rng.random() < 0.3:
            note += f" ref {rng.integers(1000, 99999)}"
        logit = (
            -3.6 + 0.9 * (np.log(amount) - 7.4) + 0.6 * previous - 0.9 * (police == "yes")
            + of_garage[garage] + 0.8 * (vehicle == "Truck") + 1.0 * ("unclear" in note)
            + 0.02 * max(0, 30 - age) + 0.7 * (day.weekday() >= 5)
        )  # fmt: skip
        fraud = rng.random() < 1 / (1 + np.exp(-logit))
        if rng.random() < 0.04:
            vehicle = str(rng.choice(VEHICLES[vehicle]))
        elif rng.random() < 0.002:
            vehicle = str(rng.choice(RARE))
        yield {
            "Claim ID": f"C{200000 + i}",
            "Name": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
            "Vehicle": gap(0.03, vehicle),
            "Garage": gap(0.05, garages[garage], "n/a"),
            "Date of loss": gap(0.02, f"{day:%d.%m.%Y}"),
            "Reported at": f"{seen:%d.%m.%Y %H:%M}",
            "Amount (EUR)": gap(0.04, german(amount)),
            "Previous claims": previous,
            "Police report": gap(0.06, police, "unknown"),
            "Age": gap(0.1, f"{age:.1f}".replace(".", ","), "NA"),
            "Repair quote": gap(0.15, f"${amount * rng.uniform(0.7, 1.3):,.0f}", "-"),
            "Deductible %": f"{rng.choice([0, 5, 10, 15, 20])}%",
            "Country": "DE",
            "Empty": "",
            "Postcode": f"{rng.integers(1000, 99999):05}",
            "Notes": note,
            "Outcome": "fraud" if fraud else "ok",
        }


def write(path, rows):
    """Write rows as such an office does: semicolons, Windows 1252."""
    with path.open("w", newline="", encoding="cp1252") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def run(*words):
    """Run a command; returns what it prints for machines."""
    out = io.StringIO()
    with redirect_stdout(out):
        if trisect([*map(str, words), "--json"]) != 0:
            raise SystemExit(f"trisect {words[0]} failed.")
    return json.loads(out.getvalue())


def figures(folder, seed, kinds=()):
    """Fit on 5,000 claims and judge by 5,000 others."""
    rows = list(claims(10_000, seed))
    train, held = write(folder / "claims.csv", rows[:5000]), write(folder / "new.csv", rows[5000:])
    target = ["--target", "Outcome", "--positive", "fraud"]
    model = folder / "model.json"
    said = ["--kind", *kinds] if kinds else []
    fitted = run("fit", train, *target, *COSTS, *said, "-o", model)
    found = run("evaluate", model, held)
    cost = found["cost_per_row"]
    return [found["auc"], cost["three_way"]["mean"], cost["always_deciding"]["mean"],
            found["deferred"], fitted["bytes"]]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the claims and end")
    parser.add_argument("--seeds", type=int, default=10, help="files to generate")
    parser.add_argument("--page", metavar="FILE", help="a page with a section for this table")
    options = parser.parse_args()
    if options.write:
        write(options.write, list(claims(5000, 0)))
        return
    rows = [["amounts", "AUC", "cost per claim", "always deciding", "deferred", "bytes"]]
    found = {"read as numbers": [], "left as texts": []}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seeds):
            for name, kinds in zip(found, ((), AS_TEXTS), strict=True):
                found[name].append(figures(Path(folder), seed, kinds))
                print(seed, name, found[name][-1], flush=True)
    for name, each in found.items():
        auc, cost, always, deferred, size = np.mean(each, axis=0)
        rows.append([name, f"{auc:.3f}", f"{cost:.3f}", f"{always:.3f}", f"{deferred:.0%}",
                     f"{size:,.0f}"])  # fmt: skip
    gain = np.subtract(*(np.array(each)[:, :2] for each in found.values()))
    half = t.ppf(0.975, len(gain) - 1) * gain.std(axis=0, ddof=1) / np.sqrt(len(gain))
    words = (
        f"Read as numbers less left as texts: AUC {gain[:, 0].mean():+.3f} ± {half[0]:.3f}, better "
        f"on {(gain[:, 0] > 0).sum()} of {len(gain)} files; cost per claim "
        f"{gain[:, 1].mean():+.3f} ± {half[1]:.3f}, better on {(gain[:, 1] < 0).sum()}."
    )
    lines = [*markdown_table(rows), words, ""]
    print("\n".join(lines))
    if options.page:
        replace_section(options.page, "amounts", lines)


if __name__ == "__main__":
    main()
