"""The console's words by key: Chinese, English. Keys of problems are stable codes, listed in docs/errors.md."""

# What is said in passing; problems stand below: what happened, what to do.
_SAID: dict[str, tuple[str, str]] = {
    # What `make run` says before the product is up.
    "run.download": (
        "下载大小：{parts}；合计约 {total} MB（以后不再下载）",
        "To download: {parts}; about {total} MB in all (once)",
    ),
    "run.download.nothing": ("没有需要下载的内容", "Nothing to download"),
    "run.part.python": ("Python 包 {mb} MB", "Python packages {mb} MB"),
    "run.part.node": ("Node.js {mb} MB", "Node.js {mb} MB"),
    "run.part.frontend": ("前端依赖 {mb} MB", "frontend packages {mb} MB"),
    "run.part.images": ("内核镜像 {mb} MB", "kernel images {mb} MB"),
    "run.part.environment": ("内核环境 {mb} MB", "kernel environment {mb} MB"),
    "run.early": ("打开 {url} 可以看到进度", "Open {url} to watch the progress"),
    "run.step": ("准备中 {n}/{total} {what}", "Preparing {n}/{total} {what}"),
    "run.step.python": ("安装 Python 包", "Python packages"),
    "run.step.node": ("准备前端工具", "frontend tools"),
    "run.step.frontend": ("构建网页", "building the pages"),
    "run.step.kernels": ("准备内核环境（PyTorch）", "the kernel environment (PyTorch)"),
    "run.step.start": ("启动", "starting"),
    "run.later": (
        "飞桨镜像在后台继续构建，约 {mb} MB（日志 {log}）",
        "The Paddle image goes on building in the background, about {mb} MB (log {log})",
    ),
    "run.without_images": (
        "镜像暂时建不成也能先用：JIQI_HOST=process make run（不隔离，仅限本机）",
        "To go on without images: JIQI_HOST=process make run (not isolated, local use only)",
    ),
    "run.ssh": (
        "从自己的电脑访问：{command}，然后打开上面的地址",
        "From your own computer: {command}, then open the address above",
    ),
    "run.already": (
        "已经在运行：{url}（全部停止：make stop）",
        "Already running: {url} (stop everything: make stop)",
    ),
    "run.preparing": (
        "另一个 make run 正在准备{step}：{url}",
        "Another make run is preparing{step}: {url}",
    ),
    # What `jiqi up` says.
    "up.title": ("即启 {version}", "Jiqi {version}"),
    "up.open": ("打开　　{url}", "Open      {url}"),
    "up.admin": ("管理员　{url}（一次有效，24 小时内）", "Admin     {url} (once, within 24 hours)"),
    "up.isolated": (
        "隔离　　Docker {version}，每个内核一个容器",
        "Isolation Docker {version}, one container a kernel",
    ),
    "up.not_isolated": (
        "隔离　　本机没有 Docker：代码不隔离，仅限本机使用（jiqi doctor 说明如何启用）",
        "Isolation none: no Docker here, code is not isolated, local use only (jiqi doctor says how to enable it)",
    ),
    "up.hint": (
        "停止　　Ctrl-C（内核继续运行）· 全部停止 make stop · 日志 {logs}",
        "Stop      Ctrl-C (kernels run on) · everything: make stop · logs {logs}",
    ),
    "up.crashed": (
        "{name} 意外退出（{code}），{pause} 秒后重新启动。{line}",
        "{name} ended unexpectedly ({code}); started again in {pause} s. {line}",
    ),
    "up.stopping": ("正在停止…", "Stopping…"),
    "up.killed": ("{name} 没有在 10 秒内停止，已强制结束", "{name} did not stop within 10 s and was killed"),
    "up.kernels": ("{n} 个内核仍在运行 · make stop", "{n} kernels are still running · make stop"),
    "up.stopped": ("已停止，没有内核在运行", "Stopped; no kernel is running"),
    # Stopping and cleaning.
    "stop.nothing": ("没有在运行", "Nothing is running"),
    "stop.kernels": ("停止了 {n} 个内核", "{n} kernels stopped"),
    "stop.done": (
        "已全部停止；文件和输出都在 {state}",
        "Everything is stopped; files and outputs are in {state}",
    ),
    "clean.done": ("已删除构建产物：{names}", "Build products removed: {names}"),
    "clean.kept": (
        "用户数据没有动：{state}。要一并删除：make clean CONFIRM=delete-data",
        "User data was left alone: {state}. To remove it too: make clean CONFIRM=delete-data",
    ),
    "clean.data": ("已删除用户数据：{state}", "User data removed: {state}"),
    "admin.link": (
        "管理员链接（一次有效，24 小时内）：{url}",
        "Administrator's link (once, within 24 hours): {url}",
    ),
}

