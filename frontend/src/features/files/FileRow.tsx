/** One file or folder of the panel. */
import type { ReactNode } from 'react';

import type { FileEntry } from '../../core/contents.ts';
import { bytesText } from '../../core/upload.ts';
import { Icon } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { useT } from '../../ui/words.tsx';

interface Props {
  entry: FileEntry;
  current: boolean;
  href: string;
  download: string;
  enter: () => void;
  rename: () => void;
  remove: () => void;
}

export function FileRow({ entry, current, href, download, enter, rename, remove }: Props): ReactNode {
  const t = useT();
  const isFolder = entry.type === 'directory';
  const icon = isFolder ? 'folder' : entry.type === 'notebook' ? 'notebook' : 'file';
  const body = (
    <>
      <Icon name={icon} />
      <span className="jq-file-name">{entry.name}</span>
      {!isFolder && <span className="jq-file-size">{bytesText(entry.size)}</span>}
    </>
  );
  const items: (MenuItem | null)[] = [
    isFolder ? null : { text: t('files.download'), icon: 'download', href: download, download: true },
    { text: t('files.rename'), icon: 'pencil', act: rename, disabled: current },
    { text: t('files.delete'), icon: 'trash', act: remove, danger: true, disabled: current },
  ];
  return (
    <li className={`jq-file-row ${current ? 'is-current' : ''}`}>
      {isFolder ? (
        <button type="button" className="jq-file-link" title={entry.name} onClick={enter}>
          {body}
        </button>
      ) : (
        <a className="jq-file-link" title={entry.name} href={href} aria-current={current ? 'page' : undefined}>
          {body}
        </a>
      )}
      <Menu label={t('files.actions', { name: entry.name })} items={items.filter((item) => item !== null)} />
    </li>
  );
}
