/** A file that is not a notebook: text and images are shown, anything can be downloaded. */
import './document.css';

import { type ReactNode, useEffect, useState } from 'react';

import type { Contents, FileEntry } from '../../core/contents.ts';
import { bytesText } from '../../core/upload.ts';
import { Icon } from '../../ui/icons.tsx';
import { useT } from '../../ui/words.tsx';

const SHOWN = 200_000;
const LARGEST = 2_000_000;

type Shown = { kind: 'loading' } | { kind: 'text'; text: string; cut: boolean } | { kind: 'image' } | { kind: 'none'; size: number | null };

export function FileView({ contents, path }: { contents: Contents; path: string }): ReactNode {
  const t = useT();
  const [shown, setShown] = useState<Shown>({ kind: 'loading' });
  useEffect(() => {
    let gone = false;
    void read(contents, path).then((next) => {
      if (!gone) setShown(next);
    });
    return () => {
      gone = true;
    };
  }, [contents, path]);

  if (shown.kind === 'text') {
    return (
      <div className="jq-file" tabIndex={0}>
        {shown.cut && <p className="jq-note">{t('view.long')}</p>}
        <pre>{shown.text}</pre>
      </div>
    );
  }
  if (shown.kind === 'image') {
    return (
      <div className="jq-file">
        <img src={contents.fileUrl(path)} alt={path.split('/').pop()} />
      </div>
    );
  }
  return (
    <div className="jq-page-note">
      <span className="jq-page-mark">
        <Icon name="file" size={24} />
      </span>
      <h1>{path.split('/').pop()}</h1>
      <p>{shown.kind === 'loading' ? t('view.loading') : `${t('view.binary')} ${bytesText(shown.size)}`}</p>
      <div className="jq-page-actions">
        <a className="jq-button jq-button--primary" href={contents.downloadUrl(path)} download>
          {t('view.download')}
        </a>
      </div>
    </div>
  );
}

async function read(contents: Contents, path: string): Promise<Shown> {
  if (/\.(png|jpe?g|gif|webp|bmp)$/i.test(path)) return { kind: 'image' };
  let head: FileEntry | null = null;
  try {
    head = await contents.head(path);
    if ((head.size ?? 0) > LARGEST) return { kind: 'none', size: head.size };
    const file = await contents.get(path);
    if (typeof file.content !== 'string' || file.format === 'base64') return { kind: 'none', size: head.size };
    return { kind: 'text', text: file.content.slice(0, SHOWN), cut: file.content.length > SHOWN };
  } catch {
    return { kind: 'none', size: head?.size ?? null };
  }
}
