import { Button } from '@mantine/core';
import { MAKE_TEST_ORDER, type SetUpView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Refusal, Steps, useWrite } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

type SetUp = AsText<SetUpView>;
type Name = SetUp['steps'][number]['step'];

interface Said {
  readonly what: string;
  readonly hint: ReactNode;
  readonly action: ReactNode;
}

/** Each step of a new installation, with the dialog that does it. */
export default function SetUpCard({
  setUp,
  onPutAway,
}: {
  readonly setUp: SetUp;
  onPutAway(): void;
}) {
  const said = useSaid(setUp);
  return (
    <Steps
      title="Setting up"
      steps={setUp.steps.map(({ step, done }) => ({ step, done, ...said[step] }))}
      actions={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onPutAway}>
          Put away
        </Button>
      }
    />
  );
}

function useSaid({ merchantId, memberId, testOrders }: SetUp): Readonly<Record<Name, Said>> {
  /** `open` is the dialog that the page opens (`isAskedFor`). */
  const to = (path: string, label: string, open?: string) => (
    <Link href={path} state={{ open }}>
      {label}
    </Link>
  );
  const ofMerchant = (tab: string, label: string, open?: string) =>
    merchantId === null ? null : to(`/merchants/${merchantId}${tab}`, label, open);
  const ofMember = (tab: string, label: string, open: string) =>
    memberId === null ? null : to(`/members/${memberId}${tab}`, label, open);
  return {
    approvers: {
      what: 'Two approvers',
      hint: (
        <>
          They approve what others ask for, and are made on the server:{' '}
          <code translate="no">munshi operator-link NAME --approver</code>
        </>
      ),
      action: null,
    },
    merchant: {
      what: 'A merchant',
      hint: 'Its backend creates the orders.',
      action: to('/merchants', 'Add a merchant', 'merchant'),
    },
    key: {
      what: 'An API key',
      hint: 'The merchant’s backend signs its requests by it.',
      action: ofMerchant('/access', 'New key', 'key'),
    },
    callback: {
      what: 'A callback URL',
      hint: 'The outcome of each order is sent there.',
      action: ofMerchant('/settings', 'Set it'),
    },
    'portal-person': {
      what: 'A person of the merchant',
      hint: 'They see its orders and money in the portal.',
      action: ofMerchant('/access', 'Invite somebody', 'person'),
    },
    member: {
      what: 'A member',
      hint: 'They receive and send the money. By the link that you send them they choose a password; then they go online in the member app.',
      action: to('/members', 'Add a member', 'member'),
    },
    account: {
      what: 'An approved account of the member',
      hint: 'Customers pay to it. Approve it once the member has chosen a password.',
      action: ofMember('/accounts', 'Add or approve it', 'account'),
    },
    float: {
      what: 'Float for deposits',
      hint: 'The member takes deposits up to it.',
      action: ofMember('/float', 'Adjust the float', 'float'),
    },
    fee: {
      what: 'A fee',
      hint: 'Orders cost nothing without one.',
      action: to('/fees', 'New rule', 'rule'),
    },
    order: {
      what: 'A settled order',
      hint: testOrders
        ? 'A deposit of PKR 100, with customer and member played. No money moves.'
        : 'The merchant’s backend creates it.',
      action: testOrders && merchantId !== null ? <TestOrder merchantId={merchantId} /> : null,
    },
    'second-operator': {
      what: 'A second operator is required',
      hint: 'Turn this on last: from then on each step above waits for an approver.',
      action: to('/settings', 'Turn it on', 'requireSecondOperator'),
    },
  };
}

function TestOrder({ merchantId }: { readonly merchantId: string }) {
  const { send, sending, error } = useWrite(MAKE_TEST_ORDER);
  return (
    <div>
      <Button
        variant="light"
        size="xs"
        loading={sending}
        onClick={() => void send({ body: { merchantId } }).catch(() => {})}
      >
        Make a test order
      </Button>
      <Refusal error={error} />
    </div>
  );
}
