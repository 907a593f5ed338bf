import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import CopyIcon from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import { useEffect, useRef } from 'react';
import classes from './one-time-code.module.css';

/** Recovery codes, shown this once. */
export function RecoveryCodes({
  codes,
  onKept,
}: {
  readonly codes: readonly string[];
  onKept(): void;
}) {
  const { copy, copied } = useClipboard({ timeout: 2000 });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`;
  return (
    <div className={classes['steps']}>
      <h2 ref={heading} tabIndex={-1} style={{ margin: 0, outline: 'none' }}>
        Keep your recovery codes
      </h2>
      <p>
        Each is good once, in place of the app’s code. Without phone and codes you need a recovery
        link. They are not shown again.
      </p>
      <ul className={classes['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes['buttons']}>
        <Button
          variant="default"
          leftSection={<CopyIcon size={16} aria-hidden />}
          onClick={() => copy(codes.join('\n'))}
        >
          {copied ? 'Copied' : 'Copy all'}
        </Button>
        <Button
          component="a"
          variant="default"
          href={file}
          download="munshi-recovery-codes.txt"
          leftSection={<Download size={16} aria-hidden />}
        >
          Save as a file
        </Button>
        <Button onClick={onKept}>I have saved them</Button>
      </div>
    </div>
  );
}
