import { Button } from '@mantine/core';
import { useEffect } from 'react';
import classes from '../sign-in.module.css';
import { texts as appTexts } from '../texts.ts';
import { type CodeCalls, SetUpCode } from './set-up-code.tsx';
import { texts } from './texts.ts';

/** All that an admin sees who has no one-time codes where they are required. */
export function CodeToSetUp({
  calls,
  onDone,
  onSignOut,
}: {
  readonly calls: CodeCalls;
  onDone(): void;
  onSignOut(): unknown;
}) {
  useEffect(() => {
    document.title = `${texts.title} · ${appTexts.product}`;
  }, []);
  return (
    <main className={classes['screen']}>
      <div className={`${classes['card']} ${classes['wide']}`}>
        <p className={classes['product']}>{appTexts.product}</p>
        <h1>{texts.required}</h1>
        <p className="quiet">{texts.requiredLead}</p>
        <div className={classes['form']}>
          <SetUpCode calls={calls} onDone={onDone} />
          <div className={classes['others']}>
            <Button variant="subtle" size="compact-sm" onClick={onSignOut}>
              {texts.signOut}
            </Button>
          </div>
        </div>
      </div>
    </main>
  );
}
