"""Damage to documents, of every kind that occurs to one."""

import json

JUNK = [
    None, True, False, 0, -1, 1, 0.5, -0.0, 1e308, -1e308, 5e-324, 2**70, "", "x", "nan", [], {},
    [[]], [None], {"kind": "number"}, "\x00", "9" * 400, [1e308] * 3, 10**400,
]  # fmt: skip
TOKENS = [
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"null", b"true", b"[]", b"{}", b"\"\"",
    b"9" * 5000, b"1e-400", b"\\ud800", b"\xff", b"\x00", b"[" * 2000, b"{\"a\":" * 500, b",", b"}",
]  # fmt: skip


def mutated(content, rng):
    """Damage a document; returns the bytes, and what was done to them."""
    kind = rng.choice(sorted(KINDS))
    return KINDS[kind](content, rng), str(kind)


def flipped(content, rng):
    """Change some bits."""
    damaged = bytearray(content)
    for _ in range(rng.integers(1, 9)):
        damaged[rng.integers(len(damaged))] ^= 1 << rng.integers(8)
    return bytes(damaged)


def truncated(content, rng):
    """Cut the end off, or the beginning."""
    cut = int(rng.integers(len(content)))
    return content[:cut] if rng.random() < 0.8 else content[cut:]


def token(content, rng):
    """Put something else in the place of a number or a word."""
    at = int(rng.integers(len(content)))
    end = at + int(rng.integers(1, 20))
    return content[:at] + TOKENS[rng.integers(len(TOKENS))] + content[end:]


def spliced(content, rng):
    """Repeat, move or leave out a stretch."""
    a, b, c = sorted(int(i) for i in rng.integers(len(content), size=3))
    choices = [content[:b] + content[a:], content[:a] + content[b:],
               content[:a] + content[b:c] + content[a:b] + content[c:]]  # fmt: skip
    return choices[rng.integers(3)]


def nested(content, rng):
    """Put a value far inside lists or objects."""
    depth = int(rng.choice([10, 900, 5000, 100_000]))
    opening, closing = (b"[", b"]") if rng.random() < 0.5 else (b'{"a":', b"}")
    deep = opening * depth + b"0" + closing * depth
    at = content.find(b":", int(rng.integers(len(content) // 2))) + 1
    return content[:at] + deep + b"," + content[at:] if rng.random() < 0.5 else deep


def replaced(content, rng):
    """Put junk in the place of a part, of any depth."""
    document = json.loads(content)
    place, key = _place(document, rng)
    place[key] = JUNK[rng.integers(len(JUNK))]
    return json.dumps(document).encode()


def removed(content, rng):
    """Take a part out."""
    document = json.loads(content)
    place, key = _place(document, rng)
    del place[key]
    return json.dumps(document).encode()


def added(content, rng):
    """Add a part where none belongs, or a second of a list."""
    document = json.loads(content)
    place, key = _place(document, rng)
    if isinstance(place, list):
        place.insert(key, place[key] if rng.random() < 0.5 else JUNK[rng.integers(len(JUNK))])
    else:
        place[f"{key} "] = place[key]
    return json.dumps(document).encode()


def swapped(content, rng):
    """Exchange two parts."""
    document = json.loads(content)
    (one, i), (other, j) = _place(document, rng), _place(document, rng)
    one[i], other[j] = json.loads(json.dumps(other[j])), json.loads(json.dumps(one[i]))
    return json.dumps(document).encode()


def numbers(content, rng):
    """Change a number by much."""
    document = json.loads(content)
    for _ in range(50):
        place, key = _place(document, rng)
        if type(place[key]) in (int, float):
            factor = float(rng.choice([-1, 0, 1e-300, 1e10, 1e38, 1e300]))
            place[key] = place[key] * factor
            break
    return json.dumps(document).encode()


KINDS = {
    "bits flipped": flipped,
    "truncated": truncated,
    "another token": token,
    "stretch moved": spliced,
    "nested deeply": nested,
    "part replaced": replaced,
    "part removed": removed,
    "part added": added,
    "parts exchanged": swapped,
    "number changed": numbers,
}


def _place(document, rng):
    """Choose a part at random: where it stands, and its key; shallow ones as often as deep ones."""
    place, key = document, sorted(document)[rng.integers(len(document))]
    while isinstance(place[key], dict | list) and place[key] and rng.random() < 0.75:
        place = place[key]
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = keys[rng.integers(len(keys))]
    return place, key
