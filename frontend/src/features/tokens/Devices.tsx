/** The browsers in which I am logged in. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Modal } from 'antd';
import { type ReactElement, useState } from 'react';

import { api, body, type Schemas } from '../../api/client.ts';
import { keys, sessionsQuery } from '../../api/queries.ts';
import { agentName } from '../../core/portal/agents.ts';
import { moment } from '../../core/portal/moments.ts';
import { Button } from '../../ui/portal/Button.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { muted, Table } from '../../ui/portal/Table.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { Block } from './Block.tsx';
import styles from './tokens.module.css';

type Session = Schemas['Session'];

export function Devices(): ReactElement {
  const { t, language } = useWords();
  const sessions = useQuery(sessionsQuery);
  const [ended, setEnded] = useState<Session | null>(null);
  const name = ({ agent }: Session): string => agentName(agent) ?? t('devices.unknown');
  const columns = [
    {
      key: 'browser',
      title: t('devices.browser'),
      head: true,
      cell: (session: Session) => (
        <span title={session.agent}>
          {name(session)}
          {session.current && <span className={styles.here}>{t('devices.here')}</span>}
        </span>
      ),
    },
    ...(['created', 'expires'] as const).map((key) => ({
      key,
      title: t(`devices.${key}`),
      width: '190px',
      cell: (session: Session) => <span className={muted}>{moment(session[key], language)}</span>,
    })),
    {
      key: 'actions',
      title: t('projects.actions'),
      width: '110px',
      actions: true,
      // This very browser leaves by the account's menu.
      cell: (session: Session) =>
        session.current ? null : (
          <Button size="small" onClick={() => setEnded(session)} aria-label={`${t('devices.revoke')}: ${name(session)}`}>
            {t('devices.revoke')}
          </Button>
        ),
    },
  ];
  return (
    <Block id="devices" title={t('devices.title')} sub={t('devices.sub')}>
      {sessions.error && !sessions.data ? (
        <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Table label={t('devices.title')} loading={t('common.loading')} rows={sessions.data} rowKey={(session) => session.id} columns={columns} />
      )}
      {ended && <End session={ended} agent={name(ended)} onClose={() => setEnded(null)} />}
    </Block>
  );
}

function End({ session, agent, onClose }: { session: Session; agent: string; onClose: () => void }): ReactElement {
  const { t } = useWords();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => body(api.DELETE('/api/v1/sessions/{session}', { params: { path: { session: session.id } } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.sessions });
      void message.success(t('devices.revoked'));
      onClose();
    },
  });
  return (
    <Modal
      open
      title={t('devices.revoke.title')}
      okText={t('devices.revoke')}
      cancelText={t('common.cancel')}
      okButtonProps={{ danger: true }}
      confirmLoading={end.isPending}
      onOk={() => end.mutate()}
      onCancel={onClose}
    >
      {end.error && <Problem error={end.error} />}
      <p>{t('devices.revoke.lost', { agent })}</p>
    </Modal>
  );
}
