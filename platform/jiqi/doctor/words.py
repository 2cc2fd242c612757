"""The doctor's words by code: Chinese, English; where something is to be mended, the mending is in the sentence."""

DOCTOR_WORDS: dict[str, tuple[str, str]] = {
    "doctor.result_ok": ("没有发现需要处理的问题", "Nothing needs mending"),
    "doctor.result_bad": ("有 {n} 项需要处理", "{n} to mend"),
    "doctor.python": ("Python {version}", "Python {version}"),
    "doctor.memory": ("内存 {gb} GB", "{gb} GB of memory"),
    "doctor.memory_low": (
        "内存 {gb} GB：一个内核最多用 2 GB，同时运行的内核会很少",
        "{gb} GB of memory: a kernel may use 2 GB, so few will run at a time",
    ),
    "doctor.descriptors": ("可打开 {n} 个文件", "{n} file descriptors"),
    "doctor.descriptors_low": (
        "最多只能打开 {n} 个文件，大约 {n} ÷ 10 个页面同时连接；用 ulimit -n 65536 或 systemd 的 LimitNOFILE 提高",
        "Only {n} file descriptors, about a tenth as many open pages; raise with ulimit -n 65536 or systemd's LimitNOFILE",
    ),
    "doctor.pip_default": ("pip 使用默认源；国内可设置 PIP_INDEX_URL 加快下载", "pip uses its default index"),
    "doctor.pip_index": ("pip 使用镜像源 {url}", "pip uses the index {url}"),
    "doctor.process_chosen": (
        "设置为不用 Docker（JIQI_HOST=process）：代码不隔离，仅限本机使用",
        "Set to do without Docker (JIQI_HOST=process): code is not isolated, local use only",
    ),
    "doctor.docker": ("Docker {version} · cgroup {cgroup}", "Docker {version} · cgroup {cgroup}"),
    "doctor.docker_missing": (
        "没有 Docker：代码不隔离，仅限本机使用。启用：apt install docker.io，再 systemctl start docker，然后重新 make run",
        "No Docker: code is not isolated, local use only. Enable: apt install docker.io, systemctl start docker, make run again",
    ),
    "doctor.docker_denied": (
        "Docker 在运行，但当前用户不能使用。执行 sudo usermod -aG docker $USER，重新登录后再 make run",
        "Docker runs, but this user may not use it: sudo usermod -aG docker $USER, log in again, make run",
    ),
    "doctor.docker_command_missing": (
        "没有 docker 命令，无法构建内核镜像：apt install docker.io",
        "No docker command, so images cannot be built: apt install docker.io",
    ),
    "doctor.live_restore": (
        "Docker 重启时内核继续运行（live-restore）",
        "Kernels survive a Docker restart (live-restore)",
    ),
    "doctor.live_restore_off": (
        'Docker 重启会结束所有内核：在 /etc/docker/daemon.json 写 {{"live-restore": true}}，再 systemctl reload docker',
        'A restart of Docker ends every kernel: put {{"live-restore": true}} into /etc/docker/daemon.json, systemctl reload docker',
    ),
    "doctor.cgroup_limits": (
        "内核（Linux）没有内存或进程数的 cgroup 限制，一个用户可以拖垮整台机器：启动参数加 cgroup_enable=memory",
        "This Linux lacks cgroup limits of memory or processes, so one user can take the machine down: boot with cgroup_enable=memory",
    ),
    "doctor.mounts": ("可以挂载：内核预热可用", "May mount: warm kernels work"),
    "doctor.mounts_by_helper": (
        "当前用户不能挂载：由一个小的辅助容器代为挂载；以 root 运行可省去它",
        "This user may not mount: a small helper container does it; running as root needs none",
    ),
    "doctor.image": ("内核镜像 {name}", "Kernel image {name}"),
    "image.missing": (
        "缺少内核镜像 {name}：make images ARGS={name}",
        "The kernel image {name} is missing: make images ARGS={name}",
    ),
    "doctor.environment": ("内核环境 {path}", "Kernel environment {path}"),
    "doctor.environment_missing": (
        "没有内核环境：make kernel-env",
        "There is no kernel environment: make kernel-env",
    ),
    "doctor.disk": ("{path} 可用 {gb} GB", "{path}: {gb} GB free"),
    "doctor.disk_low": (
        "{path} 只剩 {gb} GB：请尽快清理（docker system df、make clean）",
        "{path}: only {gb} GB free; make room soon (docker system df, make clean)",
    ),
    "doctor.disk_full": (
        "{path} 只剩 {gb} GB：保存文件和启动内核会失败，请先清理",
        "{path}: only {gb} GB free; saving and starting kernels will fail, make room first",
    ),
    "doctor.frontend": ("网页已构建", "The pages are built"),
    "doctor.frontend_missing": ("网页没有构建：make prepare", "The pages are not built: make prepare"),
    "doctor.running": ("正在运行 {url}", "Running at {url}"),
    "doctor.port": ("{address}:{port} 空闲", "{address}:{port} is free"),
    "doctor.one_origin": (
        "只配置了一个域名 {host}：笔记里的脚本与账号页面同源。为笔记配置第二个域名（JIQI_NOTEBOOK_URL）",
        "One host name only, {host}: scripts in notebooks share the origin of the account pages. Set a second one (JIQI_NOTEBOOK_URL)",
    ),
    "doctor.two_origins": (
        "账号页面 {portal} 与笔记 {notebook} 不同源",
        "Account pages {portal} and notebooks {notebook} are separate origins",
    ),
    "doctor.valkey_ready": ("消息队列有应答", "The broker answers"),
    "doctor.valkey_stopped": ("消息队列随 jiqi up 启动", "The broker starts with jiqi up"),
    "doctor.valkey_missing": ("缺少 Valkey 程序：make prepare", "The Valkey server is missing: make prepare"),
    "doctor.valkey_silent": (
        "消息队列没有应答：每次启动内核会慢 2 秒。看 logs/valkey.log，或检查 JIQI_REDIS_URL",
        "The broker does not answer: each start takes 2 s longer. See logs/valkey.log, or check JIQI_REDIS_URL",
    ),
    "doctor.database_ready": ("数据库可用", "The database answers"),
    "doctor.database_new": ("数据库随第一次启动建立", "The database is made by the first start"),
    "doctor.database_down": (
        "数据库不可用（{error}）：检查 JIQI_DATABASE_URL",
        "The database fails ({error}): check JIQI_DATABASE_URL",
    ),
    "doctor.agent": ("内核代理正常", "The agent reports in time"),
    "doctor.agent_never": (
        "内核代理还没有报告：看 logs/agent.log",
        "The agent has not reported yet: see logs/agent.log",
    ),
    "doctor.agent_late": (
        "内核代理 {seconds} 秒没有报告，新内核无法启动：看 logs/agent.log",
        "The agent has not reported for {seconds} s, new kernels cannot start: see logs/agent.log",
    ),
    "doctor.agent_problem": (
        "内核代理报告问题 {problem}：说明见 docs/errors.md",
        "The agent reports {problem}: see docs/errors.md",
    ),
}
