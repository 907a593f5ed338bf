import {
  CHANGE_PERSON,
  END_INVITATION,
  END_PERSON_SESSIONS,
  INVITE_PERSON,
  LIST_PEOPLE,
  MAKE_PERSON_LINK,
  PORTAL_READ_CODE_STATE,
} from '@munshi/api';
import { People, useList, useRead, useWrite } from '@munshi/web-ui';
import { Link } from 'wouter';
import type { TabProps } from './use-settings.ts';

export function PeopleTab({ settings: { allowedActions } }: TabProps) {
  const list = useList(LIST_PEOPLE, {}, { watch: ['setting'] });
  const codes = useRead(PORTAL_READ_CODE_STATE, {});
  const [invite, change] = [useWrite(INVITE_PERSON), useWrite(CHANGE_PERSON)];
  const makeLink = useWrite(MAKE_PERSON_LINK);
  const [endInvitation, endSessions] = [useWrite(END_INVITATION), useWrite(END_PERSON_SESSIONS)];
  return (
    <People
      list={list}
      mayInvite={allowedActions.includes('change')}
      codes={{
        areOn: codes.data?.data.on,
        setUp: (
          <Link href="/security" data-autofocus>
            Set up your one-time codes
          </Link>
        ),
      }}
      calls={{
        invite: async (body, code) => (await invite.send({ body: withCode(body, code) })).data,
        change: (portalUserId, body, code) =>
          change.send({ params: { portalUserId }, body: withCode(body, code) }),
        makeLink: async (portalUserId, code) =>
          (await makeLink.send({ params: { portalUserId }, body: withCode({}, code) })).data,
        endInvitation: (portalUserId) => endInvitation.send({ params: { portalUserId } }),
        endSessions: (portalUserId) => endSessions.send({ params: { portalUserId } }),
      }}
    />
  );
}

const withCode = <Body extends object>(body: Body, oneTimeCode: string) =>
  oneTimeCode === '' ? body : { ...body, oneTimeCode };
