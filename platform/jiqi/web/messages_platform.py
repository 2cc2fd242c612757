"""The words for the platform itself: what was not found, what is broken, what was sent in the wrong form."""

from typing import Final

PLATFORM_MESSAGES: Final[dict[str, dict[str, str]]] = {
    "internal": {
        "zh": "平台出了问题，你的文件不受影响。编号 {request_id}，已记入日志；请刷新页面，仍不行就把编号告诉管理员。",
        "en": "Our fault; your files are safe. Ref {request_id} is in the log; reload the page, or give the reference to"
        " your administrator.",
    },
    "not_found": {
        "zh": "没有找到这个课程或文件，链接可能已更新。你的文件不受影响；请从首页重新进入。",
        "en": "Not found; the link may have changed. Your files are untouched; start again from the home page.",
    },
    "lesson.unknown": {
        "zh": "没有找到课程「{lesson}」，链接可能已更新。你的文件不受影响；请从课程列表里选择。",
        "en": "There is no lesson “{lesson}”; the link may have changed. Your files are untouched; choose from the list"
        " of lessons.",
    },
    "project.limit": {
        "zh": "你已有 {limit} 个项目，达到上限。什么都没有变；先删除不用的项目，再新建。",
        "en": "You have {limit} projects, which is the most. Nothing was changed; delete one that you no longer need.",
    },
    "forbidden": {
        "zh": "你没有权限查看或更改这个内容。什么都没有变；可请所有者分享给你，或请管理员帮忙。",
        "en": "You may not see or change this. Nothing was changed; ask the owner to share it, or your administrator.",
    },
    "method.refused": {
        "zh": "这个地址不支持这种请求。什么都没有变；请从首页重新进入。",
        "en": "This address does not take such a request. Nothing was changed; start again from the home page.",
    },
    "input.invalid": {
        "zh": "填写的内容不符合要求（{where}）。还没有保存；请修改后再提交。",
        "en": "Something in the request is not as it should be ({where}). Nothing was saved; change it and send again.",
    },
    "input.too_large": {
        "zh": "提交的内容太大。还没有保存；文件请用上传。",
        "en": "The request is too large. Nothing was saved; use upload for files.",
    },
    "unavailable": {
        "zh": "平台的一个部分现在没有应答。你的文件不受影响；过一会儿刷新页面，仍不行请管理员运行 jiqi doctor。",
        "en": "A part of the platform does not answer. Your files are safe; reload in a while, or ask the administrator to"
        " run “jiqi doctor”.",
    },
    "web.busy": {
        "zh": "现在请求太多，这一次没有执行。你的文件不受影响；几秒后再点一次。",
        "en": "Too many requests at once; this one was not done. Your files are safe; click again in a few seconds.",
    },
    "database.busy": {
        "zh": "数据库太忙，这次更改没有写入。你的文件不受影响；几秒后再点一次。",
        "en": "The database is too busy; this change was not written. Your files are safe; click again in a few seconds.",
    },
    "database.down": {
        "zh": "数据库没有应答，这次更改没有写入。你的文件不受影响；请管理员运行 jiqi doctor 查看。",
        "en": "The database does not answer; this change was not written. Your files are safe; the administrator finds out"
        " more by “jiqi doctor”.",
    },
    "database.disk_full": {
        "zh": "服务器磁盘已满，这次更改没有写入。已有文件没有损坏；请告诉管理员清理磁盘。",
        "en": "The server's disk is full; this change was not written. Nothing is damaged; tell the administrator to free"
        " some space.",
    },
    "broker.down": {
        "zh": "消息队列没有应答，启动会慢几秒，其他一切照常。文件和运行中的代码不受影响；请管理员运行 jiqi doctor 查看。",
        "en": "The message queue does not answer: starts take a few seconds longer, all else works. Files and running code"
        " are untouched; the administrator finds out more by “jiqi doctor”.",
    },
    "host.unknown": {
        "zh": "这个地址不是本平台的入口。你的文件不受影响；请打开 {portal_url}。",
        "en": "This is not an address of this platform. Your files are untouched; open {portal_url}.",
    },
    "port.in_use": {
        "zh": "端口 {port} 已被占用，没有启动。数据没有变化；停止占用它的程序，或设置 JIQI_PORT 换一个端口。",
        "en": "Port {port} is in use; nothing was started. Data is unchanged; stop the program that uses it, or set"
        " JIQI_PORT to another port.",
    },
    "frontend.missing": {
        "zh": "网页界面还没有构建。你的文件不受影响；请管理员运行 make frontend，完成后刷新。",
        "en": "The web pages are not built yet. Your files are safe; the administrator runs “make frontend”, then reload.",
    },
}
