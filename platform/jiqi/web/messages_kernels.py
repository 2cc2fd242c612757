"""The words for kernels and hosts: why one cannot start, and why one ended."""

from typing import Final

KERNEL_MESSAGES: Final[dict[str, dict[str, str]]] = {
    "environment.unknown": {
        "zh": "没有名为「{environment}」的运行环境。文件没有变化；请在运行环境里换一个：{known}。",
        "en": "There is no environment “{environment}”. Your files are unchanged; choose one of: {known}.",
    },
    "kernel.limit": {
        "zh": "你已有 {limit} 个在运行，达到上限。文件和输出都在；先停止一个，就能开始这一个。",
        "en": "You have {limit} running, which is the most. Files and outputs are kept; stop one to start this one.",
    },
    "kernel.gone": {
        "zh": "这个内核已经停止。代码和输出都在，变量已丢失；点「启动」可重新开始。",
        "en": "This kernel has ended. Code and outputs are kept, variables are gone; press Start to begin again.",
    },
    "host.full": {
        "zh": "现在使用的人较多，暂时没有空位。可以先阅读和写代码，文件会照常保存；有空位后点「启动」。",
        "en": "Busy now: there is no free place. Read and write meanwhile, files are saved as usual; press Start later.",
    },
    "host.down": {
        "zh": "运行代码的主机现在不能工作。文件都在，可以阅读和编辑；请管理员运行 jiqi doctor 查看原因。",
        "en": "The host that runs code is not working. Your files are there to read and edit; the administrator finds the"
        " reason by “jiqi doctor”.",
    },
    "agent.silent": {
        "zh": "运行代码的服务（agent）没有应答。文件都在，可以阅读和编辑；它恢复后点「启动」，或请管理员运行 jiqi doctor。",
        "en": "The service that runs code (the agent) does not answer. Your files are there to read and edit; press Start"
        " when it is back, or ask the administrator to run “jiqi doctor”.",
    },
    "docker.down": {
        "zh": "Docker 没有运行，新的代码暂时不能启动。文件都在，可以阅读和编辑；请管理员启动 Docker（systemctl start docker），恢复后自动可用。",
        "en": "Docker is not running, so nothing new can start. Your files are there to read and edit; the administrator"
        " starts it (systemctl start docker), and it works again by itself.",
    },
    "image.missing": {
        "zh": "这台主机上还没有这个运行环境的镜像。文件都在；请换一个运行环境，或请管理员运行 make images。",
        "en": "This host has no image of this environment. Your files are safe; choose another environment, or ask the"
        " administrator to run “make images”.",
    },
    "host.disk_full": {
        "zh": "主机磁盘已满，新的代码暂时不能启动。已有文件没有损坏；请告诉管理员清理磁盘。",
        "en": "The host's disk is full, so nothing new can start. Nothing is damaged; tell the administrator to free some"
        " space.",
    },
    "kernel.slow": {
        "zh": "主机没有及时应答，你的要求已经记下，会继续执行。代码和输出都在；稍等片刻，状态会自己更新。",
        "en": "The host did not answer in time; what you asked for is noted and will be done. Code and outputs are kept;"
        " wait a moment, the state changes by itself.",
    },
    "net.closed": {
        "zh": "这个运行环境不能访问外网。文件和变量不受影响；数据和权重请从「模型库/数据集」加载，或联系管理员。",
        "en": "No internet in this environment. Files and variables are untouched; use the library, or ask your"
        " administrator.",
    },
    "ws.blocked": {
        "zh": "网页能打开，但实时连接（WebSocket）被网络拦截，暂时不能运行。文件照常保存；请把这段话发给网管。",
        "en": "The page loads, but your network blocks WebSocket, so cells cannot run. Files are saved as usual; send"
        " this to your IT.",
    },
    "isolate.warn": {
        "zh": "本机没有 Docker：代码不隔离，仅限本机使用。文件不受影响；运行 jiqi doctor 查看如何启用。",
        "en": "No Docker here: code is not isolated, local use only. Files are untouched; “jiqi doctor” says how to"
        " enable it.",
    },
    "end.user": {
        "zh": "已停止。代码和输出都在，变量已丢失；点「启动」可重新开始。",
        "en": "Stopped. Code and outputs are kept, variables are gone; press Start to begin again.",
    },
    "end.exited": {
        "zh": "内核意外退出（{how}）。代码和输出都在，变量已丢失；点「启动」可重新开始，若刚装过包可用「安全模式启动」。",
        "en": "The kernel exited by itself ({how}). Code and outputs are kept, variables are gone; press Start, or start"
        " in safe mode if you just installed packages.",
    },
    "end.oom": {
        "zh": "内存用尽：用到 {peak_mb} MB，上限 {limit_mb} MB，内核已停止。代码和输出都在，变量已丢失。可减小批大小，或换更大的运行环境。",
        "en": "Out of memory: {peak_mb} of {limit_mb} MB. Code and outputs are kept, variables lost. Use a smaller batch or a larger"
        " environment.",
    },
    "end.host_restarted": {
        "zh": "主机重新启动过，内核已停止。代码和输出都在，变量已丢失；点「启动」可重新开始。",
        "en": "The host was restarted and the kernel ended. Code and outputs are kept, variables are gone; press Start.",
    },
    "end.host_down": {
        "zh": "主机失去联系，内核没有启动。文件都在；主机恢复后点「启动」，或请管理员运行 jiqi doctor。",
        "en": "The host cannot be reached and the kernel did not start. Your files are safe; press Start when it is back,"
        " or ask the administrator to run “jiqi doctor”.",
    },
    "end.image_missing": {
        "zh": "主机上没有这个运行环境的镜像，内核没有启动。文件都在；请换一个运行环境，或请管理员运行 make images。",
        "en": "The host has no image of this environment, so the kernel did not start. Your files are safe; choose another"
        " environment, or ask the administrator to run “make images”.",
    },
    "end.start_failed": {
        "zh": "内核没有启动成功。文件都在；请再点「启动」，若刚装过包可用「安全模式启动」。",
        "en": "The kernel could not start. Your files are safe; press Start again, or use safe mode if you just installed"
        " packages.",
    },
    "end.start_timeout": {
        "zh": "内核在 60 秒内没有就绪，已取消。文件都在；主机可能很忙，请再点「启动」。",
        "en": "The kernel was not ready within 60 seconds and was given up. Your files are safe; the host may be busy, press"
        " Start again.",
    },
    "end.disk_full": {
        "zh": "主机磁盘已满，内核没有启动。已有文件没有损坏；请告诉管理员清理磁盘。",
        "en": "The host's disk is full, so the kernel did not start. Nothing is damaged; tell the administrator to free"
        " some space.",
    },
    "end.guest_time": {
        "zh": "游客时间已到，作品还在。注册后接着写，文件会原样保留。",
        "en": "Guest time is over, your work is here. Sign up to go on; every file stays as it is.",
    },
    "end.account": {
        "zh": "账号已停用，内核已停止。文件都在；请联系管理员。",
        "en": "The account was disabled and the kernel ended. Your files are kept; ask the administrator.",
    },
}
