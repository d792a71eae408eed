"""The peak memory of a process, asked by itself: `getrusage` begins with that of the process that started it."""

from typing import Final

PEAK: Final = (
    r'int(__import__("re").search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) * 1024 / 1e6'
)
"""An expression of its resident memory at the peak, in MB."""
