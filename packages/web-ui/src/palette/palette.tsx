import { Kbd, Modal, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Search from 'lucide-react/icons/search';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Screen } from '../frame/screen.ts';
import { useSignedIn } from '../sign-in/session.tsx';
import { type Group, type Item, type Kind, knownGroups } from './groups.ts';
import { offered } from './offered.ts';
import classes from './palette.module.css';

/** What an app lets people find. */
export interface PaletteSource {
  /** In the empty field. */
  readonly hint: string;
  /** Where nothing was found. */
  readonly nothingHint: string;
  /** The heading of what the open page offers: `This order`. */
  readonly actions: string;
  /** What `useRecent` may name. */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** A hook: what the service finds for what was typed. */
  useFound(typed: string): Found;
  /** The last item: it leads to a full search for what was typed. */
  everywhere(typed: string): Item;
}

export interface Found {
  readonly isSearching: boolean;
  /** Sentences, where something could not be searched. */
  readonly failures: readonly string[];
  readonly groups: readonly Group[];
  /** Says what was searched. */
  readonly searched?: ReactNode;
}

/** A single letter finds too much to be of use. */
export const LETTERS_MIN = 2;

let open = () => {};
export const openPalette = (): void => open();

/** `Ctrl+K`: goes anywhere and does anything, by name. */
export function Palette({ screens, source }: Offered) {
  const [opener, setOpener] = useState<Element | null>(null);
  open = () => setOpener(document.activeElement ?? document.body);
  // A dialog keeps the keyboard, and what was typed into it.
  const openUnlessAsked = () => document.querySelector('[role=dialog]') ?? open();
  useHotkeys([['mod+K', openUnlessAsked]], []);
  if (opener === null) return null;
  const dismiss = () => {
    setOpener(null);
    if (opener instanceof HTMLElement) opener.focus();
  };
  return <Opened {...{ screens, source }} onDismiss={dismiss} onChosen={() => setOpener(null)} />;
}

interface Offered {
  readonly screens: readonly Screen[];
  readonly source: PaletteSource;
}

interface OpenedProps extends Offered {
  /** Nothing was chosen: the focus goes back. */
  onDismiss(): void;
  /** The focus goes to what was chosen. */
  onChosen(): void;
}

