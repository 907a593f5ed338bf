import { Button, Checkbox, Menu, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CHANGE_VIEW, DELETE_VIEW, LIST_VIEWS, SAVE_VIEW, type SavedViewView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { errorText, Refusal, useList, useTypedDialog, useWrite } from '@munshi/web-ui';
import Bookmark from 'lucide-react/icons/bookmark';
import Check from 'lucide-react/icons/check';
import Users from 'lucide-react/icons/users';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { may, useSession } from './session.tsx';

type View = AsText<SavedViewView>;
const allows = (view: View, action: View['allowedActions'][number]) =>
  view.allowedActions.includes(action);

const say = (refusal: Error) => notifications.show({ message: errorText(refusal) });

/** Saved lists of orders: filters of the address under a name, for one reader or for all. */
export function ViewsMenu() {
  const [params, setParams] = useSearchParams();
  const { rows = [] } = useList(LIST_VIEWS, { query: { limit: 200 } });
  const deleting = useWrite(DELETE_VIEW);
  const changing = useWrite(CHANGE_VIEW);
  const [opened, setOpened] = useState<string>();
  const [asking, setAsking] = useState<'new' | View | null>(null);
  const query = sorted(params.toString());
  const current = rows.find((view) => sorted(view.query) === query);
  /** The view that is shown, or that was opened before its filters were changed. */
  const last = current ?? rows.find(({ viewId }) => viewId === opened);
  return (
    <>
      <Menu position="bottom-end" width={280} shadow="md">
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={16} aria-hidden />}>
            {current?.name ?? 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {rows.length === 0 ? <Menu.Label>No view is saved yet</Menu.Label> : null}
          {rows.map((view) => (
            <Menu.Item
              key={view.viewId}
              leftSection={view === current ? <Check size={14} aria-hidden /> : <span />}
              rightSection={view.shared ? <Users size={14} aria-label="for everybody" /> : null}
              onClick={() => {
                setOpened(view.viewId);
                setParams(new URLSearchParams(view.query));
              }}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={query === ''} onClick={() => setAsking('new')}>
            Save this view…
          </Menu.Item>
          {last !== undefined && last !== current && query !== '' && allows(last, 'change') ? (
            <Menu.Item
              onClick={() =>
                void changing.send({ params: { viewId: last.viewId }, body: { query } }).catch(say)
              }
            >
              Keep these filters as “{last.name}”
            </Menu.Item>
          ) : null}
          {current !== undefined && allows(current, 'change') ? (
            <Menu.Item onClick={() => setAsking(current)}>
              Rename or share “{current.name}”…
            </Menu.Item>
          ) : null}
          {current !== undefined && allows(current, 'delete') ? (
            <Menu.Item
              color="bad"
              onClick={() => void deleting.send({ params: { viewId: current.viewId } }).catch(say)}
            >
              Delete “{current.name}”
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {asking === null ? null : (
        <ViewDialog
          view={asking === 'new' ? undefined : asking}
          query={query}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** The same filters are the same view in any order. */
function sorted(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}

/** Saves the filters under a name, or changes the name of a view and who has it. */
function ViewDialog({
  view,
  query,
  onClose,
}: {
  readonly view: View | undefined;
  readonly query: string;
  onClose(): void;
}) {
  const { operator } = useSession();
  const save = useWrite(SAVE_VIEW);
  const change = useWrite(CHANGE_VIEW);
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const typing = useTypedDialog(onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = { name: name.trim(), shared };
    const sent =
      view === undefined
        ? save.send({ body: { query, ...given } })
        : change.send({ params: { viewId: view.viewId }, body: given });
    await sent.then(onClose, () => {});
  };
  return (
    <Modal
      opened
      onClose={typing.close}
      closeOnEscape={typing.closeOnEscape}
      title={view === undefined ? 'Save this view' : 'Change this view'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={submit}
        onFocusCapture={typing.onFocusCapture}
        style={{ display: 'grid', gap: 16 }}
      >
        <TextInput
          data-autofocus
          required
          label="Name"
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {may(operator, 'decide') ? (
          <Checkbox
            label="For every operator"
            checked={shared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        ) : null}
        <Refusal error={save.error ?? change.error} />
        <Button
          type="submit"
          loading={save.sending || change.sending}
          disabled={name.trim() === ''}
        >
          {view === undefined ? 'Save the view' : 'Change the view'}
        </Button>
      </form>
    </Modal>
  );
}
