/** Deletes a project after saying what is lost and having its name typed. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Input, Modal } from 'antd';
import { type ReactElement, useId, useState } from 'react';

import { api, body, type Schemas } from '../../api/client.ts';
import { keys, projectQuery } from '../../api/queries.ts';
import { sameName } from '../../core/portal/forms.ts';
import { size } from '../../core/portal/sizes.ts';
import { Notice } from '../../ui/portal/Notice.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './projects.module.css';

export function DeleteProject({ project, onClose }: { project: Schemas['Project']; onClose: () => void }): ReactElement {
  const { t } = useWords();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const id = useId();
  const [typed, setTyped] = useState('');
  const detail = useQuery(projectQuery(project.id));
  const agreed = sameName(typed, project.name);

  const remove = useMutation({
    mutationFn: () => body(api.DELETE('/api/v1/projects/{project}', { params: { path: { project: project.id } } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.projects, exact: true });
      void queries.invalidateQueries({ queryKey: keys.lessons });
      void message.success(t('projects.deleted', { name: project.name }));
      onClose();
    },
  });

  return (
    <Modal
      open
      title={t('projects.delete.title', { name: project.name })}
      okText={t('projects.delete.submit')}
      cancelText={t('common.cancel')}
      okButtonProps={{ danger: true, disabled: !agreed }}
      confirmLoading={remove.isPending}
      onOk={() => remove.mutate()}
      onCancel={onClose}
    >
      <div className={styles.stack} style={{ paddingTop: 8 }}>
        {remove.error && <Problem error={remove.error} />}
        <Notice tone="warn">
          <p>{t('projects.delete.lost', { folder: project.folder })}</p>
          {detail.data && <Lost contents={detail.data.contents} />}
        </Notice>
        {project.lesson && <p className={styles.text}>{t('projects.delete.lesson')}</p>}
        <div>
          <label htmlFor={id}>
            {t('projects.delete.confirm')} <strong>{project.name}</strong>
          </label>
          <Input
            id={id}
            autoFocus
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onPressEnter={(event) => !event.nativeEvent.isComposing && agreed && !remove.isPending && remove.mutate()}
            style={{ marginTop: 4 }}
          />
        </div>
      </div>
    </Modal>
  );
}

function Lost({ contents }: { contents: Schemas['ProjectContents'] }): ReactElement {
  const { t } = useWords();
  const { files, bytes, kernels } = contents;
  return (
    <p style={{ marginTop: 4, fontWeight: 500 }}>
      {t('projects.delete.size', { files, size: size(bytes) })}
      {kernels > 0 && ` · ${t('projects.delete.kernels', { kernels })}`}
    </p>
  );
}
