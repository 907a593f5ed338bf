import { PORTAL_KEYS } from '@munshi/api';
import { ApiKeys, useList } from '@munshi/web-ui';
import { useSession } from '../../session.tsx';
import { texts } from './texts.ts';

export function Keys() {
  const { merchant } = useSession();
  const list = useList(PORTAL_KEYS, {}, { watch: ['setting'] });
  return (
    <ApiKeys
      list={{ ...list, rows: list.rows?.map((key) => ({ ...key, allowedActions: [] })) }}
      name={merchant.name}
      mayIssue={{ add: false, regenerate: false }}
      hint={texts.issuedByOperator}
      issue={() => Promise.reject(new Error('not offered'))}
      revoke={() => Promise.reject(new Error('not offered'))}
    />
  );
}
