"""Names of projects become folders that every file system takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiqi.domain.errors import BadInputError
from jiqi.domain.files import parse_path
from jiqi.domain.ids import UserId, is_id, random_id
from jiqi.domain.projects import check_project_name, file_title, free_folder, id_of_key


@given(title=st.text(max_size=200))
def test_a_title_becomes_one_visible_name(title: str) -> None:
    name = file_title(title.encode("utf-8", "ignore").decode())
    assert parse_path(name) == (name,)
    assert not name.startswith(".")
    assert not name.endswith((" ", "."))
    assert len(name.encode()) <= 120
    assert not set(name) & set('<>:"/\\|?*\0\n')


@given(name=st.text(max_size=80))
def test_an_accepted_project_name_has_a_folder(name: str) -> None:
    try:
        shown = check_project_name(name)
    except BadInputError:
        return
    assert check_project_name(shown) == shown
    assert parse_path(file_title(shown))


@given(taken=st.frozensets(st.sampled_from(["课", "课-2", "课-3", "A", "a-2"]), max_size=5))
def test_a_free_folder_is_free_without_regard_to_case(taken: frozenset[str]) -> None:
    for name in ("课", "a"):
        found = free_folder(name, taken=taken)
        assert found.casefold() not in {folder.casefold() for folder in taken}
        assert found.startswith(name)


def test_lesson_titles_stay_as_they_are_where_they_can() -> None:
    assert file_title("自动求导与梯度下降：估算快递运费") == "自动求导与梯度下降：估算快递运费"
    assert file_title("what does a parcel cost?") == "what does a parcel cost"
    assert file_title("...") == "project"


@given(key=st.text(max_size=64).filter(lambda t: t.encode("utf-8", "ignore").decode() == t))
def test_a_key_of_a_page_is_the_same_project_for_the_same_person_only(key: str) -> None:
    one, other = UserId(random_id()), UserId(random_id())
    assert id_of_key(one, key) == id_of_key(one, key)
    assert id_of_key(one, key) != id_of_key(other, key)
    assert is_id(id_of_key(one, key))


def test_an_id_is_made_of_letters_that_look_like_nothing_else() -> None:
    ids = {random_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(is_id(found) for found in ids)
    for wrong in ("", "short", "UPPERCASE2345", "abcdefgh0000", "a" * 27, "abcdefgh2345\n", "../../../etc"):
        assert not is_id(wrong)
    with pytest.raises(BadInputError):
        check_project_name("\ud800")
