"""The words for accounts: names, passwords, links, sessions, tokens."""

from typing import Final

ACCOUNT_MESSAGES: Final[dict[str, dict[str, str]]] = {
    "login.required": {
        "zh": "需要先登录。你的文件都在；登录后会回到这里。",
        "en": "Please log in first. Your files are all there; you will come back here afterwards.",
    },
    "login.failed": {
        "zh": "用户名或密码不对。账号和文件没有变化；请核对后再输入，忘记密码可请老师或管理员发一个重置链接。",
        "en": "Wrong name or password. Your account and files are unchanged; check and try again, or ask your teacher"
        " or administrator for a reset link.",
    },
    "login.throttled": {
        "zh": "这个账号尝试次数过多，{minutes} 分钟后再试。账号和文件没有变化；忘记密码可请老师或管理员发一个重置链接。",
        "en": "Too many tries for this account; wait {minutes} min. Your account and files are unchanged; if you forgot"
        " the password, ask your teacher or administrator for a reset link.",
    },
    "login.guest_work": {
        "zh": "你以游客身份做了 {projects} 个项目。还没有登录，什么都没有变；请选择把它们带进这个账号，或者留下。",
        "en": "You made {projects} project(s) as a guest. You are not logged in yet and nothing has changed; choose to"
        " bring them into this account, or leave them.",
    },
    "account.name_taken": {
        "zh": "用户名「{name}」已有人使用。还没有建立账号；请换一个名字，或者用它登录。",
        "en": "The name “{name}” is taken. No account was made; choose another, or log in with it.",
    },
    "account.already": {
        "zh": "你已经以「{name}」登录。什么都没有变；要注册另一个账号，请先退出。",
        "en": "You are logged in as “{name}”. Nothing was changed; log out first to make another account.",
    },
    "account.last_admin": {
        "zh": "这是最后一位管理员，不能停用。什么都没有变；请先让另一个人成为管理员。",
        "en": "This is the last administrator and cannot be disabled. Nothing was changed; make somebody else an"
        " administrator first.",
    },
    "registration.closed": {
        "zh": "这里不开放自行注册。你现在的文件不受影响；请向老师或管理员要一个账号。",
        "en": "Sign-up is closed here. Your files are untouched; ask your teacher or administrator for an account.",
    },
    "password.weak": {
        "zh": "密码太短或太常见：至少 {least} 个字符。还没有保存；请换一个更长的密码。",
        "en": "The password is too short or too common: at least {least} characters. Nothing was saved; choose a"
        " longer one.",
    },
    "password.stale": {
        "zh": "这一步需要重新输入密码。还没有更改任何内容；输入密码后 10 分钟内有效。",
        "en": "This step needs your password again. Nothing was changed; once given, it holds for 10 minutes.",
    },
    "ticket.invalid": {
        "zh": "这个链接已经用过或已过期。你的文件不受影响；请回到首页重新进入，管理员可用 jiqi admin link 再取一个。",
        "en": "This link was used already or is too old. Your files are untouched; start again from the home page, or as"
        " administrator get a new one by “jiqi admin link”.",
    },
    "token.not_here": {
        "zh": "API 令牌不能用于账号、令牌和管理操作。什么都没有变；请在浏览器里登录后操作。",
        "en": "API tokens do not open account, token or administration calls. Nothing was changed; log in with a browser.",
    },
    "token.other_person": {
        "zh": "这个链接带着另一个人的令牌，而这个浏览器里已有人登录；打开它会让对方的页面够到你的文件。没有打开，什么都没有变；"
        "要用它，请先退出登录，或换一个浏览器。",
        "en": "This link carries another person's token, and somebody is logged in in this browser; opening it would let"
        " that person's page reach your files. It was not opened and nothing was changed; log out first, or use another browser.",
    },
    "xsrf.refused": {
        "zh": "这个页面打开得太久，或请求来自别的网站。没有做任何更改；请刷新页面再操作。",
        "en": "This page is too old, or the request came from another site. Nothing was changed; reload the page.",
    },
    "origin.refused": {
        "zh": "请求来自别的网站，没有执行。你的文件不受影响；请从 {portal_url} 打开。",
        "en": "The request came from another site and was not done. Your files are untouched; open {portal_url}.",
    },
    "origin.portal_only": {
        "zh": "账号操作只能在主站进行。什么都没有变；请打开 {portal_url}。",
        "en": "Account calls work on the main site only. Nothing was changed; open {portal_url}.",
    },
}
