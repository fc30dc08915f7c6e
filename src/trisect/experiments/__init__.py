"""The paper's experiments: datasets, protocol, models, runner, store, tables and figures.

Nothing here is needed to fit a model. It is the part of the library that answers the paper's
research questions on real data, and that lets anybody run them again. Import what you need from
the modules; the dependencies come with the ``experiments`` extra.
"""
