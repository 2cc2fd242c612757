"""Jiqi's kernel runtime: one preloaded process from which ready Jupyter kernels are forked."""
