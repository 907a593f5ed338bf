import { PORTAL_LIST_RECEIVERS } from '@munshi/api';
import { Receivers, useList } from '@munshi/web-ui';
import { useLocation } from 'wouter';

/** How the merchant's receivers do; one leads to what was sent to it. */
export function Health() {
  const [, go] = useLocation();
  const list = useList(PORTAL_LIST_RECEIVERS, {}, { watch: ['delivery'] });
  return (
    <Receivers
      label="Receivers of your webhooks"
      list={list}
      rowId={({ host }) => host}
      onOpen={({ host }) => go(`/webhooks?${new URLSearchParams({ host })}`)}
    />
  );
}