PROBLEMS: dict[str, tuple[str, str]] = {
    "settings.invalid": (
        "设置有误：{detail}。说明见 docs/settings.md",
        "A setting is wrong: {detail}. See docs/settings.md",
    ),
    "listen.port_in_use": (
        "端口 {port} 已被占用{holder}。换一个端口：make run PORT={free}",
        "Port {port} is in use{holder}. Choose another: make run PORT={free}",
    ),
    "listen.address": (
        "{address} 不是本机的地址，无法监听：{detail}",
        "Cannot listen on {address}, which is not an address of this machine: {detail}",
    ),
    "listen.not_isolated": (
        "没有 Docker 时代码不隔离，只能监听本机地址，不能监听 {address}。请安装并启动 Docker，或去掉 JIQI_LISTEN",
        "Without Docker code is not isolated: only the loopback will do, not {address}. Start Docker, or unset JIQI_LISTEN",
    ),
    "python.too_old": (
        "需要 Python 3.11 或更新，找到的是 {version}。Debian/Ubuntu：apt install python3.11 python3.11-venv",
        "Python 3.11 or newer is needed, found {version}. Debian/Ubuntu: apt install python3.11 python3.11-venv",
    ),
    "python.venv_missing": (
        "这个 Python 缺少 venv。Debian/Ubuntu：apt install python3-venv",
        "This Python lacks venv. Debian/Ubuntu: apt install python3-venv",
    ),
    "run.step_failed": (
        "「{what}」没有完成，最后几行：\n{tail}\n完整日志 {log}。网络或磁盘恢复后再次执行 make run 会从这里继续",
        "“{what}” did not finish; its last lines:\n{tail}\nFull log {log}. make run again goes on from here",
    ),
    "docker.down": (
        "Docker 没有应答。请启动 Docker（systemctl start docker），或以 root 运行",
        "The Docker engine does not answer. Start it (systemctl start docker), or run as root",
    ),
    "test.packages": (
        "测试需要这些软件包：{packages}。请以 root 执行 apt install {packages}，再运行 make test",
        "The tests need these packages: {packages}. As root: apt install {packages}, then make test",
    ),
    "test.engine": (
        "dockerd 没有启动，最后几行：\n{tail}\n完整日志 {log}",
        "dockerd did not start; its last lines:\n{tail}\nFull log {log}",
    ),
    "broker.down": ("消息队列没有启动，见日志 {log}", "The broker did not start; see {log}"),
    "database.not_migrated": (
        "数据库没有准备好：{line}（日志 {log}）",
        "The database could not be prepared: {line} (log {log})",
    ),
    "web.not_ready": (
        "网页进程在 {seconds} 秒内没有就绪，见日志 {log}",
        "The web process was not ready within {seconds} s; see {log}",
    ),
    "openapi.stale": (
        "{file} 不是当前接口的描述：jiqi openapi {file}，再在 frontend 里 npm run types",
        "{file} does not describe the current API: jiqi openapi {file}, then npm run types in frontend",
    ),
    "stop.slow": ("进程 {pid} 没有在 {seconds} 秒内停止", "Process {pid} did not stop within {seconds} s"),
    "clean.running": ("还在运行：先执行 make stop", "Still running: make stop first"),
    "clean.mounted": (
        "{path} 下面还有挂载点，没有删除任何文件。先执行 make stop",
        "{path} still has mount points beneath it; nothing was removed. make stop first",
    ),
    "stop.left": ("有 {n} 个内核没有停下来，见日志 {log}", "{n} kernels could not be stopped; see {log}"),
}

WORDS = {**_SAID, **PROBLEMS}
