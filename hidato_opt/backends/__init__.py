"""Backends: a `Model` of arrays goes in, a raw result comes out.

The only package that imports solvers, each in its own module and only when
it is used.
"""
