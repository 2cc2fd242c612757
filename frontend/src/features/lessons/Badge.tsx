/** The badge of a lesson for other sites, ready to copy as Markdown, HTML or a bare link. */
import type { ReactElement } from 'react';

import { badgeTexts } from '../../core/portal/snippets.ts';
import { CopyBox } from '../../ui/portal/CopyBox.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './lessons.module.css';

const KINDS = ['markdown', 'html', 'link'] as const;

interface BadgeProps {
  openUrl: string;
  badgeUrl: string;
}

export function Badge({ openUrl, badgeUrl }: BadgeProps): ReactElement {
  const { t } = useWords();
  const alt = t('lesson.badge.alt');
  const texts = badgeTexts({ link: openUrl, image: badgeUrl, alt });
  const words = { copy: t('common.copy'), copied: t('common.copied'), manual: t('common.copy.manual') };
  return (
    <div className={styles.badge}>
      <p>{t('lesson.badge.text')}</p>
      <div className={styles.preview}>
        {t('lesson.badge.preview')}
        {/* The picture as this origin serves it; what is copied names the public address. */}
        <img src={new URL(badgeUrl).pathname} alt={alt} height={28} />
      </div>
      <div className={styles.texts}>
        {KINDS.map((kind) => (
          <div key={kind}>
            <h3>{t(`lesson.badge.${kind}`)}</h3>
            <CopyBox text={texts[kind]} label={t(`lesson.badge.${kind}`)} words={words} />
          </div>
        ))}
      </div>
    </div>
  );
}
