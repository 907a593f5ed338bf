import { Button, Modal, Textarea } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { PORTAL_READ_MERCHANT, PORTAL_RESEND_DELIVERY } from '@munshi/api';
import {
  ResendDialog,
  statusLabel,
  useOffers,
  useRead,
  useReturnFocus,
  useTypedDialog,
  useWrite,
} from '@munshi/web-ui';
import CopyIcon from 'lucide-react/icons/copy';
import Mail from 'lucide-react/icons/mail';
import { useState } from 'react';
import { Move } from './move.tsx';
import classes from './order.module.css';
import type { Order } from './order.ts';

/** What can be done about the order, here and in the palette. */
export function Actions({ order }: { readonly order: Order }) {
  const [open, setOpen] = useState<'ask' | 'resend' | null>(null);
  const close = () => setOpen(null);
  const canResend = order.allowedActions.includes('resend');
  useOffers([
    ...(canResend
      ? [{ id: 'resend', label: 'Send the outcome again', run: () => setOpen('resend') }]
      : []),
    { id: 'ask', label: 'Ask your operator about this order', run: () => setOpen('ask') },
  ]);
  return (
    <>
      <Move order={order} />
      <Button variant="default" onClick={() => setOpen('ask')}>
        Ask about this order…
      </Button>
      {canResend ? (
        <Button variant="default" onClick={() => setOpen('resend')}>
          Resend the webhook…
        </Button>
      ) : null}
      {open === 'ask' ? <Ask order={order} onClose={close} /> : null}
      {open === 'resend' ? <Resend order={order} onClose={close} /> : null}
    </>
  );
}

interface DialogProps {
  readonly order: Order;
  onClose(): void;
}

function Resend({ order: { orderId }, onClose }: DialogProps) {
  const resend = useWrite(PORTAL_RESEND_DELIVERY);
  return <ResendDialog onClose={onClose} onSend={() => resend.send({ params: { orderId } })} />;
}

/**
 * A question with all that the operator needs to find the order: as a mail where they have named an
 * address, and to be copied, for any other way (portal.md#find-something-out, settings.md).
 */
function Ask({ order, onClose }: DialogProps) {
  const { orderReference, merchantOrderRef, status } = order;
  const [text, setText] = useState(
    () =>
      `About order ${orderReference}${merchantOrderRef === null ? '' : ` (our reference ${merchantOrderRef})`}, ${statusLabel(status).toLowerCase()}:\n\n`,
  );
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const email = useRead(PORTAL_READ_MERCHANT, {}).data?.data.operatorEmail ?? null;
  const typing = useTypedDialog(onClose);
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={typing.close}
      closeOnEscape={typing.closeOnEscape}
      title="Ask your operator about this order"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p className="quiet">
        {email === null
          ? 'Write your question, then copy the text and send it to your operator. It includes the order.'
          : `Write your question. It includes the order, and opens in your mail program, addressed to ${email}. You can also copy the text.`}
      </p>
      <Textarea
        data-autofocus
        autosize
        minRows={4}
        label="Your question"
        onFocusCapture={typing.onFocusCapture}
        value={text}
        onChange={({ currentTarget }) => {
          typing.setSent(false);
          setText(currentTarget.value);
        }}
      />
      <div className={classes['buttons']}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          {...(email !== null && { variant: 'default' })}
          leftSection={<CopyIcon size={16} aria-hidden />}
          onClick={() => {
            typing.setSent(true);
            copy(text);
          }}
        >
          {copied ? 'Copied' : 'Copy the text'}
        </Button>
        {email === null ? null : (
          <Button
            component="a"
            onClick={() => typing.setSent(true)}
            href={mailTo(email, `Order ${orderReference}`, text)}
            leftSection={<Mail size={16} aria-hidden />}
          >
            Write the mail
          </Button>
        )}
      </div>
    </Modal>
  );
}

/** A link that begins a mail, written as RFC 6068 wants it. */
const mailTo = (address: string, subject: string, body: string): string =>
  `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`;
