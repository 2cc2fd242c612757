/** The few pictograms of the portal; all are decoration beside words, so readers of the screen never meet them. */
import type { ReactElement } from 'react';

const PATHS = {
  arrow: 'M3 8h9.5M8.5 4l4 4-4 4',
  check: 'M3 8.5 6.5 12 13 4.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  chevron: 'M4 6l4 4 4-4',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.4V11M8 5v.01',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  play: 'M5 3.2v9.6L12.5 8z',
  folder: 'M1.5 12.5v-9h4.2l1.6 1.8h7.2v7.2z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.4 3.4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={name === 'play' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark: a spark in a rounded square, as in the favicon. */
export function Mark({ size = 24 }: { size?: number }): ReactElement {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
      <rect width="32" height="32" rx="8" fill="var(--jq-accent)" />
      <path d="M18.6 5 8 18.2h6.4L12.9 27 24 13.4h-6.6z" fill="var(--jq-text-on-accent)" />
    </svg>
  );
}
