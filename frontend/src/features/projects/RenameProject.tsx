/** Gives a project another name; its folder stays where it is. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { App, Input, Modal } from 'antd';
import { type ReactElement, useId, useState } from 'react';

import { api, body, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { checkProjectName, sameName } from '../../core/portal/forms.ts';
import { Problem } from '../../ui/portal/Problem.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './projects.module.css';

export function RenameProject({ project, onClose }: { project: Schemas['Project']; onClose: () => void }): ReactElement {
  const { t } = useWords();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const id = useId();
  const [name, setName] = useState(project.name);
  const [tried, setTried] = useState(false);
  const refusal = checkProjectName(name);

  const rename = useMutation({
    mutationFn: () =>
      body(api.PATCH('/api/v1/projects/{project}', { params: { path: { project: project.id } }, body: { name: name.trim() } })),
    onSuccess: async (renamed) => {
      await queries.invalidateQueries({ queryKey: keys.projects });
      void message.success(t('projects.renamed', { name: renamed.name }));
      onClose();
    },
  });

  const send = (): void => {
    setTried(true);
    if (refusal || rename.isPending) return;
    if (sameName(name, project.name)) onClose();
    else rename.mutate();
  };

  return (
    <Modal
      open
      title={t('projects.rename.title')}
      okText={t('projects.rename.submit')}
      cancelText={t('common.cancel')}
      confirmLoading={rename.isPending}
      onOk={send}
      onCancel={onClose}
    >
      <div className={styles.stack} style={{ paddingTop: 8 }}>
        {rename.error && <Problem error={rename.error} />}
        <div>
          <label htmlFor={id}>{t('projects.name')}</label>
          <Input
            id={id}
            autoFocus
            value={name}
            status={tried && refusal ? 'error' : undefined}
            aria-invalid={tried && refusal ? true : undefined}
            aria-describedby={`${id}-note`}
            onChange={(event) => setName(event.target.value)}
            onPressEnter={(event) => !event.nativeEvent.isComposing && send()}
            style={{ margin: '4px 0' }}
          />
          <small id={`${id}-note`} style={{ color: tried && refusal ? 'var(--jq-danger)' : 'var(--jq-text-3)', fontSize: 13 }}>
            {tried && refusal ? t(refusal.key, refusal.params) : t('projects.rename.note', { folder: project.folder })}
          </small>
        </div>
      </div>
    </Modal>
  );
}
