"""The archive's own formats, served over HTTP from this machine to itself."""

import io
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from trisect_experiments.datasets import DatasetUnavailableError, load_dataset
from trisect_experiments.datasets.uci import RECIPES


def zipped(files: dict[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def credit_card_sheet() -> bytes:
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    for j in range(25):
        sheet.write(0, j, "Y" if j == 24 else f"X{j}" if j else "")
        sheet.write(1, j, ["ID", "LIMIT_BAL", *[f"c{i}" for i in range(2, 24)], "default"][j])
        sheet.write(2, j, [1, 20000, *range(2, 24), 1][j])
        sheet.write(3, j, [2, 90000, *range(22), 0][j])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


BANK = '"age";"job";"duration";"y"\n56;"housemaid";261;"no"\n30;"admin.";10;"yes"\n'
SENSOR = '"date","Temperature","Humidity","Occupancy"\n'
COHORT = "d/s41598-020-73558-3_sepsis_survival_{}_cohort.csv"
RECORDS = "age_years,sex_0male_1female,episode_number,hospital_outcome_1alive_0dead\n"

# What the archive serves, the features and the labels that must come out.
SERVED = {
    "ONP": (
        {"OnlineNewsPopularity/OnlineNewsPopularity.csv": "url, timedelta, n_tokens_title, shares\n"
         "http://a/, 731, 12, 593\nhttp://b/, 731, 9, 10000\n"},
        [[12], [9]], [0, 1],
    ),
    "QSAR": ({"qsar_oral_toxicity.csv": "0;1;negative\n1;1;positive\n"}, [[0, 1], [1, 1]], [0, 1]),
    "OSP": (
        {"online_shoppers_intention.csv": "Administrative,Month,VisitorType,Weekend,Revenue\n"
         "0,Feb,Returning_Visitor,FALSE,FALSE\n3,Aug,New_Visitor,TRUE,TRUE\n"},
        [[0, 2, 2, 1], [3, 1, 1, 2]], [0, 1],
    ),
    "EGSS": (
        {"Data_for_UCI_named.csv": '"tau1","stab","stabf"\n'
         '2.9,0.05,"unstable"\n9.3,-0.01,"stable"\n'},
        [[2.9, 0.05], [9.3, -0.01]], [1, 0],
    ),
    "SE": ({"Skin_NonSkin.txt": "74\t85\t12\t1\n1\t2\t3\t2\n"}, [[74, 85, 12], [1, 2, 3]], [0, 1]),
    "HTRU": ({"HTRU_2.csv": "140.5,55.6,0\n99.3,41.5,1\n"}, [[140.5, 55.6], [99.3, 41.5]], [0, 1]),
    "DCC": (
        {"default of credit card clients.xls": credit_card_sheet},
        [[20000, *range(2, 24)], [90000, *range(22)]], [1, 0],
    ),
    "ESR": (
        {"data.csv": '"","X1","X2","y"\n"X21.V1.791",135,190,4\n"X15.V1.924",386,382,1\n'},
        [[135, 190], [386, 382]], [0, 1],
    ),
    "BM": (
        {"bank.zip": zipped({"bank-full.csv": "a;y\n1;no\n"}),
         "bank-additional.zip": zipped({
             "__MACOSX/bank-additional/._bank-additional-full.csv": b"\x00\x05\x16",
             "bank-additional/bank-additional-full.csv": BANK})},
        [[56, 261, 2], [30, 10, 1]], [0, 1],
    ),
    "PCB": (
        {"data.zip": zipped({"3year.arff": "@relation pl\n@attribute Attr1 numeric\n"
         "@attribute Attr2 numeric\n@attribute class {0,1}\n@data\n0.5,?,0\n1.5,2.5,1\n"})},
        [[0.5, np.nan], [1.5, 2.5]], [0, 1],
    ),
    "SB": (
        {"Shill Bidding Dataset.csv": "Record_ID,Auction_ID,Bidder_ID,Ratio,Class\n"
         "1,7,a***b,0.4,0\n"},
        [[0.4]], [0],
    ),
    "EOL": (
        {"ObesityDataSet_raw_and_data_sinthetic.csv": "Gender,Age,CAEC,NObeyesdad\n"
         "Female,21,no,Normal_Weight\nMale,23,Sometimes,Obesity_Type_I\n"},
        [[1, 21, 2], [2, 23, 1]], [1, 0],
    ),
    "OD": (
        {"datatraining.txt": SENSOR + '"1","2015-02-04 17:51:00",23.18,27.272,1\n',
         "datatest.txt": SENSOR + '"140","2015-02-02 14:19:00",23.7,26.272,1\n',
         "datatest2.txt": SENSOR + '"1","2015-02-11 14:48:00",21.76,31.1,0\n'},
        [[23.7, 26.272], [21.76, 31.1], [23.18, 27.272]], [1, 0, 1],
    ),
    "ROE": (
        {"Occupancy_Estimation.csv": "Date,Time,S1_Temp,Room_Occupancy_Count\n"
         "2017/12/22,10:49:41,24.94,3\n2017/12/22,10:50:12,24.9,0\n"},
        [[24.94], [24.9]], [1, 0],
    ),
    "SSMCR": (
        {"s41598-020-73558-3_sepsis_survival_dataset.zip": zipped({
            COHORT.format("study"): RECORDS + "7,1,1,1\n",
            COHORT.format("primary"): RECORDS + "21,1,1,1\n80,0,2,0\n"})},
        [[21, 1, 1], [80, 0, 2]], [1, 0],
    ),
}  # fmt: skip


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        self.server.requests_seen.append(self.path)


@pytest.fixture
def archive(tmp_path, no_data_dir):
    """A mirror of the archive; yields its address, its folder and the requests it saw."""
    folder = tmp_path / "served"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    server.requests_seen = []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", folder, server.requests_seen
    server.shutdown()
    server.server_close()
    thread.join()


def publish(folder, name):
    recipe, files = RECIPES[name], SERVED[name][0]
    content = {file: body() if callable(body) else body for file, body in files.items()}
    path = folder / str(recipe.uci_id) / f"{recipe.slug}.zip"
    path.parent.mkdir()
    path.write_bytes(zipped(content))
    return path


@pytest.mark.parametrize("name", SERVED)
def test_the_archives_own_format(name, archive, tmp_path):
    url, folder, _ = archive
    publish(folder, name)
    data = load_dataset(name, archive_url=url, cache_dir=tmp_path / "cache", check=False)
    np.testing.assert_array_equal(data.X, SERVED[name][1])
    assert data.y.tolist() == SERVED[name][2]
    assert data.source.startswith(url)


def test_a_short_file_is_refused(archive, tmp_path):
    url, folder, _ = archive
    publish(folder, "SB")
    with pytest.raises(ValueError, match=r"expected 6321 rows x 9 .* found 1 x 1 with 1 / 0"):
        load_dataset("SB", archive_url=url, cache_dir=tmp_path / "cache")


def test_downloaded_once_then_verified(archive, tmp_path, capsys):
    url, folder, requests_seen = archive
    publish(folder, "HTRU")
    load = partial(load_dataset, "HTRU", archive_url=url, cache_dir=tmp_path / "c", check=False)
    load()
    load()
    assert len(requests_seen) == 1
    (tmp_path / "c" / "htru2.zip").write_bytes(b"cut short")
    with pytest.raises(ValueError, match=r"htru2\.zip has checksum .* Delete it"):
        load()


def test_offline_says_what_to_do(tmp_path, no_data_dir):
    with pytest.raises(DatasetUnavailableError, match=r"--data-dir.*TRISECT_DATA") as caught:
        # Port 9 of this machine is closed: nothing leaves it.
        load_dataset("EOL", archive_url="http://127.0.0.1:9", cache_dir=tmp_path)
    assert "http://127.0.0.1:9/544/" in str(caught.value)
    assert not list(tmp_path.glob("*.zip*"))


def test_another_layout_says_what_is_there(archive, tmp_path):
    url, folder, _ = archive
    path = folder / "864" / "room+occupancy+estimation.zip"
    path.parent.mkdir()
    path.write_bytes(zipped({"readme.txt": "moved"}))
    with pytest.raises(ValueError, match=r"lacks Occupancy_Estimation\.csv; it holds readme\.txt"):
        load_dataset("ROE", archive_url=url, cache_dir=tmp_path / "c")
