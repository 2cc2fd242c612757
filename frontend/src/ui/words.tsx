/** The studio page's words and language for its components. */
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';

import type { Lang } from '../core/boot.ts';
import type { Store } from '../core/store.ts';
import { type StudioT, studioWords } from '../i18n/studio.ts';

interface Words {
  lang: Lang;
  t: StudioT;
}

const WordsContext = createContext<Words>({ lang: 'zh-CN', t: studioWords('zh-CN') });

export function WordsProvider({ lang, children }: { lang: Store<Lang>; children: ReactNode }): ReactNode {
  const now = useStore(lang);
  return <WordsContext.Provider value={{ lang: now, t: studioWords(now) }}>{children}</WordsContext.Provider>;
}

export const useT = (): StudioT => useContext(WordsContext).t;
export const useLang = (): Lang => useContext(WordsContext).lang;

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/** 14:05 today, else with its day. */
export function timeText(at: number | string | null, lang: Lang): string {
  if (at === null) return '';
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hour12: false };
  return date.toLocaleString(lang, today ? clock : { month: 'numeric', day: 'numeric', ...clock });
}
