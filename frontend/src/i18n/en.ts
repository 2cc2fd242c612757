/** English words of the portal; the type fails when a key is missing. */
import { account } from './en/account.ts';
import { errors } from './en/errors.ts';
import { home } from './en/home.ts';
import { lessons } from './en/lessons.ts';
import { projects } from './en/projects.ts';
import { shell } from './en/shell.ts';
import { tokens } from './en/tokens.ts';
import type { PortalKey } from './zh-CN.ts';

export const en: Record<PortalKey, string> = {
  ...shell,
  ...home,
  ...lessons,
  ...account,
  ...projects,
  ...tokens,
  ...errors,
};
