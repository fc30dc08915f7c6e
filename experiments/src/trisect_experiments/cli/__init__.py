"""Commands for running a study: options, the plan, progress, and the report."""
