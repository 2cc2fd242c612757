"""One user's application, in our handlers and in jupyter_server's own."""

import pytest
from tests.api.contents.contents_server import running, services_for

from jiqi.web.jupyter.contents_worker import ParsingPool
from jiqi.web.pool import Pool


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def pool():
    pool = Pool(threads=4)
    yield pool
    pool.close()


@pytest.fixture
def parsing(pool):
    parsing = ParsingPool(run_in_pool=pool.run)
    yield parsing
    parsing.close()


@pytest.fixture(params=["ours", "stock"])
async def app(request, tmp_path, pool, parsing):
    services = services_for(tmp_path / "u1", parsing=parsing, pool=pool)
    async with running(services, stock=request.param == "stock") as app:
        yield app


@pytest.fixture
async def ours(tmp_path, pool, parsing):
    async with running(services_for(tmp_path / "u1", parsing=parsing, pool=pool)) as app:
        yield app
