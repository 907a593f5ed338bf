import { Button } from '@mantine/core';
import { useEffect } from 'react';
import classes from '../sign-in.module.css';
import { type CodeCalls, SetUpCode } from './set-up-code.tsx';

/** All that an admin sees who has no one-time codes where they are required. */
export default function CodeToSetUp({
  calls,
  onDone,
  onSignOut,
}: {
  readonly calls: CodeCalls;
  onDone(): void;
  onSignOut(): unknown;
}) {
  useEffect(() => {
    document.title = `Set up one-time codes · Munshi`;
  }, []);
  return (
    <main className={classes['screen']}>
      <div className={`${classes['card']} ${classes['wide']}`}>
        <p className={classes['product']}>Munshi</p>
        <h1>Admins need a one-time code here</h1>
        <p className="quiet">
          Until you have set yours up, nothing else can be opened. It takes a minute and an
          authenticator app on your phone.
        </p>
        <div className={classes['form']}>
          <SetUpCode calls={calls} onDone={onDone} />
          <div className={classes['others']}>
            <Button variant="subtle" size="compact-sm" onClick={onSignOut}>
              Sign out
            </Button>
          </div>
        </div>
      </div>
    </main>
  );
}
