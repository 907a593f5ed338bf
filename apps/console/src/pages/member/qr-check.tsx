import { Facts } from '@munshi/web-ui';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import classes from './member.module.css';
import type { Account } from './shown.ts';
import { texts } from './texts.ts';

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
          <span className="quiet">{texts.inAccount}</span>
          <span className="quiet">{texts.inCode(form)}</span>
          <span className="number">{accountNumber}</span>
          <span className="number">{numbers.length === 0 ? texts.none : numbers.join(', ')}</span>
          <span>{accountTitle}</span>
          <span>{name ?? texts.none}</span>
        </div>
      ) : (
        <Facts facts={[[texts.qr, <Payload key="payload" text={qrPayload} />]]} />
      )}
      {qrWarnings.map((warning) => (
        <AccountWarning key={warning}>
          {texts.qrWarnings[warning]}
          {warning === 'has-amount' ? ` ${amount}.` : null}
        </AccountWarning>
      ))}
      {isRead ? (
        <details>
          <summary>{texts.payload}</summary>
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
