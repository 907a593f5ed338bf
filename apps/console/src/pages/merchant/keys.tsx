import { ADD_API_KEY, LIST_API_KEYS, REGENERATE_API_KEY, REVOKE_API_KEY } from '@munshi/api';
import { ApiKeys, useList, useWrite } from '@munshi/web-ui';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { whatWaits } from '../../say-if-it-waits.tsx';
import { ReadyForYou } from '../approvals/ready.tsx';
import type { TabProps } from './shown.ts';

const THEN =
  'Then an admin of the merchant with one-time codes fetches it in the portal; where there is none, an approver who did not ask, under Approvals.';

export function Keys({ merchant: { merchantId, name, allowedActions } }: TabProps) {
  const params = { merchantId };
  const list = useList(LIST_API_KEYS, { params }, { watch: ['setting'] });
  const [ifAdded, add] = useMayWait(ADD_API_KEY);
  const [ifRegenerated, regenerate] = useMayWait(REGENERATE_API_KEY);
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
        ifItWaits={(issue) => (issue === 'add' ? ifAdded : ifRegenerated)({ params })}
        issue={async (issue) => {
          const { data } = await (issue === 'add' ? add : regenerate)({ params });
          if ('status' in data) return { instead: whatWaits(data, THEN) };
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
