/** Looks the studio page's words up; without i18next, which the page would load for this alone. */
import type { Lang } from '../core/boot.ts';
import { studioEn } from './studio.en.ts';
import { type StudioKey, studioZh } from './studio.zh-CN.ts';

export type { StudioKey };
export type StudioT = (key: StudioKey, values?: Record<string, string | number>) => string;

/** The words of one language as a function of key and values. */
export function studioWords(lang: Lang): StudioT {
  const table: Record<StudioKey, string> = lang === 'en' ? studioEn : studioZh;
  return (key, values = {}) => table[key].replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

export function isStudioKey(key: string): key is StudioKey {
  return Object.hasOwn(studioZh, key);
}
