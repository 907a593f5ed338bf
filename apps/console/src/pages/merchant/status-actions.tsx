import { Button, Menu } from '@mantine/core';
import { CHANGE_MERCHANT, MERCHANT_COUNTED_MAX, type MerchantEffectView } from '@munshi/api';
import type { AsText, RequestOf } from '@munshi/web';
import {
  callOrThrow,
  EffectDialog,
  Effects,
  Loaded,
  Effect as Shown,
  useService,
  useWrite,
} from '@munshi/web-ui';
import { useQuery } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

const ACTIONS = ['activate', 'suspend', 'close'] as const;
type StatusAction = (typeof ACTIONS)[number];
const BECOMES = { activate: 'active', suspend: 'suspended', close: 'closed' } as const;
const TITLES = {
  activate: texts.activateTitle,
  suspend: texts.suspendTitle,
  close: texts.closeTitle,
};

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
            {texts.status}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {allowed.map((each) => (
            <Menu.Item
              key={each}
              {...(each !== 'activate' && { color: 'bad' })}
              onClick={() => setAction(each)}
            >
              {texts[each]}
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
  const { send } = useWrite(CHANGE_MERCHANT);
  const { merchantId, name } = merchant;
  const request = { params: { merchantId }, body: { status: BECOMES[action] } };
  const preview = useMerchantEffect(request);
  return (
    <EffectDialog
      title={TITLES[action](name)}
      danger={action !== 'activate'}
      ready={preview.data !== undefined && preview.error === null}
      {...(action === 'close' && { typed: name })}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await send(request))}
    >
      <Loaded read={preview}>{(effect) => <StatusEffects effect={effect} />}</Loaded>
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

const counted = (count: number) =>
  count < MERCHANT_COUNTED_MAX ? String(count) : texts.atLeast(count);

function StatusEffects({ effect }: { readonly effect: Effect }) {
  const { status, takesOrders, openDeposits, openWithdrawals, pendingDeliveries } = effect;
  const word = (takes: boolean) => (takes ? texts.taken : texts.refused);
  return (
    <Effects label={texts.effects}>
      <Shown
        what={texts.status}
        before={texts.statuses[status.before]}
        after={texts.statuses[status.after]}
      />
      <Shown
        what={texts.newOrders}
        {...(takesOrders.before !== takesOrders.after && { before: word(takesOrders.before) })}
        after={word(takesOrders.after)}
      />
      <Shown
        what={texts.inProgress}
        after={
          openDeposits + openWithdrawals === 0
            ? texts.noneOpen
            : texts.goOn(
                texts.openDeposits(counted(openDeposits)),
                texts.openWithdrawals(counted(openWithdrawals)),
              )
        }
      />
      <Shown what={texts.webhooks} after={texts.goOut(counted(pendingDeliveries))} />
      <Shown what={texts.reads} after={texts.keepWorking(effect.activeKeys)} />
    </Effects>
  );
}
