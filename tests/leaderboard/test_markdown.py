from __future__ import annotations

from leaderboard.markdown import render

PAGES = {"protocol.md": "docs/protocol.html", "games/sbam.md": "docs/games/sbam.html", "rules/sbam.md": "game.html"}


def test_raw_html_is_text() -> None:
    made = render("<script>alert(1)</script> <b>x</b>", "protocol.md", PAGES, "docs/protocol.html")
    assert "<script" not in made
    assert "<b>" not in made


def test_a_script_is_no_link() -> None:
    assert "<a" not in render("[x](javascript:alert(1))", "protocol.md", PAGES, "docs/protocol.html")


def test_links_between_pages_lead_to_pages_of_the_site() -> None:
    made = render("[p](../protocol.md#faults) [r](../rules/sbam.md)", "games/sbam.md", PAGES, "docs/games/sbam.html")
    assert 'href="../protocol.html"' in made
    assert 'href="../../game.html"' in made


def test_a_link_to_what_the_site_does_not_carry_is_plain_text() -> None:
    made = render("[code](../referee/game.py) [gone](#nowhere)", "protocol.md", PAGES, "docs/protocol.html")
    assert "<a" not in made
    assert "code" in made


def test_headings_have_ids_that_links_find() -> None:
    made = render(
        "# T\n\n## Late lines\n\n## Late lines\n\n[x](#late-lines)", "protocol.md", PAGES, "docs/protocol.html"
    )
    assert '<h2 id="s-late-lines">' in made
    assert '<h2 id="s-late-lines-1">' in made
    assert 'href="#s-late-lines"' in made


def test_an_embedded_page_loses_its_title_and_goes_a_level_down() -> None:
    made = render("# Title\n\n## Part\n", "rules/sbam.md", PAGES, "game.html", embedded=True)
    assert "Title" not in made
    assert "<h3" in made


def test_nothing_is_styled_in_place_and_no_image_is_asked_for() -> None:
    made = render("![alt](x.png)\n\n| a |\n| ---: |\n| 1 |\n", "protocol.md", PAGES, "docs/protocol.html")
    assert "style=" not in made
    assert "<img" not in made
    assert "alt" in made
    assert '<td class="num">1</td>' in made
