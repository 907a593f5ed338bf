import type { Endpoint } from '@munshi/api';
import type { RequestOf } from '@munshi/web';
import { EffectDialog, type EffectDialogProps, type FieldsOf, useForm } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { Changes } from './changes.tsx';
import { useMayWait } from './effects/use-may-wait.tsx';
import { fieldLabel } from './field-names.ts';
import { sayIfItWaits } from './say-if-it-waits.tsx';

interface EditDialogProps<Values, E extends Endpoint>
  extends Pick<EffectDialogProps, 'title' | 'button' | 'onClose'> {
  /** Above the fields, and below them. */
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
  readonly fields: FieldsOf<Values>;
  /** Those of them that can be changed here; all by default. */
  readonly shown?: readonly (keyof NoInfer<Values> & string)[];
  readonly before: NoInfer<Values>;
  readonly endpoint: E;
  /** What is sent: of the fields those that differ. */
  request(changed: Partial<NoInfer<Values>>): RequestOf<E>;
}

/** Changes fields, and shows what differs as a second operator reads it. */
export function EditDialog<Values extends object, E extends Endpoint>({
  fields,
  shown,
  before,
  endpoint,
  request,
  lead,
  children,
  ...dialog
}: EditDialogProps<Values, E>) {
  const [ifItWaits, send] = useMayWait(endpoint);
  const form = useForm(fields, fieldLabel, before);
  const { changed } = form;
  const names = form.names.filter((name) => name in changed);
  const were = Object.fromEntries(names.map((name) => [`${name}Before`, form.before[name]]));
  return (
    <EffectDialog
      {...dialog}
      ready={names.length > 0}
      beside={form.names}
      onSend={async () => sayIfItWaits((await send(request(changed))) as { data: object })}
    >
      {(refusal) => (
        <>
          {lead}
          {form.show(refusal, shown)}
          {names.length === 0 ? null : (
            <>
              <Changes label="What changes" fields={{ ...changed, ...were }} />
              {ifItWaits(request(changed))}
            </>
          )}
          {children}
        </>
      )}
    </EffectDialog>
  );
}
