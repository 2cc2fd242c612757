/** Times as people read them: 2026年11月30日 14:05, and how long ago. */
import type { Lang } from '../boot.ts';

const absolute: Record<Lang, Intl.DateTimeFormat> = {
  'zh-CN': new Intl.DateTimeFormat('zh-CN', { year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  en: new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
};

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** A date and time of day; the text itself when it is not a time. */
export function moment(iso: string, language: Lang): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : absolute[language].format(at);
}

/** How long ago, in the largest whole unit; under a minute reads 刚刚. */
export function ago(iso: string, language: Lang, now: Date): string {
  const seconds = (now.getTime() - new Date(iso).getTime()) / 1000;
  if (Number.isNaN(seconds)) return iso;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  for (const [unit, size] of UNITS) {
    if (seconds >= size) return spaced(format.format(-Math.floor(seconds / size), unit), language);
  }
  return language === 'zh-CN' ? '刚刚' : 'just now';
}

/** Chinese prose puts a space between digits and Han characters. */
function spaced(text: string, language: Lang): string {
  return language === 'zh-CN' ? text.replace(/(\d)(\p{Script=Han})/gu, '$1 $2') : text;
}
