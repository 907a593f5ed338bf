import {
  PORTAL_ADD_KEY,
  PORTAL_FETCH_KEY,
  PORTAL_LIST_KEY_REQUESTS,
  PORTAL_LIST_KEYS,
  PORTAL_READ_CODE_STATE,
  PORTAL_READ_MERCHANT,
  PORTAL_REGENERATE_KEY,
  PORTAL_REVOKE_KEY,
} from '@munshi/api';
import { ApiKeys, Loaded, useList, useRead, useWrite } from '@munshi/web-ui';
import { Link } from 'wouter';
import { useSession } from '../../session.tsx';

/** API keys; admins issue and revoke them with a one-time code, where the operator allows it. */
export function Keys() {
  const read = useRead(PORTAL_READ_MERCHANT, {}, { watch: ['setting'] });
  const { user } = useSession();
  const requests = useRead(
    PORTAL_LIST_KEY_REQUESTS,
    {},
    { watch: ['setting'], enabled: user.capabilities.includes('keys') },
  );
  const fetchKey = useWrite(PORTAL_FETCH_KEY);
  const list = useList(PORTAL_LIST_KEYS, {}, { watch: ['setting'] });
  const add = useWrite(PORTAL_ADD_KEY);
  const regenerate = useWrite(PORTAL_REGENERATE_KEY);
  const revoke = useWrite(PORTAL_REVOKE_KEY);
  const codes = useRead(PORTAL_READ_CODE_STATE, {});
  const hasCodes = codes.data?.data.on ?? false;
  const setUpCodes = <Link href="/security">Set up your one-time codes</Link>;
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
              'Keys are issued and revoked by your operator. Ask them for a new one, or to let your admins do it here.'
            ) : allowedActions.length === 0 ? (
              'Admins issue and revoke keys here, with a one-time code.'
            ) : codes.data === undefined ? null : hasCodes ? (
              'New key: the other keys keep working. Regenerate: all other keys stop at once. Both need a one-time code.'
            ) : (
              <>
                You can issue keys here with a one-time code. Set up one-time codes first.{' '}
                {setUpCodes}
              </>
            )
          }
          issue={async (issue, oneTimeCode) => {
            const write = issue === 'add' ? add : regenerate;
            return issuedOf((await write.send({ body: { oneTimeCode } })).data);
          }}
          ready={{
            keys: requests.data?.data ?? [],
            instead: hasCodes ? null : setUpCodes,
            fetch: async (approvalId, oneTimeCode) =>
              issuedOf(
                (await fetchKey.send({ params: { approvalId }, body: { oneTimeCode } })).data,
              ),
          }}
          revoke={(keyId, oneTimeCode) => revoke.send({ params: { keyId }, body: { oneTimeCode } })}
        />
      )}
    </Loaded>
  );
}

const issuedOf = ({
  apiKey,
  signingSecret,
}: {
  readonly apiKey?: string;
  readonly signingSecret?: string;
}) =>
  apiKey === undefined || signingSecret === undefined
    ? { instead: 'The secret was already shown. If it is lost, issue another key.' }
    : { apiKey, signingSecret };
