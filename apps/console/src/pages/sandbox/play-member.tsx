import { Button, TextInput } from '@mantine/core';
import { type PlayMember as Act, PLAY_MEMBER, PLAY_PRESENCE } from '@munshi/api';
import { Refusal, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { MemberPick, useMemberName } from '../../picks.tsx';
import type { Played } from './played.ts';
import classes from './sandbox.module.css';

const USUAL_REASON = {
  Deposit: 'No such payment has come',
  Withdrawal: 'The transfer was refused',
};

const CONFIRM = {
  Deposit: (amount: string) => `Confirm that ${amount} came`,
  Withdrawal: (amount: string) => `Confirm that ${amount} is paid out`,
};

const BUTTONS = { reject: 'Reject', report: 'Report', release: 'Hand back' };

interface PlayProps {
  readonly order: Played;
  readonly amount: string;
  onDone(): void;
}

/** What the member who holds the order does next; where nobody does, who may come online. */
export function PlayMember(props: PlayProps) {
  const { member } = props.order;
  if (member === null) return <Bring />;
  return <Holder {...props} member={member} />;
}

function Holder({
  order: { orderId, orderType },
  amount,
  member,
  onDone,
}: PlayProps & { readonly member: NonNullable<Played['member']> }) {
  const { memberId, name, online, allowedActions } = member;
  const [reason, setReason] = useState<string>(USUAL_REASON[orderType]);
  const { send, sending, error } = useWrite(PLAY_MEMBER);
  const act = (body: Act) => void send({ params: { orderId }, body }).then(onDone, () => undefined);
  const others = (['reject', 'report', 'release'] as const).filter((action) =>
    allowedActions.includes(action),
  );
  return (
    <div className={classes['role']}>
      <div className={classes['who']}>
        <span>
          <Link href={`/members/${memberId}`}>{name}</Link>
          {', '}
          {online ? 'online' : 'offline'}
        </span>
        <Presence memberId={memberId} online={!online} />
      </div>
      {allowedActions.includes('confirm') ? (
        <Button loading={sending} onClick={() => act({ action: 'confirm' })}>
          {CONFIRM[orderType](amount)}
        </Button>
      ) : null}
      {others.length === 0 ? null : (
        <>
          <TextInput
            label="Reason"
            description="For everything but the confirmation."
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <div className={classes['actions']}>
            {others.map((action) => (
              <Button
                key={action}
                variant="default"
                disabled={sending || reason.trim() === ''}
                onClick={() => act({ action, reason: reason.trim() })}
              >
                {BUTTONS[action]}
              </Button>
            ))}
          </div>
        </>
      )}
      {allowedActions.length === 0 ? (
        <p className="quiet">Nothing to do for the member now.</p>
      ) : null}
      <Refusal error={error} />
    </div>
  );
}

function Presence({ memberId, online }: { readonly memberId: string; readonly online: boolean }) {
  const { send, sending } = useWrite(PLAY_PRESENCE);
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={sending}
      onClick={() => void send({ params: { memberId }, body: { online } }).catch(() => undefined)}
    >
      {online ? 'Bring online' : 'Send offline'}
    </Button>
  );
}

/** Nobody has it: somebody has to come online. */
function Bring() {
  const [memberId, setMemberId] = useState<string>();
  const { send, sending, error, shown } = useWrite(PLAY_PRESENCE);
  const name = useMemberName(shown?.data.memberId);
  return (
    <form
      className={classes['role']}
      onSubmit={(event) => {
        event.preventDefault();
        if (memberId !== undefined)
          void send({ params: { memberId }, body: { online: true } }).catch(() => undefined);
      }}
    >
      <p>No member has it.</p>
      <p className="quiet">
        Somebody online with an approved account of the method and enough float takes it. Then the
        customer asks for the account, or time passes.
      </p>
      <MemberPick label="Member" value={memberId} onChange={setMemberId} />
      <div className={classes['actions']}>
        <Button type="submit" variant="default" loading={sending} disabled={memberId === undefined}>
          Bring online
        </Button>
      </div>
      <span className="quiet" role="status">
        {name === undefined ? '' : `${name} is online`}
      </span>
      <Refusal error={error} />
    </form>
  );
}
