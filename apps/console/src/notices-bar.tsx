import { Button } from '@mantine/core';
import { type NoticeView, READ_NOTICES } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { useRead, When } from '@munshi/web-ui';
import Info from 'lucide-react/icons/info';
import { useState } from 'react';
import { Link } from 'wouter';
import classes from './notices-bar.module.css';
import { useSession } from './session.tsx';

type Notice = AsText<NoticeView>;

/** A calm bar on every page: what another admin has decided alone, until it is seen; for admins. */
export function NoticesBar() {
  const { operatorId } = useSession().operator;
  const read = useRead(READ_NOTICES, {}, { watch: ['setting'], changesWithTime: true });
  const [seen, setSeen] = useState(() => seenUpTo(operatorId));
  // Ids of entries sort by time.
  const unseen = (read.data?.data.notices ?? []).filter(({ auditId }) => auditId > seen);
  const [newest, ...earlier] = unseen;
  if (newest === undefined) return null;
  const { auditId, action, name, at } = newest;
  return (
    <section className={classes['bar']} aria-label="What other admins have decided">
      <Info size={16} aria-hidden />
      <div className={classes['text']}>
        <span>
          <bdi>{name}</bdi> {WHAT[action](newest)} (<When at={at} />)
          {earlier.length === 0 ? '' : `, and ${earlier.length} more`}.
        </span>
        <Link href={`/audit?action=${action}&open=${auditId}`}>Show in the audit log</Link>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            keepSeen(operatorId, auditId);
            setSeen(auditId);
          }}
        >
          Seen
        </Button>
      </div>
    </section>
  );
}

const WHAT: Readonly<Record<Notice['action'], (notice: Notice) => string>> = {
  'alert-channel.set': ({ detail: { position, origin } }) =>
    `set the ${position} alert channel to ${origin}`,
  'alert-channel.remove': ({ detail: { position } }) => `turned off the ${position} alert channel`,
  'settings.update': ({ detail: { evidenceDays, evidenceDaysBefore } }) =>
    `shortened how long pictures are kept from ${evidenceDaysBefore} to ${evidenceDays} days`,
};

const keyOf = (operatorId: string) => `munshi.notices.${operatorId}`;

/** The newest entry that they have seen in this browser. */
function seenUpTo(operatorId: string): string {
  try {
    return localStorage.getItem(keyOf(operatorId)) ?? '';
  } catch {
    return '';
  }
}

function keepSeen(operatorId: string, auditId: string): void {
  try {
    localStorage.setItem(keyOf(operatorId), auditId);
  } catch {
    // A browser without room shows it again after a reload.
  }
}
