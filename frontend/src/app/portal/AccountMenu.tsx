/** Who is logged in, and what he may do about it. */
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router';

import { api, body, type Schemas } from '../../api/client.ts';
import type { Lang } from '../../core/boot.ts';
import { Disclosure } from '../../ui/portal/Disclosure.tsx';
import { Icon } from '../../ui/portal/icons.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './accountmenu.module.css';

interface AccountMenuProps {
  user: Schemas['Person'];
  language: Lang;
  onLanguage: (language: Lang) => void;
}

export function AccountMenu({ user, language, onLanguage }: AccountMenuProps): ReactElement {
  const { t } = useWords();
  const leave = useMutation({
    mutationFn: () => body(api.POST('/api/v1/logout')),
    // A fresh page: nothing of one person may be seen by the next.
    onSuccess: () => location.assign('/'),
  });
  const guest = user.role === 'guest';
  return (
    <Disclosure
      label={t('menu.label', { name: user.name })}
      trigger={
        <>
          <span className={styles.badge} aria-hidden="true">
            {[...user.name][0]}
          </span>
          <span className={styles.name}>{user.name}</span>
          <Icon name="chevron" />
        </>
      }
    >
      <p className={styles.who}>
        <strong>{user.name}</strong>
        <span>{t(`menu.role.${user.role}`)}</span>
      </p>
      {guest && <Link to="/register">{t('home.guest.keep')}</Link>}
      {guest && <Link to="/login">{t('nav.login')}</Link>}
      <Link to="/tokens">{t('menu.tokens')}</Link>
      <button type="button" onClick={() => onLanguage(language === 'en' ? 'zh-CN' : 'en')} lang={language === 'en' ? 'zh-CN' : 'en'}>
        {language === 'en' ? '切换到中文' : 'Switch to English'}
      </button>
      {!guest && (
        <button type="button" onClick={() => leave.mutate()}>
          {t('menu.logout')}
        </button>
      )}
    </Disclosure>
  );
}
