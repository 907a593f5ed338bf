import { TextInput } from '@mantine/core';
import { Card, Copy, Facts, SaveBar } from '@munshi/web-ui';
import { useState } from 'react';
import { TimeZoneSelect } from '../../time-zone-select.tsx';
import classes from './merchant.module.css';
import type { TabProps } from './shown.ts';
import { useChange } from './use-change.ts';

/** Who the merchant is, where its webhooks go, and its clocks. */
export function Details({ merchant }: TabProps) {
  const change = useChange(merchant);
  const [name, setName] = useState(merchant.name);
  const [url, setUrl] = useState(merchant.defaultCallbackUrl ?? '');
  const [timeZone, setTimeZone] = useState(merchant.timeZone);
  const typed = { name, defaultCallbackUrl: url.trim() === '' ? null : url.trim(), timeZone };
  return (
    <>
      {change.mayChange ? (
        <Card>
          <form
            className={classes['form']}
            onSubmit={(event) => {
              event.preventDefault();
              void change.save(typed);
            }}
            onChange={change.touch}
          >
            <TextInput
              label="Name for operators"
              maxLength={200}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <TextInput
              label="Default callback URL"
              description="Receives webhooks of orders without their own callback URL. An http or https URL."
              type="url"
              maxLength={500}
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            />
            <TimeZoneSelect
              label="Time zone"
              description="For the days and months of statements. A change applies from now on; past statements stay as they are."
              value={timeZone}
              onChange={(zone) => {
                setTimeZone(zone);
                change.touch();
              }}
            />
            <SaveBar change={change} typed={typed} />
          </form>
        </Card>
      ) : (
        <Card>
          <Facts
            facts={[
              [
                'Default callback URL',
                merchant.defaultCallbackUrl === null ? (
                  <span className="quiet">Not set</span>
                ) : (
                  <Copy value={merchant.defaultCallbackUrl} what="the URL" mono />
                ),
              ],
              ['Time zone', merchant.timeZone],
            ]}
          />
        </Card>
      )}
    </>
  );
}
