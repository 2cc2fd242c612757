/** The studio page 工作台: composes the features around one notebook or file. */
import './studio.css';

import { type ReactNode, useEffect, useState } from 'react';

import type { Boot, Lang } from '../../core/boot.ts';
import type { Contents } from '../../core/contents.ts';
import type { Draft, Drafts } from '../../core/drafts.ts';
import type { Platform } from '../../core/platform.ts';
import type { Store } from '../../core/store.ts';
import { FileView } from '../../features/document/FileView.tsx';
import { ProblemPage } from '../../features/document/ProblemPage.tsx';
import { SaveBadge } from '../../features/document/SaveBadge.tsx';
import { DraftNotice, SaveNotices } from '../../features/document/SaveNotices.tsx';
import { FilesPanel } from '../../features/files/FilesPanel.tsx';
import { environmentName, KernelChip, networkText } from '../../features/kernel/KernelChip.tsx';
import { KernelNotice } from '../../features/kernel/KernelNotice.tsx';
import type { NotebookController } from '../../features/notebook/controller.ts';
import { NotebookDialogs } from '../../features/notebook/Dialogs.tsx';
import { NotebookView } from '../../features/notebook/NotebookView.tsx';
import { Toolbar } from '../../features/notebook/Toolbar.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useStore, useT } from '../../ui/words.tsx';
import { Header } from './Header.tsx';

interface Props {
  boot: Boot;
  lang: Store<Lang>;
  contents: Contents;
  platform: Platform;
  drafts: Drafts;
  controller: NotebookController | null;
}

export function Studio({ boot, lang, contents, platform, drafts, controller }: Props): ReactNode {
  const t = useT();
  const [filesOpen, setFilesOpen] = useState(() => readPanel());
  const file = boot.path.split('/').pop() ?? '';
  useEffect(() => {
    document.title = t('studio.title', { file: boot.lesson?.title ?? file });
  }, [t, file, boot.lesson]);
  const toggleFiles = (): void => {
    setFilesOpen(!filesOpen);
    keepPanel(!filesOpen);
  };
  if (boot.problem) {
    const download = boot.path ? contents.downloadUrl(boot.path) : undefined;
    return <ProblemPage problem={boot.problem} boot={boot} download={/notebook/.test(boot.problem.code) ? download : undefined} />;
  }
  const link = controller?.link;
  return (
    <div className="jq-studio">
      <a className="jq-skip" href="#jq-notebook">
        {t('studio.skip')}
      </a>
      <Header
        boot={boot}
        lang={lang}
        filesOpen={filesOpen}
        toggleFiles={toggleFiles}
        download={contents.downloadUrl(boot.path)}
        save={controller && <SaveBadge saver={controller.saver} readOnly={controller.readOnly} />}
        environment={link && <Environment boot={boot} controller={controller} />}
        chip={link && <KernelChip link={link} boot={boot} restart={() => controller.askRestart()} />}
      />
      {controller && <Toolbar controller={controller} />}
      <Notices boot={boot} controller={controller} drafts={drafts} />
      <div className="jq-body">
        {filesOpen && <FilesPanel boot={boot} contents={contents} platform={platform} close={toggleFiles} />}
        {controller ? <NotebookView controller={controller} /> : <FileView contents={contents} path={boot.path} />}
      </div>
      {controller && <NotebookDialogs controller={controller} />}
    </div>
  );
}

function Notices({ boot, controller, drafts }: Pick<Props, 'boot' | 'controller' | 'drafts'>): ReactNode {
  const t = useT();
  const [draft, setDraft] = useState<Draft | null>(null);
  const path = boot.path;
  useEffect(() => {
    if (!controller) return;
    void drafts.get(path).then(setDraft, () => undefined);
  }, [controller, drafts, path]);
  const [foreign, setForeign] = useState(() => controller?.hasForeignOutputs ?? false);
  const forget = (): void => {
    setDraft(null);
    void drafts.remove(path);
  };
  return (
    <div className="jq-notices">
      {!boot.isolated && (
        <Banner tone="warn" code="isolate.warn">
          {t('isolate.warn')}
        </Banner>
      )}
      {boot.user.role === 'guest' && (
        <Banner
          tone="info"
          actions={
            <a className="jq-link" href={`${boot.portal_url}/register`}>
              {t('guest.keep')}
            </a>
          }
        >
          {t('guest.banner')}
        </Banner>
      )}
      {foreign && (
        <Banner
          tone="info"
          actions={
            <Button kind="plain" onClick={() => setForeign(false)}>
              {t('studio.ok')}
            </Button>
          }
        >
          {t('studio.untrusted')}
        </Banner>
      )}
      {draft && controller && (
        <DraftNotice
          draft={draft}
          drop={forget}
          use={() => {
            controller.replaceContent(draft.content);
            setDraft(null);
          }}
        />
      )}
      {controller && <SaveNotices saver={controller.saver} choices={controller.choices} />}
      {controller && <KernelNotice link={controller.link} />}
    </div>
  );
}

function Environment({ boot, controller }: { boot: Boot; controller: NotebookController }): ReactNode {
  const t = useT();
  const { kernel } = useStore(controller.link.state);
  const name = environmentName(boot, kernel?.environment ?? boot.project.environment);
  if (!name) return null;
  return (
    <span className="jq-environment" title={kernel?.network ? `${name} · ${networkText(kernel.network, t)}` : name}>
      <Icon name="cube" size={14} />
      <span>{name}</span>
      {kernel?.network && <em>{networkText(kernel.network, t)}</em>}
    </span>
  );
}

const PANEL = 'jiqi.files';

/** Open on a wide screen unless it was closed; on a phone it covers the notebook and starts closed. */
function readPanel(): boolean {
  return innerWidth >= 1024 && localStorage.getItem(PANEL) === 'open';
}

function keepPanel(open: boolean): void {
  if (innerWidth >= 1024) localStorage.setItem(PANEL, open ? 'open' : 'closed');
}
