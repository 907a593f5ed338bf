import '@mantine/spotlight/styles.layer.css';
import { Spotlight, spotlight } from '@mantine/spotlight';
import Search from 'lucide-react/icons/search';
import { useLocation } from 'wouter';
import type { Screen } from './screens.ts';
import { texts } from './texts.ts';

export const openPalette = (): void => spotlight.open();

/** `Ctrl+K`: goes anywhere by name. */
export function Palette({ screens }: { readonly screens: readonly Screen[] }) {
  const [, go] = useLocation();
  const pages = screens.flatMap(({ path, menu }) =>
    menu === undefined
      ? []
      : [
          {
            id: path,
            label: menu.label,
            leftSection: <menu.icon size={16} />,
            onClick: () => go(path),
          },
        ],
  );
  return (
    <Spotlight
      actions={[{ group: texts.pages, actions: pages }]}
      shortcut={['mod + K']}
      nothingFound={texts.nothingFound}
      searchProps={{
        leftSection: <Search size={16} aria-hidden />,
        placeholder: texts.find,
        'aria-label': texts.find,
      }}
    />
  );
}
