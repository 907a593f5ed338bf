import { Button, Menu } from '@mantine/core';
import { CHANGE_MERCHANT, type MerchantEffectView } from '@munshi/api';
import type { AsText, RequestOf } from '@munshi/web';
import {
  callOrThrow,
  EffectDialog,
  Effects,
  Loaded,
  Effect as Shown,
  useService,
} from '@munshi/web-ui';
import { useQuery } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { Waits } from '../../effects/if-it-waits.tsx';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import { atLeast, counted, STATUSES, type TabProps } from './shown.ts';

const ACTIONS = ['activate', 'suspend', 'close'] as const;
type StatusAction = (typeof ACTIONS)[number];
const BECOMES = { activate: 'active', suspend: 'suspended', close: 'closed' } as const;
const NAMES = { activate: 'Activate', suspend: 'Suspend', close: 'Close' };

/** Suspend, close and activate, which say what goes on working. */
export function StatusActions({ merchant }: TabProps) {
  const [action, setAction] = useState<StatusAction | null>(null);
  const allowed = ACTIONS.filter((each) => merchant.allowedActions.includes(each));
  if (allowed.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={14} aria-hidden />}>
            Status
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {allowed.map((each) => (
            <Menu.Item
              key={each}
              {...(each !== 'activate' && { color: 'bad' })}
              onClick={() => setAction(each)}
            >
              {NAMES[each]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {action === null ? null : (
        <StatusDialog merchant={merchant} action={action} onClose={() => setAction(null)} />
      )}
    </>
  );
}

function StatusDialog({
  merchant,
  action,
  onClose,
}: TabProps & { readonly action: StatusAction; onClose(): void }) {
  const [, send] = useMayWait(CHANGE_MERCHANT); // its effect says whether it waits
  const { merchantId, name } = merchant;
  const request = { params: { merchantId }, body: { status: BECOMES[action] } };
  const preview = useMerchantEffect(request);
  return (
    <EffectDialog
      title={`${NAMES[action]} ${name}`}
      danger={action !== 'activate'}
      ready={preview.data !== undefined && preview.error === null}
      {...(action === 'close' && { typed: name })}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await send(request))}
    >
      <Loaded read={preview}>
        {(effect) => (
          <>
            <StatusEffects effect={effect} />
            <Waits known={effect} />
          </>
        )}
      </Loaded>
    </EffectDialog>
  );
}

type Effect = AsText<MerchantEffectView>;

/** What a change of the status would mean, as the service counts it. */
function useMerchantEffect(request: RequestOf<typeof CHANGE_MERCHANT>) {
  const { api } = useService();
  return useQuery({
    queryKey: ['merchant-effect', request],
    queryFn: async ({ signal }) => {
      const asked = { ...request, query: { preview: true }, signal };
      return (await callOrThrow(api, CHANGE_MERCHANT, asked)).data as Effect;
    },
    gcTime: 0,
    meta: { watch: ['order', 'setting'] },
  });
}

function StatusEffects({ effect }: { readonly effect: Effect }) {
  const { status, takesOrders, openDeposits, openWithdrawals, pendingDeliveries } = effect;
  const word = (takes: boolean) => (takes ? 'are accepted' : 'are refused');
  return (
    <Effects label="What happens">
      <Shown what="Status" before={STATUSES[status.before]} after={STATUSES[status.after]} />
      <Shown
        what="New orders"
        {...(takesOrders.before !== takesOrders.after && { before: word(takesOrders.before) })}
        after={word(takesOrders.after)}
      />
      <Shown
        what="Orders in progress"
        after={
          openDeposits + openWithdrawals === 0
            ? 'none is open'
            : `${counted(openDeposits, 'deposit')} and ${counted(openWithdrawals, 'withdrawal')} go on to their end`
        }
      />
      <Shown
        what="Webhooks"
        after={`still go out; ${pendingDeliveries === 0 ? 'none waits' : `${atLeast(pendingDeliveries)} waiting`}`}
      />
      <Shown
        what="Status and balance"
        after={
          effect.activeKeys === 0
            ? 'has no key'
            : effect.activeKeys === 1
              ? 'keep working for its key'
              : `keep working for its ${effect.activeKeys} keys`
        }
      />
    </Effects>
  );
}
