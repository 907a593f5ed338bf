import { Button } from '@mantine/core';
import { Card, Copy, Countdown } from '@munshi/web-ui';
import ExternalLink from 'lucide-react/icons/external-link';
import classes from './order.module.css';
import type { Order } from './order.ts';
import { texts } from './texts.ts';

/** The link that the customer was given, while it works. For admins. */
export function PaymentPage({ order }: { readonly order: Order }) {
  const { paymentPageUrl: url, paymentPageQr: qrSvg, expiresAt } = order;
  if (url === null || qrSvg === null) return null;
  return (
    <Card title={texts.page}>
      <div className={classes['page']}>
        <img
          className={classes['qr']}
          alt={texts.pageQr}
          src={`data:image/svg+xml;base64,${btoa(qrSvg)}`}
        />
        <div>
          <p>
            {texts.pageLead[order.orderType]} {texts.pageExpires} <Countdown at={expiresAt} />.
          </p>
          <p>
            <Copy value={url} what={texts.pageLink} mono>
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
            {texts.pageOpen}
          </Button>
        </div>
      </div>
    </Card>
  );
}
