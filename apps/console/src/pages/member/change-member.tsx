import { Button } from '@mantine/core';
import { CHANGE_MEMBER } from '@munshi/api';
import { useState } from 'react';
import { EditDialog } from '../../edit-dialog.tsx';
import { capacityField, NAMES } from './member-fields.ts';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

const { change: words } = texts;

/** Changes a member's name, username and capacity. */
export function ChangeMember({ member }: Pick<TabProps, 'member'>) {
  const [changing, setChanging] = useState(false);
  const { memberId, name, openOrders, allowedActions } = member;
  return (
    <>
      {allowedActions.includes('change') ? (
        <Button variant="default" onClick={() => setChanging(true)}>
          {words.open}
        </Button>
      ) : null}
      {changing ? (
        <EditDialog
          title={words.title(name)}
          button={words.button}
          fields={{ maxOpenOrders: capacityField(words.capacityHint(openOrders)), ...NAMES }}
          before={member}
          endpoint={CHANGE_MEMBER}
          request={(body) => ({ params: { memberId }, body })}
          onClose={() => setChanging(false)}
        />
      ) : null}
    </>
  );
}
