import { Button } from '@mantine/core';
import { Card, Copy, Countdown } from '@munshi/web-ui';
import ExternalLink from 'lucide-react/icons/external-link';
import classes from './order.module.css';
import type { Order } from './order.ts';

const PAGE_LEAD = {
  Deposit: 'Your customer pays here.',
  Withdrawal: 'Your customer follows the payout here.',
};

/** The link that the customer was given, while it works. For admins. */
export function PaymentPage({ order }: { readonly order: Order }) {
  const { paymentPageUrl: url, paymentPageQr: qrSvg, expiresAt } = order;
  if (url === null || qrSvg === null) return null;
  return (
    <Card title="Payment page">
      <div className={classes['page']}>
        <img
          className={classes['qr']}
          alt="QR code of the payment link"
          src={`data:image/svg+xml;base64,${btoa(qrSvg)}`}
        />
        <div>
          <p>
            {PAGE_LEAD[order.orderType]} The link works for <Countdown at={expiresAt} />.
          </p>
          <p>
            <Copy value={url} what="the payment link" mono>
              {new URL(url).host}
            </Copy>
          </p>
          <Button
            component="a"
            variant="default"
            size="xs"
            href={url}
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalLink size={14} aria-hidden />}
          >
            Open it
          </Button>
        </div>
      </div>
    </Card>
  );
}
