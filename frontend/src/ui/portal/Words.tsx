/** The reader's language for everything below, and the way to change it. */
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

import type { Lang } from '../../core/boot.ts';
import { languageCookie } from '../../core/portal/language.ts';
import { tell, type Told } from '../../core/portal/problemWords.ts';
import { isPortalKey, type PortalT, portalWords } from '../../i18n/portal.ts';

export interface Words {
  language: Lang;
  t: PortalT;
  /** Puts an error into the reader's words. */
  tell: (error: unknown) => Told;
  setLanguage: (language: Lang) => void;
}

const Context = createContext<Words | null>(null);

export function WordsProvider({ initial, children }: { initial: Lang; children: ReactNode }): ReactElement {
  const [language, change] = useState(initial);

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  const value = useMemo<Words>(() => {
    const t = portalWords(language);
    return {
      language,
      t,
      tell: (error) => tell(error, (code) => template(t, code)),
      setLanguage: (next) => {
        // First the cookie: what is asked from the server next must come in the new language.
        document.cookie = languageCookie(next, { secure: location.protocol === 'https:' });
        change(next);
      },
    };
  }, [language]);

  return <Context.Provider value={value}>{children}</Context.Provider>;
}

function template(t: PortalT, code: string): string | null {
  const key = `error.${code}`;
  return isPortalKey(key) ? t(key) : null;
}

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error('no WordsProvider above');
  return words;
}
