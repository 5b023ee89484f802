"""`harness image`: the container images that bots are built and run in."""

from __future__ import annotations

import click


@click.group()
def image() -> None:
    """Make the container images that bots are built and run in."""


@image.command(short_help="Make the bot image.")
@click.option("--small", is_flag=True, help="Python and C alone, made in a minute; the full image has six languages.")
@click.option("--base", default="", metavar="IMAGE", help="A Debian image to start from; else the recipe's own.")
@click.option("--quiet", "-q", is_flag=True, help="Print only the names of the images.")
def build(small: bool, base: str, quiet: bool) -> None:
    """Make the bot image, once for running bots and once, with compilers, for building them.

    Packages come from the base's own sources, over the network of this machine. Where no registry is reached, bring a
    base of your own: `debootstrap --variant=minbase bookworm base && tar -C base -c . | docker import - mybase`.
    """
    from sandbox.engine import Engine
    from sandbox.image import make

    engine = Engine()
    try:
        kind = "small" if small else "full"
        for tag in make(engine, kind, base, lambda line: None if quiet else click.echo(line, err=True)):
            click.echo(tag)
    finally:
        engine.close()
