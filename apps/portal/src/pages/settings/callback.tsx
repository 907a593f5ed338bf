import { TextInput } from '@mantine/core';
import { Card, SaveBar } from '@munshi/web-ui';
import { useState } from 'react';
import { TestEvent } from '../../test-event.tsx';
import classes from './settings.module.css';
import { type TabProps, useChange } from './use-settings.ts';

/** Where webhooks go by default. */
export function CallbackTab({ settings }: TabProps) {
  const change = useChange(settings);
  const [url, setUrl] = useState(settings.defaultCallbackUrl ?? '');
  const typed = { defaultCallbackUrl: url.trim() === '' ? null : url.trim() };
  return (
    <Card>
      <p className={classes['hint']}>
        Receives webhooks of orders without their own callbackUrl. A change applies to new orders
        only.
      </p>
      <form
        className={classes['form']}
        onChange={change.touch}
        onSubmit={(event) => {
          event.preventDefault();
          void change.save(typed);
        }}
      >
        <TextInput
          label="Default callback URL"
          description="An http or https URL that can be reached from the internet. Leave it empty for none."
          type="url"
          maxLength={500}
          disabled={!change.mayChange}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <SaveBar change={change} typed={typed} />
      </form>
      <div className={classes['test']}>
        <TestEvent />
      </div>
    </Card>
  );
}
