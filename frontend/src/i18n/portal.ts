/** Looks the portal's words up, the same way as the studio's: two typed tables and one function. */
import type { Lang } from '../core/boot.ts';
import { en } from './en.ts';
import { type PortalKey, zhCN } from './zh-CN.ts';

export type { PortalKey };
export type PortalT = (key: PortalKey, values?: Record<string, string | number>) => string;

const tables: Record<Lang, Record<PortalKey, string>> = { 'zh-CN': zhCN, en };

/** The words of one language as a function of key and values. */
export function portalWords(language: Lang): PortalT {
  const table = tables[language];
  return (key, values = {}) => table[key].replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

export function isPortalKey(key: string): key is PortalKey {
  return Object.hasOwn(zhCN, key);
}
