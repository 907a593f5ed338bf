import { Kbd, Modal } from '@mantine/core';
import {
  createContext,
  Fragment,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import classes from './keyboard.module.css';

export interface KeyBinding {
  /** One key as the browser names it, or two after each other: `j`, `?`, `g o`. */
  readonly keys: string;
  /** What it does, for the list of all keys. */
  readonly label: string;
  run(): void;
  /** Works everywhere, and not on this page alone. */
  readonly everywhere?: true;
}

/** Bindings by who has registered them; a page's win over the frame's. */
interface Registry {
  set(owner: string, bindings: readonly KeyBinding[] | undefined): void;
  showAll(): void;
}
const KeyboardContext = createContext<Registry | null>(null);

/** What is listed alone: the palette and dialogs know their keys themselves. */
const EVERYWHERE = [
  { keys: 'Ctrl+K', label: 'Find or go to' },
  { keys: '?', label: 'All keys' },
];
const IN_DIALOGS = [
  { keys: 'Alt+1', label: 'Write the first sentence as the note; Alt+2 the second' },
  { keys: 'Ctrl+Enter', label: 'Send' },
  { keys: 'Esc', label: 'Close' },
];

/** How long the second key of a pair may take. */
const PAIR_MS = 1500;

/** Letters go to a field that takes text; a dialog has the keyboard to itself. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox]), textarea, select') ||
    target.closest('[role=dialog], [role=menu], [role=listbox], dialog') !== null);

/** Knows every key of the app; `?` lists them. */
export function KeyboardProvider({ children }: { readonly children: ReactNode }) {
  const bindings = useRef(new Map<string, readonly KeyBinding[]>());
  const [listed, setListed] = useState<readonly KeyBinding[] | null>(null);
  const all = () => [...bindings.current.values()].flat();
  const registry = useMemo<Registry>(
    () => ({
      set(owner, own) {
        if (own === undefined) bindings.current.delete(owner);
        else bindings.current.set(owner, own);
      },
      showAll: () => setListed([...bindings.current.values()].flat()),
    }),
    [],
  );

  useLayoutEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      if (event.key === '?') return registry.showAll();
      const begun = first !== undefined && event.timeStamp - first.at < PAIR_MS ? first : undefined;
      first = undefined;
      const pressed = begun === undefined ? event.key : `${begun.key} ${event.key}`;
      const fitting = all().filter(({ keys }) => keys === pressed);
      const binding = fitting.findLast(({ everywhere }) => !everywhere) ?? fitting.at(-1);
      if (binding !== undefined) {
        event.preventDefault();
        binding.run();
      } else if (all().some(({ keys }) => keys.startsWith(`${event.key} `)))
        first = { key: event.key, at: event.timeStamp };
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [registry]);

  return (
    <KeyboardContext value={registry}>
      {children}
      <Modal
        opened={listed !== null}
        onClose={() => setListed(null)}
        title="Keyboard"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Keys title="On this page" bindings={listed?.filter((each) => !each.everywhere) ?? []} />
        <Keys
          title="Everywhere"
          bindings={[...(listed?.filter((each) => each.everywhere) ?? []), ...EVERYWHERE]}
        />
        <Keys title="In a dialog" bindings={IN_DIALOGS} />
        <p className="quiet">No single key moves money.</p>
      </Modal>
    </KeyboardContext>
  );
}

/** Has these keys work while the component is on the page, from the moment it is drawn. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const registry = useContext(KeyboardContext);
  const owner = useId();
  useLayoutEffect(() => {
    registry?.set(owner, bindings);
  });
  useLayoutEffect(() => () => registry?.set(owner, undefined), [registry, owner]);
}

/** Shows the list of all keys, as `?` does. */
export function useKeyList(): () => void {
  const registry = useContext(KeyboardContext);
  return () => registry?.showAll();
}

interface KeysProps {
  readonly title: string;
  readonly bindings: readonly Pick<KeyBinding, 'keys' | 'label'>[];
}

function Keys({ title, bindings }: KeysProps) {
  const newest = [...new Map(bindings.map((each) => [each.keys, each])).values()];
  if (newest.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl className={classes['keys']}>
        {newest.map(({ keys, label }) => (
          <Fragment key={keys}>
            <dt>
              {keys.split(' ').map((key, at) => (
                <Fragment key={key}>
                  {at > 0 ? <span className="quiet"> then </span> : null}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{label}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
