"""Let ``python -m trisect.cli`` be the command."""

import sys

from trisect.cli import main

sys.exit(main())
