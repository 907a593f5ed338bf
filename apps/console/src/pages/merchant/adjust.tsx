import { SegmentedControl, TextInput } from '@mantine/core';
import { ADJUST_WALLET, ADJUSTMENT_KINDS } from '@munshi/api';
import { amountText, isZero, readAmount } from '@munshi/web';
import { EffectDialog, type InternalNote, Refusal } from '@munshi/web-ui';
import { useState } from 'react';
import { EffectSummary } from '../../effects/effect-summary.tsx';
import { useAmountEffect } from '../../effects/use-amount-effect.ts';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import { KINDS } from './shown.ts';

type Kind = (typeof ADJUSTMENT_KINDS)[number];

/** An amount above zero. */
function readPositive(typed: string): string | undefined {
  const amount = readAmount(typed);
  return amount === undefined || amount.startsWith('-') || isZero(amount) ? undefined : amount;
}

/** Credit, debit, freeze or unfreeze, with what the wallet becomes. */
export function Adjust({ merchantId, onClose }: { readonly merchantId: string; onClose(): void }) {
  const [kind, setKind] = useState<Kind>('credit');
  const [typed, setTyped] = useState('');
  const amount = readPositive(typed);
  const request = (of: string, reason: string, internal: InternalNote = {}) => ({
    params: { merchantId },
    body: { kind, amount: of, reason, ...internal },
  });
  const { effect, error, isShown, send } = useAmountEffect(ADJUST_WALLET, amount, (of) =>
    request(of, '…'),
  );
  const shownAmount = amount === undefined ? '' : amountText(amount, 'PKR');
  return (
    <EffectDialog
      title="Adjust the wallet"
      button={`${KINDS[kind]} ${shownAmount}`.trim()}
      danger={kind === 'debit' || kind === 'freeze'}
      wide={effect !== undefined}
      ready={isShown}
      note={{
        label: 'Reason',
        hint: 'The merchant reads this: it is the note of the movement in the portal. It is in the audit log, too.',
        internal: true,
      }}
      onClose={onClose}
      onSend={async (reason, internal) => {
        sayIfItWaits(await send(request(amount ?? '', reason, internal)));
      }}
    >
      <SegmentedControl
        aria-label="What to do"
        value={kind}
        onChange={(next) => setKind(next as Kind)}
        data={ADJUSTMENT_KINDS.map((value) => ({ value, label: KINDS[value] }))}
      />
      <TextInput
        label="Amount, PKR"
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={typed}
        error={typed !== '' && amount === undefined ? 'An amount above 0, such as 1500.50.' : null}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {effect === undefined ? null : <EffectSummary effect={effect} />}
      <Refusal error={error} />
    </EffectDialog>
  );
}
