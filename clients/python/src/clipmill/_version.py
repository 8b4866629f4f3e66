"""The version of this package, which is that of the matching service."""

__version__ = "0.1.0"
