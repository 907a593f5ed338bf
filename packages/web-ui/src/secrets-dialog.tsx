import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import classes from './secrets-dialog.module.css';

const SECRETS = {
  apiKey: 'API key',
  signingSecret: 'Signing secret',
  token: 'Script token',
  link: 'Recovery link',
  invitation: 'Invitation link',
};

/** What a service shows once, by its field. */
export type Secrets = Readonly<Partial<Record<keyof typeof SECRETS, string | undefined>>>;

/** Secrets that are shown this once: it closes by the button alone. */
export function SecretsDialog({
  title = 'Shown only once',
  secrets,
  children,
  onKept,
}: {
  readonly title?: string;
  readonly secrets: Secrets;
  /** What to do with them. */
  readonly children?: ReactNode;
  onKept(): void;
}) {
  const names = Object.keys(SECRETS) as (keyof typeof SECRETS)[];
  const shown = names.flatMap((name) => {
    const value = secrets[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      // The focus on a button would show its words over the secrets, or let a second Enter close.
      title={
        <span data-autofocus tabIndex={-1} className={classes['title']}>
          {title}
        </span>
      }
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {children}
      <dl className={classes['secrets']}>
        {shown.map(({ name, value }) => (
          <div key={name}>
            <dt>{SECRETS[name]}</dt>
            <dd>
              <Copy value={value} what={SECRETS[name]} mono />
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes['actions']}>
        <Button onClick={onKept}>
          {shown.length === 1 ? 'I have saved it' : 'I have saved them'}
        </Button>
      </div>
    </Modal>
  );
}
