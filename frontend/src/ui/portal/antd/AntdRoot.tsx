/** Everything that antd needs around it: theme, words, the nonce of the page's policy. Loaded with the pages that use antd. */
import { App, ConfigProvider } from 'antd';
import enUS from 'antd/es/locale/en_US';
import zhCN from 'antd/es/locale/zh_CN';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';

import { useWords } from '../Words.tsx';
import { onSchemeChange, portalTheme } from './theme.ts';

const LOCALES = { 'zh-CN': zhCN, en: enUS };

/** Vite writes the nonce of the page's policy here; antd's style elements must carry it. */
const nonce = (): string | undefined => {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce || meta?.getAttribute('nonce') || undefined;
};

export function AntdRoot({ children }: { children: ReactNode }): ReactElement {
  const { language } = useWords();
  const [theme, setTheme] = useState(portalTheme);
  useEffect(() => onSchemeChange(() => setTheme(portalTheme())), []);
  return (
    <ConfigProvider
      locale={LOCALES[language]}
      theme={theme}
      csp={{ nonce: nonce() }}
      wave={{ disabled: true }}
      button={{ autoInsertSpace: false }}
      modal={{ styles: { footer: { marginTop: 24 } } }}
    >
      <App component={false} message={{ maxCount: 2 }}>
        {children}
      </App>
    </ConfigProvider>
  );
}
