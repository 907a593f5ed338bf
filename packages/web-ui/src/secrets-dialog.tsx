import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import classes from './secrets-dialog.module.css';
import { texts } from './texts.ts';

/** What a service shows once, by its field. */
export type Secrets = Readonly<Partial<Record<keyof typeof texts.secrets, string | undefined>>>;

/** Secrets that are shown this once: it closes by the button alone. */
export function SecretsDialog({
  title = texts.shownOnce,
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
  const names = Object.keys(texts.secrets) as (keyof typeof texts.secrets)[];
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      title={<strong>{title}</strong>}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {children}
      {names.map((name) => {
        const value = secrets[name];
        return value === undefined ? null : (
          <p key={name} className={classes['secret']}>
            <strong>{texts.secrets[name]}</strong>
            <Copy value={value} what={texts.secrets[name]} mono />
          </p>
        );
      })}
      <div className={classes['actions']}>
        <Button onClick={onKept}>{texts.kept}</Button>
      </div>
    </Modal>
  );
}
