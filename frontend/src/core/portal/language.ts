/** Which language the reader gets: what he chose, else what his browser asks for, else Chinese. */
import type { Lang } from '../boot.ts';

export const LANGUAGE_COOKIE = 'jiqi_lang';

/** Reads one cookie out of `document.cookie`; null when it is not there. */
export function cookieValue(cookies: string, name: string): string | null {
  for (const part of cookies.split(';')) {
    const [key, ...rest] = part.split('=');
    if (key?.trim() === name) return decodeOr(rest.join('=').trim());
  }
  return null;
}

function decodeOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Turns a language tag into one of ours: every Chinese reads Simplified, every English reads English. */
export function languageOf(tag: string | null | undefined): Lang | null {
  const head = tag?.trim().toLowerCase().split(/[-_]/)[0];
  if (head === 'zh') return 'zh-CN';
  return head === 'en' ? 'en' : null;
}

export interface LanguageSources {
  query?: string | null;
  cookie?: string | null;
  boot?: string | null;
  preferred?: readonly string[];
}

/** The order of the server: `?lang`, the cookie, what the page was rendered in, the browser's list, Chinese. */
export function negotiateLanguage({ query, cookie, boot, preferred = [] }: LanguageSources): Lang {
  for (const tag of [query, cookie, boot, ...preferred]) {
    const language = languageOf(tag);
    if (language) return language;
  }
  return 'zh-CN';
}

/** The cookie that remembers the choice for a year, on this host only. */
export function languageCookie(language: Lang, { secure }: { secure: boolean }): string {
  return `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure ? '; Secure' : ''}`;
}
