import { Button, Menu } from '@mantine/core';
import { PORTAL_MOVE_ORDER } from '@munshi/api';
import { Refusal, statusLabel, useWrite } from '@munshi/web-ui';
import type { Order } from './order.ts';

/** Of a sandbox: the order as if customer, member and time had moved it. */
export function Move({ order: { orderId, moves } }: { readonly order: Order }) {
  const { send, sending, error } = useWrite(PORTAL_MOVE_ORDER);
  if (moves.length === 0) return null;
  const move = (to: Order['status']) =>
    void send({ params: { orderId }, body: { to } }).catch(() => {});
  return (
    <>
      <Refusal error={error} />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={sending}>
            Move to…
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {moves.map((to) => (
            <Menu.Item key={to} onClick={() => move(to)}>
              {statusLabel(to)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
