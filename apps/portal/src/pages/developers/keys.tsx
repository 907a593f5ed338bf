import {
  PORTAL_ADD_KEY,
  PORTAL_LIST_KEYS,
  PORTAL_READ_CODE_STATE,
  PORTAL_READ_MERCHANT,
  PORTAL_REGENERATE_KEY,
  PORTAL_REVOKE_KEY,
} from '@munshi/api';
import { ApiKeys, Loaded, useList, useRead, useWrite } from '@munshi/web-ui';
import { Link } from 'wouter';
import { texts as appTexts } from '../../texts.ts';
import { texts } from './texts.ts';

/** API keys; admins issue and revoke them with a one-time code, where the operator allows it. */
export function Keys() {
  const read = useRead(PORTAL_READ_MERCHANT, {}, { watch: ['setting'] });
  const list = useList(PORTAL_LIST_KEYS, {}, { watch: ['setting'] });
  const add = useWrite(PORTAL_ADD_KEY);
  const regenerate = useWrite(PORTAL_REGENERATE_KEY);
  const revoke = useWrite(PORTAL_REVOKE_KEY);
  const codes = useRead(PORTAL_READ_CODE_STATE, {});
  const hasCodes = codes.data?.data.on ?? false;
  return (
    <Loaded read={read}>
      {({ data: { name, ownKeysAllowed, allowedActions } }) => (
        <ApiKeys
          list={list}
          name={name}
          mayIssue={{
            add: hasCodes && allowedActions.includes('api-keys'),
            regenerate: hasCodes && allowedActions.includes('regenerate'),
          }}
          mayRevoke={hasCodes}
          byCode
          hint={
            !ownKeysAllowed ? (
              texts.issuedByOperator
            ) : allowedActions.length === 0 ? (
              texts.issuedByAdmins
            ) : codes.data === undefined ? null : hasCodes ? (
              texts.issuedHere
            ) : (
              <>
                {texts.needsCodes} <Link href="/security">{appTexts.setUpCodes}</Link>
              </>
            )
          }
          issue={async (issue, oneTimeCode) => {
            const write = issue === 'add' ? add : regenerate;
            const { keyId, apiKey, signingSecret } = (await write.send({ body: { oneTimeCode } }))
              .data;
            return apiKey === undefined || signingSecret === undefined
              ? { instead: texts.secretGone }
              : { keyId, apiKey, signingSecret };
          }}
          revoke={(keyId, oneTimeCode) => revoke.send({ params: { keyId }, body: { oneTimeCode } })}
        />
      )}
    </Loaded>
  );
}
