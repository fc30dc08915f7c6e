"""The command on a real Dask cluster."""

import pytest

RUN = ("reproduce", "static", "--quick", "--models", "stwd-sfnn-refined", "m2", "--datasets", "xor")


@pytest.mark.slow
# distributed warns about its own threads when a cluster goes down
@pytest.mark.filterwarnings("ignore")
def test_a_run_on_a_cluster_and_a_report_without_it(cluster, command):
    code, output, errors = command(*RUN, "--dask", cluster)
    assert code == 0, errors
    assert (
        f"Dask at {cluster}, 2 cores" in output.replace("\n", " ") and "Computed 4 fits" in output
    )
    code, _, errors = command(*RUN, "--report-only", "--dask", "tcp://127.0.0.1:9")
    assert code == 0, errors
