/** What went wrong, by the stable code of the problem: what happened, what became of your work, what to do now. */
export const errors = {
  'error.login.failed': '用户名或密码不对',
  'error.login.throttled': '这个账号尝试次数过多，{minutes} 分钟后再试',
  'error.login.required': '登录已过期。请重新登录，之前的文件都在。',
  'error.account.name_taken': '这个用户名已有人用，请换一个。',
  'error.account.already': '你已经登录了一个账号。先退出登录，再注册另一个。',
  'error.registration.closed': '这里不开放注册。请管理员为你建立账号。',
  'error.project.limit': '项目数量已到上限。先删除一个不用的，再新建。',
  'error.lesson.unknown': '没有找到这个课程，链接可能已更新。',
  'error.password.weak': '密码太容易猜到：至少 {least} 个字符，不用常见密码。',
  'error.ticket.invalid': '这个链接已经用过或已过期。请运行 jiqi admin link 再打印一个。',
  'error.input.invalid': '有一项内容不符合要求，没有提交。请检查后再试。',
  'error.not_found': '没有找到这个课程或文件，链接可能已更新。',
  'error.unavailable': '平台的一个部分暂时没有响应。你的文件不受影响，可以过一会儿再试一次。',
  'error.xsrf.refused': '页面打开太久，安全校验已过期。刷新页面后再试，填写的内容需要重新输入。',
  'error.network.down': '连不上服务器：网络断开，或平台正在重启。刚才的操作可能没有送到，连上后请再试一次。',
  'error.internal': '平台出了问题，你的文件不受影响。把编号告诉管理员可以更快找到原因。',
} as const;
