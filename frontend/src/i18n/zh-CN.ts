/** Chinese words of the portal: the source of the product's language; `{name}` is filled in. */
import { account } from './zh-CN/account.ts';
import { errors } from './zh-CN/errors.ts';
import { home } from './zh-CN/home.ts';
import { lessons } from './zh-CN/lessons.ts';
import { projects } from './zh-CN/projects.ts';
import { shell } from './zh-CN/shell.ts';
import { tokens } from './zh-CN/tokens.ts';

export const zhCN = { ...shell, ...home, ...lessons, ...account, ...projects, ...tokens, ...errors } as const;

export type PortalKey = keyof typeof zhCN;
