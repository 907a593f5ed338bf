import { Facts } from '@munshi/web-ui';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import classes from './member.module.css';
import type { Account } from './shown.ts';

const QR_WARNINGS = {
  unreadable: 'The code’s content cannot be read, and does not contain the number.',
  'number-differs': 'The code pays into another account.',
  'title-differs': 'The code has another name.',
  'has-amount': 'The code asks for an amount of its own:',
};

/** The number and title of an account beside what its QR code says. */
export function QrCheck({ account }: { readonly account: Account }) {
  const { qrPayload, qrContent, qrWarnings, accountNumber, accountTitle } = account;
  if (qrPayload === null || qrContent === null) return null;
  const { form, name, numbers, amount } = qrContent;
  const isRead = form !== 'other';
  return (
    <div className={classes['qr']}>
      {isRead ? (
        <div className={classes['compared']}>
          <span className="quiet">As entered</span>
          <span className="quiet">In the QR code ({form})</span>
          <span className="number">{accountNumber}</span>
          <span className="number">{numbers.length === 0 ? 'none' : numbers.join(', ')}</span>
          <span>{accountTitle}</span>
          <span>{name ?? 'none'}</span>
        </div>
      ) : (
        <Facts facts={[['QR code holds', <Payload key="payload" text={qrPayload} />]]} />
      )}
      {qrWarnings.map((warning) => (
        <AccountWarning key={warning}>
          {QR_WARNINGS[warning]}
          {warning === 'has-amount' ? ` ${amount}.` : null}
        </AccountWarning>
      ))}
      {isRead ? (
        <details>
          <summary>Content as it is</summary>
          <Payload text={qrPayload} />
        </details>
      ) : null}
    </div>
  );
}

const Payload = ({ text }: { readonly text: string }) => (
  <span className={classes['payload']}>{text}</span>
);

/** What somebody has to look at before they approve. */
export const AccountWarning = ({ children }: { readonly children: ReactNode }) => (
  <p className={classes['warning']}>
    <TriangleAlert size={16} aria-hidden />
    <span>{children}</span>
  </p>
);
