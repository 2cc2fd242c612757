"""The words for the errors of `domain/files.py`, by code and language: what happened · what is kept · what to do."""

from typing import Final

FILE_MESSAGES: Final[dict[str, dict[str, str]]] = {
    "file.failed": {
        "zh": "「{path}」的操作没有完成（{reason}）。原来的文件还在；请再试一次，仍不行请告诉管理员。",
        "en": "The operation on “{path}” did not complete ({reason}). What was there is kept; try again, or tell your"
        " administrator.",
    },
    "file.not_found": {
        "zh": "没有找到「{path}」，它可能已被移动、改名或删除。其他文件不受影响；请刷新文件列表。",
        "en": "“{path}” is not there; it may have been moved, renamed or deleted. Other files are untouched; refresh the"
        " list of files.",
    },
    "file.exists": {
        "zh": "已经有「{path}」了。原来的文件没有变；请换一个名称。",
        "en": "“{path}” exists already. It was not changed; choose another name.",
    },
    "file.outside": {
        "zh": "「{path}」不在你的文件夹里。什么都没有变；请从文件列表里选择。",
        "en": "“{path}” is outside your folder. Nothing was changed; choose from the list of files.",
    },
    "file.symlink": {
        "zh": "「{path}」经过一个符号链接，为了安全网页不会跟随它。文件没有变；请在代码里读取，或换成真正的文件。",
        "en": "“{path}” goes through a symbolic link, which for safety the web never follows. Nothing was changed; read it"
        " from code, or put a real file there.",
    },
    "file.bad_name": {
        "zh": "名称「{path}」不能用：不能为空，也不能含有无法显示的字符。什么都没有变；请换一个名称。",
        "en": "The name “{path}” cannot be used: it is empty or holds characters that cannot be shown. Nothing was"
        " changed; choose another name.",
    },
    "file.name_too_long": {
        "zh": "名称太长，最多 {limit} 字节（255 字节约 85 个汉字）。什么都没有变；请换一个短一些的名称。",
        "en": "The name is too long, at most {limit} bytes. Nothing was changed; choose a shorter name.",
    },
    "file.hidden": {
        "zh": "「{path}」以点开头，是隐藏文件，不能在网页里操作。什么都没有变；请换一个名称，或在代码里处理。",
        "en": "“{path}” begins with a dot and is hidden from the web. Nothing was changed; choose another name, or use"
        " code.",
    },
    "file.not_regular": {
        "zh": "「{path}」不是普通文件（可能是管道、套接字或设备）。什么都没有变；请在代码里处理。",
        "en": "“{path}” is not a regular file (perhaps a pipe, socket or device). Nothing was changed; use code for it.",
    },
    "file.is_folder": {
        "zh": "「{path}」是一个文件夹。什么都没有变；请打开它，选择里面的文件。",
        "en": "“{path}” is a folder. Nothing was changed; open it and choose a file in it.",
    },
    "file.not_folder": {
        "zh": "「{path}」不是文件夹，或它上面有一级是文件。什么都没有变；请从文件列表里选择。",
        "en": "“{path}” is not a folder, or goes through a file. Nothing was changed; choose from the list of files.",
    },
    "file.not_empty": {
        "zh": "删除「{path}」时里面又出现了新文件。剩下的还在；请先停止正在写文件的程序，再删除一次。",
        "en": "New files appeared in “{path}” while it was being deleted. The rest is still there; stop what writes there"
        " and delete again.",
    },
    "file.into_itself": {
        "zh": "不能把文件夹移动或复制到它自己里面（{path}）。什么都没有变；请选择另一个位置。",
        "en": "A folder cannot go into itself ({path}). Nothing was changed; choose another place.",
    },
    "file.busy": {
        "zh": "系统正在使用「{path}」。什么都没有变；请稍后再试。",
        "en": "The system is using “{path}”. Nothing was changed; try again later.",
    },
    "file.too_large": {
        "zh": "「{path}」太大，最多 {limit_text}。原来的文件没有变；请下载后在自己的电脑上打开，或在代码里读取。",
        "en": "“{path}” is too large, at most {limit_text}. Nothing was changed; download it, or read it from code.",
    },
    "file.too_many": {
        "zh": "「{path}」里的内容太多或太深，上限 {limit}。什么都没有变；请分几次进行，或在代码里处理。",
        "en": "“{path}” holds too much or is too deep; the limit is {limit}. Nothing was changed; do it in parts, or from"
        " code.",
    },
    "file.permission": {
        "zh": "没有读写「{path}」的权限，常见于程序改了文件权限。文件没有变；请点「修复权限」。",
        "en": "“{path}” may not be read or written; often a program changed its permissions. Nothing was changed; choose"
        " “Repair permissions”.",
    },
    "file.not_text": {
        "zh": "「{path}」不是 UTF-8 文本，或与所说的格式不符。文件没有变；请下载后用别的程序打开。",
        "en": "“{path}” is not UTF-8 text, or does not fit the stated format. Nothing was changed; download it and open it"
        " with another program.",
    },
    "disk.full": {
        "zh": "服务器磁盘已满，「{path}」没有保存。原来的文件没有损坏；请不要关闭页面，告诉管理员清理磁盘后再保存。",
        "en": "The server's disk is full and “{path}” was not saved. What was there is undamaged; keep the page open, tell"
        " your administrator, then save again.",
    },
    "disk.quota": {
        "zh": "你的磁盘空间用完了，「{path}」没有保存。原来的文件没有变；请删除不用的文件后再试。",
        "en": "Your disk space is used up and “{path}” was not saved. What was there is unchanged; delete files that you do"
        " not need, then try again.",
    },
    "upload.incomplete": {
        "zh": "「{path}」的上传中断了。没有留下不完整的文件；请再上传一次。",
        "en": "The upload of “{path}” broke off. No incomplete file was left; upload it again.",
    },
    "upload.out_of_order": {
        "zh": "「{path}」的分块没有按顺序到达。没有留下不完整的文件；请再上传一次。",
        "en": "The parts of “{path}” did not arrive in order. No incomplete file was left; upload it again.",
    },
    "notebook.not_json": {
        "zh": "「{path}」的内容不是 JSON，不能作为 Notebook 打开。文件没有变；可以下载它，或改名后当作文本打开。",
        "en": "“{path}” is not JSON and cannot be opened as a notebook. The file is unchanged; download it, or open it as"
        " text under another name.",
    },
    "notebook.invalid": {
        "zh": "「{path}」不是能识别的 Notebook。文件没有变；可以下载它，或改名后当作文本打开。",
        "en": "“{path}” is not a notebook of a known kind. The file is unchanged; download it, or open it as text under"
        " another name.",
    },
    "notebook.worker_lost": {
        "zh": "这个 Notebook 太大，没有读完。文件没有变；请再试一次，或下载后清除输出。",
        "en": "This notebook is too large and reading it failed. The file is unchanged; try again, or download it and clear"
        " its outputs.",
    },
}
