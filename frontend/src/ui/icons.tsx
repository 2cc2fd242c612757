/** The icons of the studio page: 16 px, one stroke width, drawn for this product. */
import type { ReactNode } from 'react';

const paths = {
  play: <path d="M5 3.2v9.6l8-4.8z" fill="currentColor" stroke="none" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1.5" fill="currentColor" stroke="none" />,
  restart: <path d="M12.9 7A5 5 0 1 0 13 9.2M13 3v4H9" />,
  runAll: <path d="M2.5 3.5v9L8.6 8zM8.4 3.5v9L14.5 8z" fill="currentColor" stroke="none" />,
  plus: <path d="M8 3v10M3 8h10" />,
  save: <path d="M3 3h8l2 2v8H3zM5.5 3v3.5h4V3M5 13V9.5h6V13" />,
  folder: <path d="M2 4.5A1 1 0 0 1 3 3.5h3.2l1.5 1.7H13a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />,
  file: <path d="M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5" />,
  notebook: <path d="M4 2.5h8.5v11H4zM4 2.5v11M6.6 5.5h3.6M6.6 8h3.6M2.5 5h1.5M2.5 8h1.5M2.5 11h1.5" />,
  upload: <path d="M8 10.5V3M5 5.8 8 2.8l3 3M3 10.5V13h10v-2.5" />,
  download: <path d="M8 2.8v7.4M5 7.4l3 3 3-3M3 10.5V13h10v-2.5" />,
  folderPlus: <path d="M2 4.5A1 1 0 0 1 3 3.5h3.2l1.5 1.7H13a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1zM8 7v4M6 9h4" />,
  refresh: <path d="M12.9 6.6A5 5 0 0 0 3.6 5.8M3.1 9.4a5 5 0 0 0 9.3.8M13 3v3.6H9.4M3 13V9.4h3.6" />,
  more: (
    <g fill="currentColor" stroke="none">
      <circle cx="3.5" cy="8" r="1.3" />
      <circle cx="8" cy="8" r="1.3" />
      <circle cx="12.5" cy="8" r="1.3" />
    </g>
  ),
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  chevron: <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />,
  up: <path d="M8 12.5v-9M4.5 7 8 3.5 11.5 7" />,
  panel: <path d="M2.5 3h11v10h-11zM6.3 3v10" />,
  external: <path d="M6.5 3.5H3v9.5h9.5V9.5M9 3h4v4M13 3 7.5 8.5" />,
  keyboard: <path d="M1.8 4h12.4v8H1.8zM4.3 6.5h.1M6.8 6.5h.1M9.3 6.5h.1M11.8 6.5h.1M5 9.5h6" />,
  globe: <path d="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2.2 8h11.6M8 2c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12" />,
  cube: <path d="m8 1.8 5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9zM2.8 5 8 8l5.2-3M8 8v6" />,
  warn: <path d="M8 2.5 14.3 13.5H1.7zM8 6.5v3.2M8 11.6v.1" />,
  info: <path d="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.3v3.5M8 5.2v.1" />,
  check: <path d="m3.5 8.5 3 3 6-7" />,
  cloudOff: <path d="M4.5 12.5H11a3 3 0 0 0 1.9-5.3A4.2 4.2 0 0 0 5 5.6 3.5 3.5 0 0 0 4.5 12.5zM2.5 2.5l11 11" />,
  trash: <path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.3 4.5l.6 8.5h6.2l.6-8.5M6.8 7v3.7M9.2 7v3.7" />,
  pencil: <path d="m3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2z" />,
};

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      className="jq-icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[name]}
    </svg>
  );
}
