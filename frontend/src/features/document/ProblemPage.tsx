/** The page of what cannot be opened: what happened, what became of the work, what to do now; the code in small type. */
import './document.css';

import type { ReactNode } from 'react';

import type { Boot, Problem } from '../../core/boot.ts';
import type { StudioT } from '../../i18n/studio.ts';
import { Icon } from '../../ui/icons.tsx';
import { useT } from '../../ui/words.tsx';

function sentence(problem: Problem, t: StudioT): string {
  if (problem.detail) return problem.detail;
  if (/notebook/.test(problem.code)) return t('problem.notebook');
  if (problem.status === 404) return t('problem.404');
  if (problem.status === 403) return t('problem.403');
  return t(problem.status === 401 ? 'problem.401' : 'problem.500');
}

export function ProblemPage({ problem, boot, download }: { problem: Problem; boot: Pick<Boot, 'portal_url'>; download?: string | undefined }): ReactNode {
  const t = useT();
  return (
    <main className="jq-page-note">
      <span className="jq-page-mark">
        <Icon name="warn" size={24} />
      </span>
      <h1>{sentence(problem, t)}</h1>
      <div className="jq-page-actions">
        <a className="jq-button jq-button--primary" href={`${boot.portal_url}/`}>
          {t('problem.home')}
        </a>
        {download && (
          <a className="jq-button jq-button--plain" href={download} download>
            {t('view.download')}
          </a>
        )}
        {problem.status >= 500 && (
          <button type="button" className="jq-button jq-button--plain" onClick={() => location.reload()}>
            {t('problem.reload')}
          </button>
        )}
      </div>
      <p>
        <code className="jq-code">{t('problem.code', { code: problem.code })}</code>
        {problem.request_id && <code className="jq-code">{t('problem.request', { id: problem.request_id })}</code>}
      </p>
    </main>
  );
}
