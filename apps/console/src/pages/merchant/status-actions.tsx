import { Button, Menu } from '@mantine/core';
import { CHANGE_MERCHANT } from '@munshi/api';
import { Effect, EffectDialog, Effects, useWrite } from '@munshi/web-ui';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import type { TabProps } from './page.tsx';
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
  const { merchantId, name, status } = merchant;
  const becomes = BECOMES[action];
  return (
    <EffectDialog
      title={TITLES[action](name)}
      danger={action !== 'activate'}
      {...(action === 'close' && { typed: name })}
      onClose={onClose}
      onSend={() => send({ params: { merchantId }, body: { status: becomes } })}
    >
      <Effects label={texts.effects}>
        <Effect
          what={texts.status}
          before={texts.statuses[status]}
          after={texts.statuses[becomes]}
        />
        <Effect
          what={texts.newOrders}
          after={action === 'activate' ? texts.taken : texts.refused}
        />
        <Effect what={texts.inProgress} after={texts.goOn} />
        <Effect what={texts.reads} after={texts.keepWorking} />
        <Effect what={texts.webhooks} after={texts.goOut} />
      </Effects>
    </EffectDialog>
  );
}
