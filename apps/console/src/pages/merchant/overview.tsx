import { TextInput } from '@mantine/core';
import { Card, Copy, Facts, SaveBar, When } from '@munshi/web-ui';
import { useState } from 'react';
import { TimeZoneSelect } from '../../time-zone-select.tsx';
import classes from './merchant.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';
import { useChange } from './use-change.ts';

export function OverviewTab({ merchant }: TabProps) {
  const change = useChange(merchant);
  const [name, setName] = useState(merchant.name);
  const [url, setUrl] = useState(merchant.defaultCallbackUrl ?? '');
  const [timeZone, setTimeZone] = useState(merchant.timeZone);
  return (
    <>
      <Card>
        <Facts
          facts={[
            [texts.created, <When key="created" at={merchant.createdAt} />],
            [
              texts.callbackUrl,
              merchant.defaultCallbackUrl === null ? (
                <span className="quiet">{texts.notSet}</span>
              ) : (
                <Copy value={merchant.defaultCallbackUrl} what={texts.theUrl} mono />
              ),
            ],
            [texts.tabs.methods, methodsOf(merchant)],
            [texts.timeZone, merchant.timeZone],
          ]}
        />
      </Card>
      {change.mayChange ? (
        <Card>
          <form
            className={classes['form']}
            onSubmit={(event) => {
              event.preventDefault();
              void change.save({
                name,
                defaultCallbackUrl: url.trim() === '' ? null : url.trim(),
                timeZone,
              });
            }}
            onChange={change.touch}
          >
            <TextInput
              label={texts.rename}
              maxLength={200}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <TextInput
              label={texts.callbackUrl}
              description={texts.callbackHint}
              type="url"
              maxLength={500}
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            />
            <TimeZoneSelect
              label={texts.timeZone}
              description={texts.timeZoneHint}
              value={timeZone}
              onChange={(zone) => {
                setTimeZone(zone);
                change.touch();
              }}
            />
            <SaveBar change={change} />
          </form>
        </Card>
      ) : null}
    </>
  );
}

const methodsOf = ({ depositMethods, withdrawalMethods, currencies }: TabProps['merchant']) =>
  `${depositMethods.length} ${texts.deposits.toLowerCase()}, ${withdrawalMethods.length} ${texts.withdrawals.toLowerCase()}, ${currencies.join(' ')}`;
