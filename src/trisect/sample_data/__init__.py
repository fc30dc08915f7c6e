"""A table to begin with: clients with credit cards, as somebody's csv file would have them."""

import lzma
from importlib.resources import files

__all__ = ["CREDIT", "credit_csv"]

CREDIT = (
    "Default of Credit Card Clients, by I-Cheng Yeh, UCI Machine Learning Repository, 2009, "
    "https://doi.org/10.24432/C55S3H, licensed under CC BY 4.0. Changed: 3,000 of 30,000 clients, "
    "codes spelled out as words, undocumented codes and one age in seventeen left empty."
)
"""Where the credit cards come from, under which licence, and what was changed."""


def credit_csv() -> bytes:
    r"""Return the file of 3,000 clients in Taiwan in 2005, and whether they pay next month.

    Examples
    --------
    >>> credit_csv().split(b"\n", 1)[0][:36]
    b'client,limit,sex,education,marriage,'
    """
    return lzma.decompress(files(__package__).joinpath("credit.csv.xz").read_bytes())