function Opened({ screens, source, onDismiss, onChosen }: OpenedProps) {
  const { id: whoId } = useSignedIn().who;
  const { kinds, actions } = source;
  const [path, go] = useLocation();
  const [written, setWritten] = useState('');
  const [moved, setAt] = useState<number | null>(null);
  const listId = useId();
  const typed = written.trim();
  const found = source.useFound(typed);
  const known = knownGroups(typed, { screens, kinds, actions, whoId, path });
  const groups = [...known, ...found.groups].filter(({ items }) => items.length > 0);
  const everywhere = typed.length >= LETTERS_MIN ? [source.everywhere(typed)] : [];
  const items = [...groups.flatMap((group) => group.items), ...everywhere];
  // With nothing typed, Enter is for what the page offers, and not for where somebody was before.
  const at = moved ?? (typed !== '' || offered().length > 0 ? 0 : -1);
  const selected = items[Math.min(at, items.length - 1)];

  const choose = (item: Item) => {
    // The page may have gone on to another order below the palette.
    if (item.run !== undefined && !offered().some(({ id }) => id === item.id)) return setAt(null);
    onChosen();
    if (item.path !== undefined) go(item.path);
    item.run?.();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || items.length === 0) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const from = at === -1 && by === -1 ? 0 : Math.min(at, items.length - 1);
      setAt((from + by + items.length) % items.length);
    } else if (event.key === 'Enter' && selected !== undefined) {
      event.preventDefault();
      choose(selected);
    }
  };
  const shown = { listId, selected, choose };
  return (
    <Modal
      opened
      onClose={onDismiss}
      returnFocus={false}
      withCloseButton={false}
      centered={false}
      yOffset="12dvh"
      padding={0}
      size={640}
      attributes={{ content: { 'aria-label': 'Find or go to' } }}
    >
      <div className={classes['input']}>
        <TextInput
          data-autofocus
          variant="unstyled"
          role="combobox"
          aria-label="Find or go to"
          aria-expanded={items.length > 0}
          aria-autocomplete="list"
          aria-controls={items.length > 0 ? listId : undefined}
          aria-activedescendant={selected === undefined ? undefined : idOf(listId, selected)}
          autoComplete="off"
          spellCheck={false}
          leftSection={<Search size={16} aria-hidden />}
          placeholder={source.hint}
          value={written}
          onKeyDown={press}
          onChange={({ currentTarget }) => {
            setWritten(currentTarget.value);
            setAt(null);
          }}
        />
      </div>
      {items.length === 0 ? null : (
        <div id={listId} role="listbox" aria-label="What was found" className={classes['list']}>
          {groups.map((group) => (
            <Options key={group.label} group={group} {...shown} />
          ))}
          {everywhere.map((item) => (
            <Option key={item.id} item={item} {...shown} />
          ))}
        </div>
      )}
      {found.failures.map((failure) => (
        <p key={failure} role="alert" className={classes['failed']}>
          {failure}
        </p>
      ))}
      {groups.length > 0 || found.isSearching || found.failures.length > 0 ? null : (
        <div className={classes['nothing']}>
          <strong>Nothing found for “{typed}”</strong>
          {found.searched ?? null}
          <p>{source.nothingHint}</p>
        </div>
      )}
      <Foot isSearching={found.isSearching} count={items.length - everywhere.length} />
    </Modal>
  );
}

interface Shown {
  readonly listId: string;
  readonly selected: Item | undefined;
  choose(item: Item): void;
}

const idOf = (listId: string, { id }: Item) => `${listId} ${id}`.replaceAll(/\W/g, '-');

function Options({ group: { label, items }, ...shown }: Shown & { readonly group: Group }) {
  const labelId = `${shown.listId} ${label}`.replaceAll(/\W/g, '-');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, which has no element
    <div role="group" aria-labelledby={labelId} className={classes['group']}>
      <div id={labelId} className={classes['label']}>
        {label}
      </div>
      {items.map((item) => (
        <Option key={item.id} item={item} {...shown} />
      ))}
    </div>
  );
}

function Option({ item, listId, selected, choose }: Shown & { readonly item: Item }) {
  const { label, detail, side, icon: Icon } = item;
  const isSelected = selected?.id === item.id;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works in the field above
    // biome-ignore lint/a11y/useFocusableInteractive: the field says which one is active
    <div
      ref={element}
      id={idOf(listId, item)}
      role="option"
      aria-selected={isSelected}
      className={classes['item']}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(item)}
    >
      <Icon size={16} aria-hidden />
      <span className={classes['words']}>
        <span>{label}</span>
        {detail === undefined || detail === '' ? null : (
          <span className={classes['detail']}>{detail}</span>
        )}
      </span>
      {side === undefined ? null : <span className={classes['side']}>{side}</span>}
    </div>
  );
}

function Foot({ isSearching, count }: { readonly isSearching: boolean; readonly count: number }) {
  return (
    <div className={classes['foot']}>
      <span role="status">
        {isSearching ? 'Searching' : count === 1 ? '1 result' : `${count} results`}
      </span>
      <span className={classes['keys']}>
        <Kbd size="xs">
          <ArrowUp size={10} aria-hidden />
          <ArrowDown size={10} aria-hidden />
        </Kbd>{' '}
        move
      </span>
      <span className={classes['keys']}>
        <Kbd size="xs">Enter</Kbd> open
      </span>
      <span className={classes['keys']}>
        <Kbd size="xs">Esc</Kbd> close
      </span>
    </div>
  );
}
