# The benches: each prints one JSON object as its last line and exits 0.
BENCH = $(PY) -m

.PHONY: bench bench-click bench-peers bench-page bench-web bench-restart
bench: bench-click bench-restart bench-web bench-page bench-peers ## 依次运行全部性能测量 (all benches)
bench-click: test-env images ## 点击到第一个输出 (click to first output)
	$(BENCH) tests.bench.bench_click
bench-restart: test-env images ## 重启内核并重新加载 torch (restart with torch)
	$(BENCH) tests.bench.bench_restart
bench-peers: test-env images ## 与 JupyterHub 同机交替对比 (against JupyterHub)
	$(BENCH) tests.bench.bench_peers
bench-page: test-env images ## 页面可编辑时间，与 JupyterLab 对比 (page against JupyterLab)
	$(BENCH) tests.bench.bench_page
bench-web: test-env images ## 100 个新用户与超大输出 (100 new users, huge outputs)
	$(BENCH) tests.bench.bench_web
