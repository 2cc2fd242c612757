/** The files of the project: list, upload by button or drop, download, new, rename, delete. */
import './files.css';

import { type DragEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

import type { Boot } from '../../core/boot.ts';
import type { Contents, FileEntry } from '../../core/contents.ts';
import type { Platform } from '../../core/platform.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useT } from '../../ui/words.tsx';
import { AskDialog, type Asked } from './dialogs.tsx';
import { FileRow } from './FileRow.tsx';
import { UploadList } from './UploadList.tsx';
import { Uploads } from './uploads.ts';

interface Props {
  boot: Boot;
  contents: Contents;
  platform: Platform;
  close: () => void;
}

type Listing = { kind: 'loading' } | { kind: 'error'; why: string } | { kind: 'list'; entries: FileEntry[] };

const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');
const nameOf = (path: string): string => path.split('/').pop() ?? '';

export function FilesPanel({ boot, contents, platform, close }: Props): ReactNode {
  const t = useT();
  const root = boot.project.folder;
  const [folder, setFolder] = useState(parentOf(boot.path) || root);
  const [listing, setListing] = useState<Listing>({ kind: 'loading' });
  const [asked, setAsked] = useState<Asked | null>(null);
  const [dragging, setDragging] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const newest = useRef(0);

  const refresh = useCallback(async (): Promise<void> => {
    const mine = (newest.current += 1);
    try {
      const entries = await contents.list(folder);
      if (mine === newest.current) setListing({ kind: 'list', entries });
    } catch (error) {
      if (mine === newest.current) setListing({ kind: 'error', why: (error as Error).message });
    }
  }, [contents, folder]);

  const [uploads] = useState(() => new Uploads(platform, () => latest.current()));
  const latest = useRef<() => void>(() => undefined);
  latest.current = () => void refresh();

  useEffect(() => {
    setListing({ kind: 'loading' });
    void refresh();
  }, [refresh]);

  const change = async (act: () => Promise<unknown>): Promise<void> => {
    await act();
    await refresh();
  };

  const send = (files: FileList | File[]): void => {
    const here = new Set(listing.kind === 'list' ? listing.entries.map((entry) => entry.name) : []);
    const all = [...files];
    const fresh = all.filter((file) => !here.has(file.name));
    const [first, ...rest] = all.filter((file) => here.has(file.name));
    for (const file of fresh) void uploads.add(folder, file);
    if (!first) return;
    const replace = async (): Promise<void> => {
      for (const file of [first, ...rest]) void uploads.add(folder, file);
    };
    const names = [first, ...rest].map((file) => file.name).join('、');
    setAsked({ kind: 'sure', title: t('files.replace.title', { name: names }), body: t('files.replace.body'), done: t('files.replace.do'), danger: false, act: replace });
  };

  const newFolder = (): void =>
    setAsked({
      kind: 'name',
      title: t('files.folder'),
      first: t('files.name.new'),
      done: t('files.create'),
      act: (name) => change(() => contents.newFolder(folder, name)),
    });

  const rename = (entry: FileEntry): void =>
    setAsked({
      kind: 'name',
      title: t('files.rename'),
      first: entry.name,
      done: t('files.rename'),
      act: (name) => change(() => contents.rename(entry.path, folder ? `${folder}/${name}` : name)),
    });

  const remove = (entry: FileEntry): void =>
    setAsked({
      kind: 'sure',
      title: t('files.delete.title', { name: entry.name }),
      body: t(entry.type === 'directory' ? 'files.delete.folder' : 'files.delete.body'),
      done: t('files.delete'),
      danger: true,
      act: () => change(() => contents.remove(entry.path)),
    });

  const newNotebook = async (): Promise<void> => {
    const made = await contents.newNotebook(folder);
    location.assign(pageUrl(boot, made.path));
  };

  const drag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDragging(event.type !== 'drop' && event.type !== 'dragleave');
    if (event.type === 'drop') send(event.dataTransfer.files);
  };

  const inRoot = folder === root || folder === '';
  return (
    <aside className={`jq-files ${dragging ? 'is-dropping' : ''}`} aria-label={t('files.title')} onDragOver={drag} onDragLeave={drag} onDrop={drag}>
      <header className="jq-files-head">
        <h2>{t('files.title')}</h2>
        <Button icon="upload" label={t('files.upload')} onClick={() => picker.current?.click()} />
        <Button icon="plus" label={t('files.notebook')} onClick={() => void newNotebook()} />
        <Button icon="folderPlus" label={t('files.folder')} onClick={newFolder} />
        <Button icon="refresh" label={t('files.refresh')} onClick={() => void refresh()} />
        <Button icon="close" label={t('files.close')} className="jq-only-small" onClick={close} />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            if (event.target.files) send(event.target.files);
            event.target.value = '';
          }}
        />
      </header>
      <div className="jq-files-path">
        {!inRoot && <Button icon="up" label={t('files.up')} onClick={() => setFolder(parentOf(folder))} />}
        <span title={folder}>{inRoot ? boot.project.name : nameOf(folder)}</span>
      </div>
      <div className="jq-files-body">
        {listing.kind === 'loading' && <Skeleton />}
        {listing.kind === 'error' && (
          <div className="jq-files-empty">
            <strong>{t('files.error')}</strong>
            <span>{listing.why}</span>
            <Button kind="plain" onClick={() => void refresh()}>
              {t('files.retry')}
            </Button>
          </div>
        )}
        {listing.kind === 'list' && listing.entries.length === 0 && (
          <div className="jq-files-empty">
            <Icon name="folder" size={24} />
            <strong>{t('files.empty')}</strong>
            <span>{t('files.empty.hint')}</span>
          </div>
        )}
        {listing.kind === 'list' && (
          <ul className="jq-files-list" aria-label={t('files.list')}>
            {listing.entries.map((entry) => (
              <FileRow
                key={entry.path}
                entry={entry}
                current={entry.path === boot.path}
                href={pageUrl(boot, entry.path)}
                download={contents.downloadUrl(entry.path)}
                enter={() => setFolder(entry.path)}
                rename={() => rename(entry)}
                remove={() => remove(entry)}
              />
            ))}
          </ul>
        )}
      </div>
      <UploadList uploads={uploads} />
      {dragging && <div className="jq-files-drop">{t('files.drop', { folder: inRoot ? boot.project.name : nameOf(folder) })}</div>}
      {asked && <AskDialog asked={asked} close={() => setAsked(null)} />}
    </aside>
  );
}

/** The studio page of a file of this project. */
export function pageUrl(boot: Boot, path: string): string {
  return `/p/${encodeURIComponent(boot.project.id)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

function Skeleton(): ReactNode {
  return (
    <div className="jq-files-skeleton" aria-hidden="true">
      {[72, 56, 64, 40].map((width) => (
        <span key={width} className="jq-skeleton" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
