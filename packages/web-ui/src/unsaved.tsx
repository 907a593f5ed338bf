import { Button, Modal } from '@mantine/core';
import { useEffect, useId, useSyncExternalStore } from 'react';
import { navigate, useBrowserLocation } from 'wouter/use-browser-location';
import classes from './effect-dialog.module.css';
import { texts } from './texts.ts';

/** Asks before a page is left on which something was typed and not saved. */

const unsaved = new Set<string>();
/** What goes on when somebody leaves all the same. */
let leave: (() => void) | null = null;
/** The page that is shown, to which a button of the browser has to come back. */
let shown = location.href;

let listeners: readonly (() => void)[] = [];
const subscribe = (listener: () => void) => {
  listeners = [...listeners, listener];
  return () => {
    listeners = listeners.filter((each) => each !== listener);
  };
};
function ask(next: (() => void) | null): void {
  leave = next;
  for (const listener of listeners) listener();
}

/** While it is true, leaving the page asks first. */
export function useUnsaved(isUnsaved: boolean): void {
  const owner = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.add(owner);
    return () => void unsaved.delete(owner);
  }, [isUnsaved, owner]);
}

const isOtherPage = (to: string, from: string) =>
  new URL(to, from).pathname !== new URL(from).pathname;

const goUnlessUnsaved: typeof navigate = (to, options) => {
  const go = () => navigate(to, options);
  if (unsaved.size > 0 && isOtherPage(String(to), location.href)) ask(go);
  else go();
};

/** As the `hook` of the app's Router. */
export const useAskingLocation: typeof useBrowserLocation = (options) => [
  useBrowserLocation(options)[0],
  goUnlessUnsaved,
];

/** Follows the address, and asks at the browser's own buttons. To be called once, before the app. */
export function askBeforeLeaving(): void {
  for (const kind of ['pushState', 'replaceState'])
    addEventListener(kind, () => {
      shown = location.href;
    });
  addEventListener(
    'popstate',
    (event) => {
      const to = location.href;
      if (unsaved.size === 0 || !isOtherPage(to, shown)) {
        shown = to;
        return;
      }
      event.stopImmediatePropagation();
      history.pushState(null, '', shown);
      ask(() => navigate(to));
    },
    { capture: true },
  );
}

/** The question, over the page. */
export function UnsavedQuestion() {
  const go = useSyncExternalStore(subscribe, () => leave);
  if (go === null) return null;
  return (
    <Modal
      opened
      onClose={() => ask(null)}
      title={<strong>{texts.unsaved.title}</strong>}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <p>{texts.unsaved.lead}</p>
      <div className={classes['buttons']}>
        <span />
        <Button variant="default" data-autofocus onClick={() => ask(null)}>
          {texts.unsaved.stay}
        </Button>
        <Button
          color="bad"
          onClick={() => {
            unsaved.clear();
            ask(null);
            go();
          }}
        >
          {texts.unsaved.leave}
        </Button>
      </div>
    </Modal>
  );
}
