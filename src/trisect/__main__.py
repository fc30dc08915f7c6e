"""Let ``python -m trisect`` be the command."""

import sys

from trisect.cli import main

sys.exit(main())
