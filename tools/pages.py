"""What the written pages of docs/ are made of: tables, and parts between two marks of a page kept by hand."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, without the last line's end."""
    lines = [head, ["---"] * len(head), *rows]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def between(page: str, begin: str, end: str, part: str) -> str:
    """A page with `part` between its marks; ValueError where it has none."""
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no marks {begin} and {end}")
    return f"{before}{begin}\n\n{part}\n\n{end}{after}"
