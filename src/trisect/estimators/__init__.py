"""Scikit-learn estimators: each validates, calls growth or training, and keeps plain results."""
