import { Button } from '@mantine/core';
import { PORTAL_COUNT_REPLAY, PORTAL_READ_SETTINGS, PORTAL_REPLAY_WEBHOOKS } from '@munshi/api';
import { localTime } from '@munshi/web';
import { ReplayDialog, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useSession } from '../../session.tsx';

/** Sends all outcomes since a time again; for admins. */
export function ResendSince() {
  const { data: settings } = useRead(PORTAL_READ_SETTINGS, {}, { watch: ['setting'] });
  const [asking, setAsking] = useState(false);
  if (!settings?.data.allowedActions.includes('change')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Resend since…
      </Button>
      {asking ? <ResendSinceDialog onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function ResendSinceDialog({ onClose }: { onClose(): void }) {
  const { timeZone } = useSession().merchant;
  const [typed, setTyped] = useState('');
  const since = localTime(typed, timeZone) ?? '';
  const enabled = since !== '';
  const counted = useRead(PORTAL_COUNT_REPLAY, { query: { since } }, { enabled });
  const replay = useWrite(PORTAL_REPLAY_WEBHOOKS);
  return (
    <ReplayDialog
      typed={typed}
      onType={setTyped}
      zone={timeZone}
      missing={enabled ? undefined : 'Choose a time within the last 30 days.'}
      counted={counted}
      onSend={() => replay.send({ body: { since } })}
      onClose={onClose}
    />
  );
}
