"""The small pages that need no built frontend: opening (准备中) and problems."""

from pathlib import Path
from typing import Any, Final

from tornado import template

from jiqi.domain.tutorials import Lesson
from jiqi.web.built_pages import inline_json
from jiqi.web.language import CHINESE, ENGLISH
from jiqi.web.messages import headline, text
from jiqi.web.schemas import Problem

_FOLDER = Path(__file__).parent / "templates"
_LOADER = template.Loader(str(_FOLDER))
_STYLE: Final = (_FOLDER / "base.css").read_text("utf-8")
_SCRIPT: Final = (_FOLDER / "opening.js").read_text("utf-8")
_WORDS: Final = {
    CHINESE: {
        "busy": "准备中：正在复制文件、启动运行环境…",
        "again": "再试一次",
        "home": "回到首页",
        "noscript": "打开这一页需要浏览器的 JavaScript。你的文件不受影响；请在浏览器设置里允许它，然后刷新。",
        "offline": "没有连上服务器。你的文件不受影响；请检查网络后再试。",
        "cookies": "浏览器没有保存 Cookie，无法认出你。你的文件不受影响；请允许本站的 Cookie，然后刷新。",
        "entering": "正在打开",
    },
    ENGLISH: {
        "busy": "Preparing: copying files, starting the environment…",
        "again": "Try again",
        "home": "Home",
        "noscript": "This page needs JavaScript. Your files are untouched; allow it in the browser's settings, then reload.",
        "offline": "The server cannot be reached. Your files are untouched; check the network and try again.",
        "cookies": "The browser keeps no cookies, so we cannot recognise you. Your files are untouched; allow cookies"
        " for this site, then reload.",
        "entering": "Opening",
    },
}


def lesson_page(lesson: Lesson, *, language: str, nonce: str, url: str, image: str) -> str:
    """Return the page of `/open/<lesson>`, whose script opens it. Link previews are in Chinese."""
    share = {"title": lesson.title["zh"], "description": lesson.summary["zh"], "url": url, "image": image}
    return _opening(
        language=language,
        nonce=nonce,
        title=lesson.text(lesson.title, language=language),
        summary=lesson.text(lesson.summary, language=language),
        share=share,
        request={"url": "/api/v1/open", "body": {"lesson": lesson.id, "lang": language}},
    )


def entering_page(*, language: str, nonce: str, body: dict[str, str], login: str) -> str:
    """Return the page that goes to the notebook's origin: for addresses that were kept or sent by somebody."""
    return _opening(
        language=language,
        nonce=nonce,
        title=body.get("path", "").rpartition("/")[2] or _WORDS[language]["entering"],
        summary="",
        share=None,
        request={"url": "/api/v1/enter", "body": body, "login": login},
    )


def problem_page(problem: Problem, *, nonce: str, language: str, home: str) -> str:
    """Return a problem as a page: the reader's language first, the other one below."""
    other_language = CHINESE if language == ENGLISH else ENGLISH
    words = {**problem.params, "request_id": problem.request_id}
    rest = problem.detail[len(headline(problem.detail)) :].lstrip("。；.; ")
    return _render(
        "problem.html",
        language=language,
        nonce=nonce,
        problem=problem,
        rest=rest[:1].upper() + rest[1:],
        other=text(problem.code, words, language=other_language),
        other_language=other_language,
        home=home,
        home_word=_WORDS[language]["home"],
    )


def _opening(
    *,
    language: str,
    nonce: str,
    title: str,
    summary: str,
    share: dict[str, str] | None,
    request: dict[str, Any],
) -> str:
    words = _WORDS[language]
    return _render(
        "opening.html",
        language=language,
        nonce=nonce,
        title=title,
        summary=summary,
        share=share,
        words=words,
        data=inline_json({**request, "words": words}),
        script=_SCRIPT,
    )


def _render(name: str, **values: Any) -> str:
    return _LOADER.load(name).generate(style=_STYLE, **values).decode()
