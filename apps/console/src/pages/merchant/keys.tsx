import { ADD_API_KEY, LIST_API_KEYS, REGENERATE_API_KEY, REVOKE_API_KEY } from '@munshi/api';
import { ApiKeys, useList, useWrite } from '@munshi/web-ui';
import { WAITS, waitsText } from '../../say-if-it-waits.ts';
import { ReadyForYou } from '../approvals/ready.tsx';
import type { TabProps } from './shown.ts';

const KEY_WAITS = `${WAITS} Then an admin of the merchant with one-time codes fetches it in the portal; where there is none, an approver who did not ask, under Approvals.`;

export function Keys({ merchant: { merchantId, name, allowedActions } }: TabProps) {
  const params = { merchantId };
  const list = useList(LIST_API_KEYS, { params }, { watch: ['setting'] });
  const add = useWrite(ADD_API_KEY);
  const regenerate = useWrite(REGENERATE_API_KEY);
  const revoke = useWrite(REVOKE_API_KEY);
  return (
    <>
      <ReadyForYou target={merchantId} />
      <ApiKeys
        list={list}
        name={name}
        mayIssue={{
          add: allowedActions.includes('api-keys'),
          regenerate: allowedActions.includes('api-keys/regenerate'),
        }}
        issue={async (issue) => {
          const { data } = await (issue === 'add' ? add : regenerate).send({ params });
          if ('status' in data) return { instead: waitsText(data, KEY_WAITS) ?? '' };
          const { apiKey, signingSecret } = data;
          return apiKey === undefined || signingSecret === undefined
            ? { instead: 'The secret was already shown. If it is lost, regenerate the key.' }
            : { apiKey, signingSecret };
        }}
        revoke={(keyId) => revoke.send({ params: { ...params, keyId } })}
      />
    </>
  );
}
