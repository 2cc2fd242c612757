/** Finds projects by a part of their name. */
import { Input } from 'antd';
import type { ReactElement } from 'react';

import { Icon } from '../../ui/portal/icons.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './projects.module.css';

/** Compared without case and width, as names are. */
export function matching<T extends { name: string }>(projects: T[], text: string): T[] {
  const fold = (name: string): string => name.normalize('NFKC').toLowerCase();
  const wanted = fold(text.trim());
  return wanted ? projects.filter((project) => fold(project.name).includes(wanted)) : projects;
}

interface FilterProps {
  value: string;
  count: number;
  onChange: (text: string) => void;
}

export function Filter({ value, count, onChange }: FilterProps): ReactElement {
  const { t } = useWords();
  return (
    <div className={styles.filter}>
      <Input
        allowClear
        aria-label={t('projects.filter')}
        placeholder={t('projects.filter')}
        prefix={<Icon name="search" />}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span>{t('projects.count', { n: count })}</span>
    </div>
  );
}
