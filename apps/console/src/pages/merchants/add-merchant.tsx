import { TextInput } from '@mantine/core';
import { CREATE_MERCHANT } from '@munshi/api';
import { EffectDialog, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useLocation } from 'wouter';

export function AddMerchant({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [, go] = useLocation();
  const { send } = useWrite(CREATE_MERCHANT);
  return (
    <EffectDialog
      title="Add a merchant"
      ready={name.trim() !== ''}
      onClose={onClose}
      onSend={async () => {
        const { data } = await send({ body: { name: name.trim() } });
        go(`/merchants/${data.merchantId}/access`);
      }}
    >
      <TextInput
        label="Name of the merchant"
        description="It starts with PKR and every method. Set keys, methods, limits and fees on its page."
        maxLength={200}
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </EffectDialog>
  );
}
