# 即启 Jiqi：全部命令见 make help (all commands: make help)
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BOOT = $(PYTHON) infra/dev/bootstrap.py
PY = .venv/bin/python
ARGS ?=
CONFIRM ?=
export CONFIRM
ifdef PORT
export JIQI_PORT = $(PORT)
endif

.PHONY: help run stop doctor admin-link prepare images kernel-env test test-env test-fast check lock format reference clean
help: ## 列出全部命令 (list every command)
	@awk 'BEGIN {FS = ":.*## "} /^[a-z][a-zA-Z0-9_-]*:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## 启动；第一次会先下载和构建。换端口：make run PORT=9000 (start; another port: PORT=9000)
	@$(BOOT) run
stop: ## 停止全部进程和内核 (stop everything, kernels too)
	@$(BOOT) stop
doctor: ## 检查本机缺什么、怎么补 (what is missing here and how to mend it)
	@$(BOOT) doctor $(ARGS)
admin-link: ## 生成一次性的管理员链接 (a one-time administrator's link)
	@$(PY) -m jiqi admin link
prepare: ## 只准备，不启动 (prepare without starting)
	@$(BOOT) prepare
images: ## 构建内核镜像 torch-cpu 与 paddle-cpu (build the kernel images)
	@$(BOOT) images $(ARGS)
kernel-env: ## 构建不用 Docker 时的内核环境 (the kernel environment without Docker)
	@$(BOOT) environment

test: ## 准备一切并运行全部测试 (all set-up, every suite)
	@$(BOOT) test $(ARGS)
test-fast: ## 不用 Docker 和浏览器的测试 (tests without Docker or a browser)
	@$(BOOT) test --fast $(ARGS)
test-env: ## 准备测试环境，不运行 (prepare for tests and benches)
	@$(BOOT) test --env
check: ## 格式、类型、分层、接口描述 (lint, types, layers, generated files)
	@$(BOOT) check
format: ## 整理代码格式 (format the code)
	@$(PY) -m ruff format platform kernels/runtime infra tests && $(PY) -m ruff check --fix platform kernels/runtime infra tests
lock: ## 重新解析依赖并写锁文件 (resolve again and write the lock files)
	@$(PYTHON) infra/dev/lock.py $(ARGS)
reference: ## 由代码更新 docs/errors.md 与 docs/limits.md (write both from the code)
	@$(PY) infra/dev/reference.py
clean: ## 删除构建产物；连用户数据：CONFIRM=delete-data (remove build products)
	@$(BOOT) clean

-include tests/bench/bench.mk
