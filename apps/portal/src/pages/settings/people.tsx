import {
  CHANGE_PERSON,
  END_INVITATION,
  END_PERSON_SESSIONS,
  INVITE_PERSON,
  LIST_PEOPLE,
  MAKE_PERSON_LINK,
} from '@munshi/api';
import { People, useList, useWrite } from '@munshi/web-ui';
import type { TabProps } from './use-settings.ts';

export function PeopleTab({ settings: { allowedActions } }: TabProps) {
  const list = useList(LIST_PEOPLE, {}, { watch: ['setting'] });
  const [invite, change] = [useWrite(INVITE_PERSON), useWrite(CHANGE_PERSON)];
  const makeLink = useWrite(MAKE_PERSON_LINK);
  const [endInvitation, endSessions] = [useWrite(END_INVITATION), useWrite(END_PERSON_SESSIONS)];
  return (
    <People
      list={list}
      mayInvite={allowedActions.includes('change')}
      calls={{
        invite: async (body) => (await invite.send({ body })).data,
        change: (portalUserId, body) => change.send({ params: { portalUserId }, body }),
        makeLink: async (portalUserId) => (await makeLink.send({ params: { portalUserId } })).data,
        endInvitation: (portalUserId) => endInvitation.send({ params: { portalUserId } }),
        endSessions: (portalUserId) => endSessions.send({ params: { portalUserId } }),
      }}
    />
  );
}
