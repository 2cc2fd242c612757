"""Names, passwords and tries: what an account may be called and how guesses are slowed down."""

import unicodedata
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiqi.domain.accounts import (
    LoginThrottledError,
    PasswordWeakError,
    Role,
    check_name,
    check_password,
    name_key,
)
from jiqi.domain.errors import BadInputError
from jiqi.domain.limits import LIMITS
from jiqi.domain.throttle import TRIES, WINDOW, Failures, admit_try

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@given(text=st.text(max_size=60))
def test_an_accepted_name_is_printable_short_and_stays_itself(text: str) -> None:
    try:
        name = check_name(text)
    except BadInputError:
        return
    assert check_name(name) == name
    assert 0 < len(name) <= 40
    assert name == unicodedata.normalize("NFC", name).strip()
    assert len(name_key(name)) <= 160
    name.encode()


@pytest.mark.parametrize("pair", [("Alice", "ａｌｉｃｅ"), ("ALICE", "alice"), ("ß", "SS"), ("é", "e\u0301")])
def test_names_that_look_alike_are_one(pair: tuple[str, str]) -> None:
    first, second = (name_key(check_name(name)) for name in pair)
    assert first == second


@pytest.mark.parametrize("name", ["", " ", "\u200b", "a\u202eb", "a\tb", "\ufeffa", "\ud800", "ﷺ" * 10])
def test_names_that_deceive_or_break_are_refused(name: str) -> None:
    with pytest.raises(BadInputError):
        check_name(name)


@pytest.mark.parametrize("password", ["", "1234567", "12345678", "PASSWORD", "x" * 201])
def test_weak_passwords_are_refused(password: str) -> None:
    with pytest.raises(PasswordWeakError):
        check_password(password)


def test_ten_tries_are_admitted_and_the_eleventh_waits_fifteen_minutes_from_the_tenth() -> None:
    failures: Failures | None = None
    for number in range(TRIES):
        failures = admit_try(failures, key="k", now=NOW + timedelta(seconds=number))
    assert failures is not None
    last = NOW + timedelta(seconds=TRIES - 1)
    with pytest.raises(LoginThrottledError) as refused:
        admit_try(failures, key="k", now=last)
    assert refused.value.params == {"minutes": 15}
    with pytest.raises(LoginThrottledError) as later:
        admit_try(failures, key="k", now=last + WINDOW - timedelta(seconds=1))
    assert later.value.params == {"minutes": 1}
    assert admit_try(failures, key="k", now=last + WINDOW).count == 1


@given(pauses=st.lists(st.integers(min_value=0, max_value=1200), max_size=80))
def test_no_window_of_fifteen_minutes_admits_more_than_ten_tries_and_nine(pauses: list[int]) -> None:
    """A window that begins near the end of another may see both: never more than 19."""
    failures, now, admitted = None, NOW, []
    for pause in pauses:
        now += timedelta(seconds=pause)
        try:
            failures = admit_try(failures, key="k", now=now)
        except LoginThrottledError:
            continue
        admitted.append(now)
    for moment in admitted:
        assert sum(1 for other in admitted if moment <= other < moment + WINDOW) <= 2 * TRIES - 1


def test_the_shipped_numbers() -> None:
    guest, member = LIMITS[Role.GUEST], LIMITS[Role.MEMBER]
    assert (guest.kernels, member.kernels) == (1, 3)
    assert guest.kernel_session == timedelta(hours=2)
    assert (guest.files_kept, member.files_kept) == (timedelta(days=7), None)
    assert (guest.login, member.login) == (timedelta(days=7), timedelta(days=30))
    assert member.kernel_idle == timedelta(minutes=60)
    assert member.disk == 20 * 1024**3
    assert (guest.egress, member.egress) == (False, True)
