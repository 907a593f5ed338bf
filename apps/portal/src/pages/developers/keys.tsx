import {
  PORTAL_ADD_KEY,
  PORTAL_KEYS,
  PORTAL_MERCHANT,
  PORTAL_REGENERATE_KEY,
  PORTAL_REVOKE_KEY,
} from '@munshi/api';
import { ApiKeys, Loaded, useList, useRead, useWrite } from '@munshi/web-ui';
import { Link } from 'wouter';
import { texts } from './texts.ts';

/** API keys; admins issue and revoke them with a one-time code, where the operator allows it. */
export function Keys() {
  const read = useRead(PORTAL_MERCHANT, {}, { watch: ['setting'] });
  const list = useList(PORTAL_KEYS, {}, { watch: ['setting'] });
  const add = useWrite(PORTAL_ADD_KEY);
  const regenerate = useWrite(PORTAL_REGENERATE_KEY);
  const revoke = useWrite(PORTAL_REVOKE_KEY);
  return (
    <Loaded read={read}>
      {({ data: { name, ownKeysAllowed, allowedActions } }) => (
        <ApiKeys
          list={list}
          name={name}
          mayIssue={{
            add: allowedActions.includes('api-keys'),
            regenerate: allowedActions.includes('regenerate'),
          }}
          byCode
          hint={
            !ownKeysAllowed ? (
              texts.issuedByOperator
            ) : allowedActions.length === 0 ? (
              texts.issuedByAdmins
            ) : (
              <>
                {texts.issuedHere} <Link href="/security">{texts.setUpCodes}</Link>
              </>
            )
          }
          issue={async (issue, oneTimeCode) => {
            const write = issue === 'add' ? add : regenerate;
            const { apiKey, signingSecret } = (await write.send({ body: { oneTimeCode } })).data;
            if (apiKey === undefined || signingSecret === undefined)
              throw new Error(texts.secretGone);
            return { apiKey, signingSecret };
          }}
          revoke={(keyId, oneTimeCode) => revoke.send({ params: { keyId }, body: { oneTimeCode } })}
        />
      )}
    </Loaded>
  );
}
