/** Makes a blank project: a name and an environment. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, Input, Modal, Radio } from 'antd';
import { type ReactElement, useState } from 'react';

import { api, body, type Schemas } from '../../api/client.ts';
import { enterProject, go } from '../../api/enter.ts';
import { environmentsQuery, keys } from '../../api/queries.ts';
import { checkProjectName } from '../../core/portal/forms.ts';
import { size } from '../../core/portal/sizes.ts';
import { Notice } from '../../ui/portal/Notice.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { Skeleton } from '../../ui/portal/Skeleton.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './projects.module.css';

interface Values {
  name: string;
  environment?: string;
}

export function NewProject({ onClose }: { onClose: () => void }): ReactElement {
  const { t, language } = useWords();
  const queries = useQueryClient();
  const [form] = Form.useForm<Values>();
  const environments = useQuery(environmentsQuery(language));
  const first = environments.data?.environments.find((one) => one.available)?.name ?? environments.data?.environments[0]?.name;
  // A second click, or a try after a broken connection, must not make a second project.
  const [key] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));

  const create = useMutation({
    mutationFn: async ({ name, environment }: Values) => {
      const chosen = environment ?? first ?? null;
      const project = await body(api.POST('/api/v1/projects', { body: { name: name.trim(), environment: chosen, key } }));
      return enterProject(project.id);
    },
    onSuccess: (opened) => go(opened.enter),
    onError: () => void queries.invalidateQueries({ queryKey: keys.projects }),
  });
  const busy = create.isPending || create.isSuccess;

  return (
    <Modal
      open
      title={t('projects.new.title')}
      okText={busy ? t('projects.opening') : t('projects.new.submit')}
      cancelText={t('common.cancel')}
      okButtonProps={{ loading: busy }}
      cancelButtonProps={{ disabled: busy }}
      mask={{ closable: false }}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" requiredMark={false} disabled={busy} onFinish={(values) => create.mutate(values)} style={{ marginTop: 16 }}>
        {create.error && (
          <div style={{ marginBottom: 16 }}>
            <Problem error={create.error} />
          </div>
        )}
        <Form.Item
          name="name"
          label={t('projects.name')}
          validateTrigger="onSubmit"
          rules={[
            {
              validator: (_rule, text: string | undefined) => {
                const refusal = checkProjectName(text ?? '');
                return refusal ? Promise.reject(new Error(t(refusal.key, refusal.params))) : Promise.resolve();
              },
            },
          ]}
        >
          <Input autoFocus autoComplete="off" placeholder={t('projects.name.example')} />
        </Form.Item>
        <Form.Item label={t('projects.environment')} style={{ marginBottom: 8 }}>
          {environments.error ? (
            <Problem error={environments.error} onRetry={() => void environments.refetch()} />
          ) : !environments.data ? (
            <Skeleton height={64} />
          ) : environments.data.environments.length === 0 ? (
            <Notice tone="warn">
              <p>{t('projects.environments.none')}</p>
            </Notice>
          ) : (
            <Form.Item name="environment" initialValue={first} noStyle>
              <Environments all={environments.data.environments} />
            </Form.Item>
          )}
        </Form.Item>
      </Form>
    </Modal>
  );
}

interface EnvironmentsProps {
  all: Schemas['Environment'][];
  value?: string;
  onChange?: (name: string) => void;
}

/** What each environment gives and what it may reach is said before it is chosen. */
function Environments({ all, value, onChange }: EnvironmentsProps): ReactElement {
  const { t } = useWords();
  return (
    <Radio.Group aria-label={t('projects.environment')} value={value} onChange={(event) => onChange?.(event.target.value as string)} className={styles.environments}>
      {all.map((one) => (
        <Radio key={one.name} value={one.name}>
          {one.title}
          <small>
            {[
              t('projects.environment.size', { memory: size(one.memory_mb * 1024 * 1024), cpus: one.cpus }),
              t(`projects.environment.network.${one.network}`),
              ...(one.available ? [] : [t('projects.environment.unavailable')]),
            ].join(' · ')}
          </small>
        </Radio>
      ))}
    </Radio.Group>
  );
}
