import { Button, TextInput } from '@mantine/core';
import { type PlayCustomer as Act, PLAY_CUSTOMER } from '@munshi/api';
import { Refusal, useWrite } from '@munshi/web-ui';
import ExternalLink from 'lucide-react/icons/external-link';
import { type ReactNode, useState } from 'react';
import type { Played } from './played.ts';
import classes from './sandbox.module.css';

interface PlayProps {
  readonly order: Played;
  readonly amount: string;
  onDone(): void;
}

/** What the customer does next: on the real page in a new tab, or from here. */
export function PlayCustomer({ order, amount, onDone }: PlayProps) {
  const { orderId, paymentPageUrl, customer } = order;
  const { send, sending, error } = useWrite(PLAY_CUSTOMER);
  const allows = (action: Act['action']) => customer.allowedActions.includes(action);
  const act = (body: Act) => void send({ params: { orderId }, body }).then(onDone, () => undefined);
  return (
    <div className={classes['role']}>
      <Button
        component="a"
        href={paymentPageUrl}
        target="_blank"
        rel="noreferrer"
        variant="default"
        rightSection={<ExternalLink size={16} aria-label="in a new tab" />}
      >
        Open the payment page
      </Button>
      {allows('open') ? (
        <>
          <Button loading={sending} onClick={() => act({ action: 'open' })}>
            Ask for the account
          </Button>
          <p className="quiet">The order goes to a member, and the customer sees where to pay.</p>
        </>
      ) : null}
      {allows('payer') && !allows('confirm') ? <Payer {...{ order, sending, act }} /> : null}
      {allows('confirm') ? <Confirm {...{ order, amount, sending, act }} /> : null}
      {allows('account') ? <Account {...{ sending, act }} /> : null}
      {customer.allowedActions.length === 0 ? (
        <p className="quiet">Nothing to do for the customer now.</p>
      ) : null}
      {allows('cancel') ? (
        <div className={classes['actions']}>
          <Button
            variant="subtle"
            color="bad"
            size="compact-sm"
            disabled={sending}
            onClick={() => act({ action: 'cancel' })}
          >
            Cancel as the customer
          </Button>
        </div>
      ) : null}
      <Refusal error={error} />
    </div>
  );
}

interface StepProps {
  readonly sending: boolean;
  act(body: Act): void;
}

function Step({
  body,
  act,
  children,
}: Pick<StepProps, 'act'> & { body: Act; children: ReactNode }) {
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault();
        act(body);
      }}
    >
      {children}
    </form>
  );
}

function Payer({ order: { customer }, sending, act }: StepProps & Pick<PlayProps, 'order'>) {
  const byIban = customer.asksFor === 'payerIbanLast4';
  const [typed, setTyped] = useState(byIban ? '0702' : '03001234567');
  return (
    <Step
      act={act}
      body={{ action: 'payer', ...(byIban ? { ibanLast4: typed } : { accountNumber: typed }) }}
    >
      <TextInput
        label={byIban ? 'Last 4 of the own IBAN' : 'Own account number'}
        description="The QR code is shown after it."
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit" loading={sending}>
        Name the account
      </Button>
    </Step>
  );
}

/** Digits that differ from one order to the next, as those of real payments do. */
const someDigits = (count: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte % 10).join('');

function Confirm({
  order: { customer },
  amount,
  sending,
  act,
}: StepProps & Pick<PlayProps, 'order' | 'amount'>) {
  const byDigits = customer.asksFor === 'transactionDigits';
  const [digits, setDigits] = useState(() => someDigits(customer.transactionDigits));
  return (
    <Step act={act} body={{ action: 'confirm', ...(byDigits && { transactionDigits: digits }) }}>
      {byDigits ? (
        <TextInput
          label={`Last ${customer.transactionDigits} digits of the transaction`}
          inputMode="numeric"
          autoComplete="off"
          value={digits}
          onChange={({ currentTarget }) => setDigits(currentTarget.value)}
        />
      ) : null}
      <Button type="submit" loading={sending}>
        Say that {amount} is paid
      </Button>
    </Step>
  );
}

function Account({ sending, act }: StepProps) {
  const [number, setNumber] = useState('03001234567');
  const [name, setName] = useState('Imran Ali');
  return (
    <Step act={act} body={{ action: 'account', accountNumber: number, accountName: name }}>
      <TextInput
        label="Customer’s account"
        autoComplete="off"
        value={number}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <TextInput
        label="Account holder"
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" loading={sending}>
        Give the account
      </Button>
    </Step>
  );
}
