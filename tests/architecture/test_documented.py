"""The documentation cannot lag: settings, limits, error codes, commands and links are checked against the code."""

import importlib.util
import re
from pathlib import Path

import msgspec
import pytest

from jiqi import cli, config
from jiqi.domain.kernels import Reason

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = (ROOT / "docs" / "settings.md").read_text()
PAGES = [
    "README.md",
    "README.en.md",
    "CONTRIBUTING.md",
    *(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md")),
]


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "infra" / "dev" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_error_code_is_listed_with_its_words(reference):
    assert (ROOT / "docs" / "errors.md").read_text() == reference.errors(), "make reference"


def test_every_limit_is_listed_with_its_figure(reference):
    assert (ROOT / "docs" / "limits.md").read_text() == reference.limits_table(), "make reference"


@pytest.mark.parametrize("field", msgspec.structs.fields(config.Settings), ids=lambda field: field.name)
def test_every_setting_is_documented_with_its_default(field):
    row = next(
        (line for line in SETTINGS.splitlines() if line.startswith(f"| `JIQI_{field.name.upper()}` |")), None
    )
    assert row is not None, field.name
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == 4
    assert all(cells)
    if isinstance(field.default, bool):
        assert f"`{str(field.default).lower()}`" in cells[1]
    elif isinstance(field.default, str | int) and field.name not in {
        "internal_port",
        "node",
        "kernel_uid",
        "kernel_gid",
    }:
        assert f"`{field.default}`" in cells[1]


def test_no_setting_is_documented_that_does_not_exist():
    named = set(re.findall(r"^\| `JIQI_(\w+)` \|", SETTINGS, re.MULTILINE))
    assert named <= {field.name.upper() for field in msgspec.structs.fields(config.Settings)} | {"LANG"}


def test_the_default_pool_is_the_documented_one():
    settings = config.load({"JIQI_STATE": "/nonexistent"})
    written = ",".join(f"{key}={count}" for key, count in settings.pool.items())
    assert f"`{written}`" in SETTINGS


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page):
    text = (ROOT / page).read_text()
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        # The lead's pages and pictures come with the same change; a link to a host is not ours to follow.
        if "://" not in target:
            assert ((ROOT / page).parent / target).exists(), target


@pytest.mark.parametrize("page", ["architecture", "security", "operations", "clients"])
def test_every_chinese_page_has_an_english_one_with_the_same_headings(page):
    chinese = (ROOT / "docs" / f"{page}.md").read_text()
    english = (ROOT / "docs" / "en" / f"{page}.md").read_text()
    assert len(re.findall(r"^#+ ", chinese, re.MULTILINE)) == len(re.findall(r"^#+ ", english, re.MULTILINE))


def test_make_commands_that_pages_name_exist():
    makefiles = (ROOT / "Makefile").read_text() + (ROOT / "tests" / "bench" / "bench.mk").read_text()
    targets = set(re.findall(r"^([a-z][a-z0-9-]*):", makefiles, re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"`make ([a-z][a-z0-9-]*)", (ROOT / page).read_text()))
        named |= set(re.findall(r"^make ([a-z][a-z0-9-]*)", (ROOT / page).read_text(), re.MULTILINE))
        assert named <= targets | {"bench-…"}, page


def test_every_command_has_help_in_both_languages():
    def walk(command):
        yield command
        for child in getattr(command, "commands", {}).values():
            yield from walk(child)

    for command in walk(cli.main):
        if not command.hidden:
            assert re.search(r"[一-鿿]", command.help or ""), command.name
            assert re.search(r"[A-Za-z]{3}", command.help or ""), command.name


@pytest.mark.parametrize("language", ["zh-CN", "en"])
@pytest.mark.parametrize("reason", list(Reason))
def test_the_studio_page_has_words_for_every_end(reason: Reason, language: str) -> None:
    """A reason without words would leave the banner of a dead kernel empty."""
    words = (ROOT / "frontend" / "src" / "i18n" / f"studio.{language}.ts").read_text()
    assert f"'reason.{reason.value}'" in words
