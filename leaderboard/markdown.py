"""Documentation pages as HTML: Markdown without raw HTML, without images, with links that lead to pages of the site."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from posixpath import dirname, join, normpath, relpath
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_ID_PREFIX: Final = "s-"
"""Before every heading's id, so that none equals an id of the page around it."""


def render(text: str, source: str, pages: Mapping[str, str], here: str, *, embedded: bool = False) -> Markup:
    """The document as HTML for the page `here`; `pages` leads from documents' sources to their pages in the site.

    A link to a document that the site does not carry becomes plain text. An embedded document loses its title, and its
    headings go one level down.
    """
    tokens = _PARSER.parse(text)
    if embedded:
        tokens = _without_title(tokens)
    ids: set[str] = set()
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _fresh(_anchor(tokens[index + 1].content), ids))
            if embedded:
                token.tag = tokens[index + 2].tag = f"h{min(6, int(token.tag[1]) + 1)}"
        elif token.type == "th_open" or token.type == "td_open":
            _align(token)
    for token in tokens:
        if token.children:
            token.children = _relinked(token.children, source, pages, here, ids)
    return Markup(_wrapped(_PARSER.renderer.render(tokens, _PARSER.options, {})))  # noqa: S704 - made without raw HTML


def _without_title(tokens: Sequence[Token]) -> list[Token]:
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return list(tokens[3:])
    return list(tokens)


def _anchor(heading: str) -> str:
    """The id that GitHub gives to a heading, with our prefix."""
    plain = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return _ID_PREFIX + plain.replace(" ", "-")


def _fresh(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 0
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    taken.add(name)
    return name


def _align(cell: Token) -> None:
    """A column's alignment as a class: the site's policy forbids style attributes."""
    if "right" in str(cell.attrs.pop("style", "")):
        cell.attrSet("class", "num")


def _relinked(
    children: Sequence[Token], source: str, pages: Mapping[str, str], here: str, ids: set[str]
) -> list[Token]:
    kept: list[Token] = []
    dropped = 0
    for token in children:
        if token.type == "image":
            kept.append(Token("text", "", 0, content=token.content))
        elif token.type == "link_open":
            target = _target(str(token.attrGet("href")), source, pages, here, ids)
            if target is None:
                dropped += 1
                continue
            token.attrSet("href", target)
            kept.append(token)
        elif token.type == "link_close" and dropped:
            dropped -= 1
        else:
            kept.append(token)
    return kept


def _target(href: str, source: str, pages: Mapping[str, str], here: str, ids: set[str]) -> str | None:
    """Where a link leads from the page `here`; None when the site has no such page."""
    if re.match(r"(https?|mailto):", href):
        return href
    path, _, fragment = href.partition("#")
    if not path:
        return f"#{_ID_PREFIX}{fragment}" if _ID_PREFIX + fragment in ids else None
    page = pages.get(normpath(join(dirname(source), path)))
    return None if page is None else relpath(page, dirname(here) or ".")


def _wrapped(html: str) -> str:
    """Wide tables and listings scroll for themselves, by keyboard as well."""
    framed = html.replace("<table>", '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>')
    return framed.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
