/** An error as the reader meets it: the sentence, the code in small type, and another try where that may help. */
import type { ReactElement } from 'react';

import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';
import { useWords } from './Words.tsx';

export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactElement {
  const { t, tell } = useWords();
  const told = tell(error);
  const code = told.requestId ? t('common.details.id', { code: told.code, id: told.requestId }) : t('common.details', { code: told.code });
  return (
    <Notice
      tone="danger"
      code={code}
      action={
        onRetry &&
        told.again && (
          <Button size="small" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )
      }
    >
      <p>{told.text}</p>
    </Notice>
  );
}
