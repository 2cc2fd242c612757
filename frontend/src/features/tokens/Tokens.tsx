/** My tokens: make one, see when each was used, revoke it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Modal } from 'antd';
import { type ReactElement, useState } from 'react';

import { api, body, type Schemas } from '../../api/client.ts';
import { keys, tokensQuery } from '../../api/queries.ts';
import { moment } from '../../core/portal/moments.ts';
import { Button } from '../../ui/portal/Button.tsx';
import { Icon } from '../../ui/portal/icons.tsx';
import { Empty } from '../../ui/portal/Page.tsx';
import { Problem } from '../../ui/portal/Problem.tsx';
import { muted, Table } from '../../ui/portal/Table.tsx';
import { useWords } from '../../ui/portal/Words.tsx';
import { Block } from './Block.tsx';
import { NewToken } from './NewToken.tsx';

type Token = Schemas['Token'];

export function Tokens(): ReactElement {
  const { t } = useWords();
  const tokens = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Token | null>(null);
  return (
    <Block
      id="tokens"
      title={t('tokens.title')}
      sub={t('tokens.sub')}
      action={
        <Button onClick={() => setMaking(true)}>
          <Icon name="plus" />
          {t('tokens.new')}
        </Button>
      }
    >
      {tokens.error && !tokens.data ? (
        <Problem error={tokens.error} onRetry={() => void tokens.refetch()} />
      ) : tokens.data?.length === 0 ? (
        <Empty>
          <p>{t('tokens.empty')}</p>
        </Empty>
      ) : (
        <TokenTable tokens={tokens.data} onRevoke={setRevoked} />
      )}
      {making && <NewToken onClose={() => setMaking(false)} />}
      {revoked && <Revoke token={revoked} onClose={() => setRevoked(null)} />}
    </Block>
  );
}

function TokenTable({ tokens, onRevoke }: { tokens: Token[] | undefined; onRevoke: (token: Token) => void }): ReactElement {
  const { t, language } = useWords();
  const expiry = ({ expires }: Token): string => {
    if (!expires) return t('tokens.never');
    return new Date(expires) < new Date() ? t('tokens.expired') : moment(expires, language);
  };
  return (
    <Table
      label={t('tokens.title')}
      loading={t('common.loading')}
      rows={tokens}
      rowKey={(token) => token.id}
      columns={[
        { key: 'label', title: t('tokens.label'), head: true, cell: (token) => token.label },
        {
          key: 'used',
          title: t('tokens.used'),
          width: '190px',
          cell: (token) => <span className={muted}>{token.last_used ? moment(token.last_used, language) : t('common.never')}</span>,
        },
        { key: 'expires', title: t('tokens.expires'), width: '190px', cell: (token) => <span className={muted}>{expiry(token)}</span> },
        {
          key: 'actions',
          title: t('projects.actions'),
          width: '110px',
          actions: true,
          cell: (token) => (
            <Button size="small" onClick={() => onRevoke(token)} aria-label={`${t('tokens.revoke')}: ${token.label}`}>
              {t('tokens.revoke')}
            </Button>
          ),
        },
      ]}
    />
  );
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }): ReactElement {
  const { t } = useWords();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => body(api.DELETE('/api/v1/tokens/{token}', { params: { path: { token: token.id } } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.tokens });
      void message.success(t('tokens.revoked', { label: token.label }));
      onClose();
    },
  });
  return (
    <Modal
      open
      title={t('tokens.revoke.title', { label: token.label })}
      okText={t('tokens.revoke')}
      cancelText={t('common.cancel')}
      okButtonProps={{ danger: true }}
      confirmLoading={revoke.isPending}
      onOk={() => revoke.mutate()}
      onCancel={onClose}
    >
      {revoke.error && <Problem error={revoke.error} />}
      <p>{t('tokens.revoke.lost')}</p>
    </Modal>
  );
}
