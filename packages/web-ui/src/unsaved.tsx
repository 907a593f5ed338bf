import { Button, Modal } from '@mantine/core';
import { type FocusEvent, useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { navigate, useBrowserLocation } from 'wouter/use-browser-location';
import classes from './effect-dialog.module.css';
import { useReturnFocus } from './return-focus.ts';

const UNSAVED = {
  page: {
    title: 'Leave without saving?',
    lead: 'What you have changed on this page is not saved yet.',
    stay: 'Stay here',
    leave: 'Leave, and lose it',
  },
  dialog: {
    title: 'Close, and lose what you typed?',
    lead: 'Nothing was sent yet.',
    stay: 'Go on typing',
    leave: 'Close, and lose it',
  },
};

/** Asks before a page, a dialog or the window is left with something that is typed and not saved. */

/** Whether something is unsaved, by who has it. */
const unsaved = new Map<string, () => boolean>();
const hasUnsaved = () => [...unsaved.values()].some((isUnsaved) => isUnsaved());
/** What goes on when somebody leaves all the same, and what they leave. */
let leave: Leaving | null = null;
interface Leaving {
  readonly what: 'page' | 'dialog';
  go(): void;
}
/** The page that is shown, to which a button of the browser has to come back. */
let shown = location.href;

let listeners: readonly (() => void)[] = [];
const subscribe = (listener: () => void) => {
  listeners = [...listeners, listener];
  return () => {
    listeners = listeners.filter((each) => each !== listener);
  };
};
function ask(next: Leaving | null): void {
  leave = next;
  for (const listener of listeners) listener();
}

/** While it says true, leaving the page or the window asks first. */
export function useUnsaved(isUnsaved: () => boolean): void {
  const owner = useId();
  const newest = useRef(isUnsaved);
  newest.current = isUnsaved;
  useEffect(() => {
    unsaved.set(owner, () => newest.current());
    return () => void unsaved.delete(owner);
  }, [owner]);
}

/** What closes a dialog in which people type, and asks first where that loses what they typed. */
export interface TypedDialog {
  close(): void;
  /** For the form. */
  onFocusCapture(event: FocusEvent<HTMLElement>): void;
  /** True: what is typed has gone where it should, or is on its way. */
  setSent(isSent: boolean): void;
  /** For the dialog: while the question stands, Escape answers it alone. */
  readonly closeOnEscape: boolean;
}

/** These are worth nothing without what follows them, and typed again in a moment. */
const FORGOTTEN = '[autocomplete=one-time-code], [type=password], [data-repeats]';

/**
 * A dialog with fields. Typed is what differs from what a field had when it got the focus, so
 * that nobody is asked who has only looked, or has deleted what they wrote.
 */
export function useTypedDialog(onClose: () => void): TypedDialog {
  const before = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>());
  const sent = useRef(false);
  const question = useSyncExternalStore(subscribe, () => leave);
  const isTyped = () =>
    !sent.current &&
    [...before.current].some(([field, text]) => field.isConnected && field.value !== text);
  useUnsaved(isTyped);
  return {
    close: () => (isTyped() ? ask({ what: 'dialog', go: onClose }) : onClose()),
    onFocusCapture: ({ target }) => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (isField && !target.matches(FORGOTTEN) && !before.current.has(target))
        before.current.set(target, target.value);
    },
    setSent: (isSent) => {
      sent.current = isSent;
    },
    closeOnEscape: question === null,
  };
}

const isOtherPage = (to: string, from: string) =>
  new URL(to, from).pathname !== new URL(from).pathname;

const goUnlessUnsaved: typeof navigate = (to, options) => {
  const go = () => navigate(to, options);
  if (isOtherPage(String(to), location.href) && hasUnsaved()) ask({ what: 'page', go });
  else go();
};

/** As the `hook` of the app's Router. */
export const useAskingLocation: typeof useBrowserLocation = (options) => [
  useBrowserLocation(options)[0],
  goUnlessUnsaved,
];

/**
 * Follows the address, asks at the browser's own buttons, and has the browser ask before the window
 * is closed or loaded again. To be called once, before the app.
 */
export function askBeforeLeaving(): void {
  for (const kind of ['pushState', 'replaceState'])
    addEventListener(kind, () => {
      shown = location.href;
    });
  addEventListener(
    'popstate',
    (event) => {
      const to = location.href;
      if (!isOtherPage(to, shown) || !hasUnsaved()) {
        shown = to;
        return;
      }
      event.stopImmediatePropagation();
      history.pushState(null, '', shown);
      ask({ what: 'page', go: () => navigate(to) });
    },
    { capture: true },
  );
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault();
  });
}

/** The question, over the page. */
export function UnsavedQuestion() {
  const leaving = useSyncExternalStore(subscribe, () => leave);
  return leaving === null ? null : <Question leaving={leaving} />;
}

function Question({ leaving }: { readonly leaving: Leaving }) {
  const words = UNSAVED[leaving.what];
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={() => ask(null)}
      title={<strong>{words.title}</strong>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p>{words.lead}</p>
      <div className={classes['buttons']}>
        <span />
        <Button variant="default" data-autofocus onClick={() => ask(null)}>
          {words.stay}
        </Button>
        <Button
          color="bad"
          onClick={() => {
            if (leaving.what === 'page') unsaved.clear();
            ask(null);
            leaving.go();
          }}
        >
          {words.leave}
        </Button>
      </div>
    </Modal>
  );
}
