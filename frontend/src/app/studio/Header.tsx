/** The head of the studio page: where am I, is my work saved, where else can I go. */
import type { ReactNode } from 'react';

import type { Boot, Lang } from '../../core/boot.ts';
import type { Store } from '../../core/store.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { useT } from '../../ui/words.tsx';

interface Props {
  boot: Boot;
  lang: Store<Lang>;
  filesOpen: boolean;
  toggleFiles: () => void;
  save?: ReactNode;
  chip?: ReactNode;
  environment?: ReactNode;
  download: string;
}

export function Header({ boot, lang, filesOpen, toggleFiles, save, chip, environment, download }: Props): ReactNode {
  const t = useT();
  const file = boot.path.split('/').pop() ?? '';
  const title = boot.lesson?.title ?? file.replace(/\.ipynb$/, '');
  const other: MenuItem = { text: t('studio.language'), icon: 'globe', act: () => switchLang(lang) };
  const items: MenuItem[] = [
    { text: t('studio.lab'), icon: 'external', href: labUrl(boot), target: '_blank' },
    { text: t('files.download'), icon: 'download', href: download, download: true },
    other,
  ];
  return (
    <header className="jq-header">
      <a className="jq-brand" href={`${boot.portal_url}/`} title={t('studio.home')}>
        <Logo />
        <span>{t('studio.brand')}</span>
      </a>
      <Button icon="panel" label={t(filesOpen ? 'files.close' : 'files.open')} aria-pressed={filesOpen} onClick={toggleFiles} />
      <div className="jq-title">
        {boot.project.name !== title && (
          <>
            <span className="jq-title-project" title={boot.project.name}>
              {boot.project.name}
            </span>
            <span className="jq-title-sep" aria-hidden="true">
              /
            </span>
          </>
        )}
        <h1 title={boot.path}>{title}</h1>
        {save}
      </div>
      <div className="jq-header-end">
        {environment}
        {chip ?? (
          <a className="jq-button jq-button--plain" href={download} download>
            <Icon name="download" />
            {t('files.download')}
          </a>
        )}
        <button type="button" className="jq-button jq-button--quiet jq-not-small" title={t('studio.language.label')} lang={lang.get() === 'en' ? 'zh-CN' : 'en'} onClick={() => switchLang(lang)}>
          {t('studio.language')}
        </button>
        <a className="jq-button jq-button--icon jq-not-small" href={labUrl(boot)} target="_blank" rel="noreferrer" title={t('studio.lab')} aria-label={t('studio.lab')}>
          <Icon name="external" />
        </a>
        <span className="jq-only-small">
          <Menu label={t('studio.more')} items={items} />
        </span>
      </div>
    </header>
  );
}

/** The same file in full JupyterLab. */
function labUrl(boot: Boot): string {
  return `${boot.base_url}lab/tree/${boot.path.split('/').map(encodeURIComponent).join('/')}`;
}

function switchLang(lang: Store<Lang>): void {
  const next: Lang = lang.get() === 'en' ? 'zh-CN' : 'en';
  document.cookie = `jiqi_lang=${next}; path=/; max-age=31536000; samesite=lax`;
  document.documentElement.lang = next;
  lang.set(next);
}

function Logo(): ReactNode {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--jq-accent)" />
      <path d="M18.6 5 8 18.2h6.4L12.9 27 24 13.4h-6.6z" fill="var(--jq-text-on-accent)" />
    </svg>
  );
}
