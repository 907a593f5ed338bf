import { Button } from '@mantine/core';
import { CHANGE_MEMBER } from '@munshi/api';
import { useState } from 'react';
import { EditDialog } from '../../edit-dialog.tsx';
import { capacityField, NAMES } from './member-fields.ts';
import type { TabProps } from './shown.ts';

/** Changes a member's name, username, telephone and capacity. */
export function ChangeMember({ member }: Pick<TabProps, 'member'>) {
  const [changing, setChanging] = useState(false);
  const { memberId, name, openOrders, allowedActions } = member;
  return (
    <>
      {allowedActions.includes('change') ? (
        <Button variant="default" onClick={() => setChanging(true)}>
          Change
        </Button>
      ) : null}
      {changing ? (
        <EditDialog
          title={`Change ${name}`}
          button="Change the member"
          fields={{
            maxOpenOrders: capacityField(
              `${openOrders} in hand now; those stay. With 0 no new order comes to them.`,
            ),
            ...NAMES,
          }}
          before={member}
          endpoint={CHANGE_MEMBER}
          request={(body) => ({ params: { memberId }, body })}
          onClose={() => setChanging(false)}
        />
      ) : null}
    </>
  );
}
