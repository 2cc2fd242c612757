"""The words for the errors of `domain/files.py`, by code and language."""

from typing import Final

FILE_MESSAGES: Final[dict[str, dict[str, str]]] = {
    "file.failed": {
        "zh": "文件操作没有完成（{reason}）：{path}",
        "en": "The file operation did not complete ({reason}): {path}",
    },
    "file.not_found": {"zh": "文件或文件夹不存在：{path}", "en": "No such file or folder: {path}"},
    "file.exists": {
        "zh": "已经有同名的文件或文件夹：{path}",
        "en": "A file or folder of this name exists: {path}",
    },
    "file.outside": {
        "zh": "路径超出了你的文件夹：{path}",
        "en": "The path leads outside your folder: {path}",
    },
    "file.symlink": {
        "zh": "这里有一个符号链接，出于安全原因网页不会跟随它；请在代码里读取，或换成真正的文件：{path}",
        "en": "A symbolic link is in the way. For safety the web never follows one; read it from code, or put a real"
        " file there: {path}",
    },
    "file.bad_name": {
        "zh": "名称不能为空，也不能含有无法显示的字符：{path}",
        "en": "A name cannot be empty or hold characters that cannot be shown: {path}",
    },
    "file.name_too_long": {
        "zh": "名称太长：最多 {limit} 字节（255 字节约合 85 个汉字）",
        "en": "The name is too long: at most {limit} bytes",
    },
    "file.hidden": {
        "zh": "以点开头的隐藏文件不能在网页里操作：{path}",
        "en": "Hidden files, whose names begin with a dot, cannot be used from the web: {path}",
    },
    "file.not_regular": {
        "zh": "这不是普通文件（可能是管道、套接字或设备）：{path}",
        "en": "This is not a regular file (perhaps a pipe, socket or device): {path}",
    },
    "file.is_folder": {"zh": "这是一个文件夹：{path}", "en": "This is a folder: {path}"},
    "file.not_folder": {"zh": "这不是文件夹：{path}", "en": "This is not a folder: {path}"},
    "file.not_empty": {
        "zh": "删除时文件夹里又出现了新文件，请再试一次：{path}",
        "en": "New files appeared in the folder while it was being removed; try again: {path}",
    },
    "file.into_itself": {
        "zh": "不能把文件夹移动或复制到它自己里面：{path}",
        "en": "A folder cannot be moved or copied into itself: {path}",
    },
    "file.busy": {"zh": "系统正在使用这个位置：{path}", "en": "The system is using this place: {path}"},
    "file.too_large": {
        "zh": "文件太大：最多 {limit_text}。可以下载后在本机打开",
        "en": "The file is too large: at most {limit_text}. You can download it and open it on your computer",
    },
    "file.too_many": {
        "zh": "文件夹里的内容太多或太深：最多 {limit}",
        "en": "The folder holds too much or is too deep: at most {limit}",
    },
    "file.permission": {
        "zh": "没有读写这个文件的权限，可以使用「修复权限」：{path}",
        "en": "No permission to read or write this file; “Repair permissions” may help: {path}",
    },
    "file.not_text": {
        "zh": "内容不是 UTF-8 文本，或与所说的格式不符：{path}",
        "en": "The content is not UTF-8 text, or does not fit the stated format: {path}",
    },
    "disk.full": {
        "zh": "服务器磁盘已满，没有保存：{path}。原来的文件还在；请告诉管理员",
        "en": "The server's disk is full, nothing was saved: {path}. What was there before is kept; tell the"
        " administrator",
    },
    "disk.quota": {
        "zh": "你的磁盘空间不够，没有保存：{path}。请先删除一些文件",
        "en": "Your disk space is used up, nothing was saved: {path}. Remove some files first",
    },
    "upload.incomplete": {
        "zh": "上传中断了，没有留下不完整的文件：{path}",
        "en": "The upload broke off; no incomplete file was left: {path}",
    },
    "upload.out_of_order": {
        "zh": "上传的分块没有按顺序到达，请重新上传：{path}",
        "en": "The parts of the upload did not arrive in order; upload again: {path}",
    },
    "notebook.not_json": {
        "zh": "这个笔记本的内容不是 JSON，无法打开；可以作为普通文件下载：{path}",
        "en": "This notebook's content is not JSON and cannot be opened; you can download it as a file: {path}",
    },
    "notebook.invalid": {
        "zh": "这个文件不是能识别的笔记本；可以作为普通文件下载：{path}",
        "en": "This file is not a notebook of a known kind; you can download it as a file: {path}",
    },
    "notebook.worker_lost": {
        "zh": "这个笔记本太大，读取时失败了；可以作为普通文件下载：{path}",
        "en": "This notebook is too large and reading it failed; you can download it as a file: {path}",
    },
}
