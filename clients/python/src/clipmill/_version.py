"""The version of this package, which is that of the service it was made with."""

__version__ = "0.1.0"
