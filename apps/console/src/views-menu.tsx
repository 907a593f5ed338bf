import { Button, Checkbox, Menu, Modal, TextInput } from '@mantine/core';
import { DELETE_VIEW, LIST_VIEWS, SAVE_VIEW, type SavedViewView } from '@munshi/api';
import { Refusal, useList, useTypedDialog, useWrite } from '@munshi/web-ui';
import Bookmark from 'lucide-react/icons/bookmark';
import Check from 'lucide-react/icons/check';
import Users from 'lucide-react/icons/users';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { may, useSession } from './session.tsx';
import { texts } from './texts.ts';

const words = texts.views;

/** Lists under a name: what stands in the address of a screen, kept by its reader or for all. */
export function ViewsMenu({ screen }: { readonly screen: SavedViewView['screen'] }) {
  const [params, setParams] = useSearchParams();
  const { rows = [] } = useList(LIST_VIEWS, { query: { screen, limit: 200 } });
  const deleting = useWrite(DELETE_VIEW);
  const [saving, setSaving] = useState(false);
  const query = sorted(params.toString());
  const current = rows.find((view) => sorted(view.query) === query);
  const mayDelete = current?.allowedActions.includes('delete') ?? false;
  return (
    <>
      <Menu position="bottom-end" width={280} shadow="md">
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={16} aria-hidden />}>
            {current?.name ?? words.views}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {rows.length === 0 ? <Menu.Label>{words.none}</Menu.Label> : null}
          {rows.map((view) => (
            <Menu.Item
              key={view.viewId}
              leftSection={view === current ? <Check size={14} aria-hidden /> : <span />}
              rightSection={view.shared ? <Users size={14} aria-label={words.shared} /> : null}
              onClick={() => setParams(new URLSearchParams(view.query))}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={query === ''} onClick={() => setSaving(true)}>
            {words.save}
          </Menu.Item>
          {current !== undefined && mayDelete ? (
            <Menu.Item
              color="bad"
              onClick={() => void deleting.send({ params: { viewId: current.viewId } })}
            >
              {words.remove(current.name)}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {saving ? <SaveView screen={screen} query={query} onClose={() => setSaving(false)} /> : null}
    </>
  );
}

/** The same filters are the same view in any order. */
function sorted(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}

function SaveView({
  screen,
  query,
  onClose,
}: {
  readonly screen: SavedViewView['screen'];
  readonly query: string;
  onClose(): void;
}) {
  const { operator } = useSession();
  const save = useWrite(SAVE_VIEW);
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const typing = useTypedDialog(onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = { screen, name: name.trim(), query, shared };
    await save.send({ body }).then(onClose, () => {});
  };
  return (
    <Modal
      opened
      onClose={typing.close}
      closeOnEscape={typing.closeOnEscape}
      title={words.saveTitle}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <form
        onSubmit={submit}
        onFocusCapture={typing.onFocusCapture}
        style={{ display: 'grid', gap: 16 }}
      >
        <TextInput
          data-autofocus
          required
          label={words.name}
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {may(operator, 'decide') ? (
          <Checkbox
            label={words.forAll}
            checked={shared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        ) : null}
        <Refusal error={save.error} />
        <Button type="submit" loading={save.sending} disabled={name.trim() === ''}>
          {words.saveDeed}
        </Button>
      </form>
    </Modal>
  );
}
