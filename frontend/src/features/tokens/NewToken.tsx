/** Makes a token, shows it this once, and shows how to use it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form, Input, Modal, Select } from 'antd';
import { type ReactElement, useState } from 'react';

import { api, body, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { pythonExample, serverUrl } from '../../core/portal/snippets.ts';
import { CopyBox } from '../../ui/portal/CopyBox.tsx';
import { Notice } from '../../ui/portal/Notice.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import styles from './tokens.module.css';

/** Days; 0 stands for "until revoked". */
const LIVES = [7, 30, 90, 365, 0];
const USUAL = 90;
const LABEL_LIMIT = 100;

interface Values {
  label: string;
  days: number;
}

export function NewToken({ onClose }: { onClose: () => void }): ReactElement {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: ({ label, days }: Values) => body(api.POST('/api/v1/tokens', { body: { label: label.trim(), days: days || null } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.tokens }),
  });
  return create.data ? (
    <Made made={create.data} onClose={onClose} />
  ) : (
    <Ask busy={create.isPending} error={create.error} onSend={(values) => create.mutate(values)} onClose={onClose} />
  );
}

interface AskProps {
  busy: boolean;
  error: Error | null;
  onSend: (values: Values) => void;
  onClose: () => void;
}

function Ask({ busy, error, onSend, onClose }: AskProps): ReactElement {
  const { t } = useWords();
  const [form] = Form.useForm<Values>();
  const lives = LIVES.map((days) => ({ value: days, label: days ? t('tokens.expiry.days', { n: days }) : t('tokens.expiry.never') }));
  return (
    <Modal
      open
      title={t('tokens.new')}
      okText={t('tokens.submit')}
      cancelText={t('common.cancel')}
      confirmLoading={busy}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" requiredMark={false} disabled={busy} initialValues={{ label: '', days: USUAL }} onFinish={onSend} style={{ marginTop: 16 }}>
        {error && (
          <div style={{ marginBottom: 16 }}>
            <Problem error={error} />
          </div>
        )}
        <Form.Item
          name="label"
          label={t('tokens.label')}
          validateTrigger="onSubmit"
          rules={[
            { required: true, whitespace: true, message: t('form.required') },
            { max: LABEL_LIMIT, message: t('form.name.long', { limit: LABEL_LIMIT }) },
          ]}
        >
          <Input autoFocus autoComplete="off" placeholder={t('tokens.label.example')} />
        </Form.Item>
        <Form.Item name="days" label={t('tokens.expiry')} style={{ marginBottom: 8 }}>
          <Select options={lives} />
        </Form.Item>
      </Form>
    </Modal>
  );
}

/** A click outside must not close this: what is shown here is never shown again. */
function Made({ made, onClose }: { made: Schemas['NewToken']; onClose: () => void }): ReactElement {
  const { t } = useWords();
  const words = { copy: t('common.copy'), copied: t('common.copied'), manual: t('common.copy.manual') };
  return (
    <Modal
      open
      width={620}
      title={t('tokens.made')}
      mask={{ closable: false }}
      keyboard={false}
      okText={t('tokens.done')}
      onOk={onClose}
      onCancel={onClose}
      cancelButtonProps={{ style: { display: 'none' } }}
    >
      <div className={styles.stack} style={{ paddingTop: 8 }}>
        <Notice tone="warn">
          <p>{t('tokens.once')}</p>
        </Notice>
        <div>
          <h3>{t('tokens.value')}</h3>
          <CopyBox text={made.secret} label={t('tokens.value')} words={words} />
        </div>
        <Uses made={made} />
      </div>
    </Modal>
  );
}

const PROGRAMS = ['vscode', 'lab', 'python'] as const;

function Uses({ made }: { made: Schemas['NewToken'] }): ReactElement {
  const { t } = useWords();
  const [program, setProgram] = useState<(typeof PROGRAMS)[number]>('vscode');
  const words = { copy: t('common.copy'), copied: t('common.copied'), manual: t('common.copy.manual') };
  const address = serverUrl(made.jupyter_url, made.secret);
  const text = program === 'python' ? pythonExample(made.jupyter_url, made.secret) : address;
  return (
    <div>
      <div className={styles.tabs} role="group" aria-label={t('tokens.use')}>
        {PROGRAMS.map((one) => (
          <button key={one} type="button" aria-pressed={one === program} onClick={() => setProgram(one)}>
            {t(`tokens.use.${one}`)}
          </button>
        ))}
      </div>
      <p className={styles.use}>{t(`tokens.use.${program}.text`)}</p>
      <CopyBox key={program} text={text} label={t(`tokens.use.${program}`)} words={words} />
    </div>
  );
}
