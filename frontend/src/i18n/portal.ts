/** The portal's words as an i18next instance: both languages at hand, keys checked by the type. */
import i18next, { type i18n } from 'i18next';

import type { Lang } from '../core/boot.ts';
import { en } from './en.ts';
import { zhCN } from './zh-CN.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Record<keyof typeof zhCN, string> };
    keySeparator: false;
    nsSeparator: false;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}

/** Makes the words of one page; nothing is loaded, so they can be used at once. */
export function portalWords(language: Lang): i18n {
  const words = i18next.createInstance();
  void words.init({
    lng: language,
    fallbackLng: 'zh-CN',
    resources: { 'zh-CN': { translation: zhCN }, en: { translation: en } },
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    // React escapes what it renders.
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  });
  return words;
}
