/** Grey bars where text will stand. */
import type { ReactElement } from 'react';

import styles from './skeleton.module.css';

export function Skeleton({ width = '100%', height = 16 }: { width?: string | number; height?: number }): ReactElement {
  return <span aria-hidden="true" className={styles.bar} style={{ width, height }} />;
}
