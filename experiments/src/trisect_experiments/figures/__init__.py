"""The figures: ROC panels, costs, accuracy and thresholds over levels, and ranks.

Each function takes results, returns a matplotlib figure and changes no global setting;
`panels.save_figure` writes it as SVG and PNG.
"""
