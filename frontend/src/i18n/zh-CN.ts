/** Chinese words of the portal: the source of the product's language; `{name}` is filled in. */
export const zhCN = {
  'app.name': '即启',
  'nav.lessons': '课程',
  'nav.projects': '我的项目',
  'nav.running': '我的运行',
  'nav.admin': '管理后台',
} as const;

export type PortalKey = keyof typeof zhCN;
