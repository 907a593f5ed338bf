import { ActionIcon, Burger, Button, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import KeyboardIcon from 'lucide-react/icons/keyboard';
import Search from 'lucide-react/icons/search';
import { type ReactNode, Suspense, useEffect } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { useKeyList, useKeys } from '../keyboard.tsx';
import { LiveBar, LiveProvider } from '../live.tsx';
import { Page, PageOnItsWay } from '../page.tsx';
import { openPalette, Palette, type PaletteSource } from '../palette/palette.tsx';
import { Empty } from '../states.tsx';
import { UnsavedQuestion } from '../unsaved.tsx';
import { AccountMenu } from './account-menu.tsx';
import { FailedPage } from './failed-page.tsx';
import classes from './frame.module.css';
import type { Screen } from './screen.ts';

export interface FrameProps {
  /** Those that the person signed in may open. */
  readonly screens: readonly Screen[];
  /** Those of them that menu, keys and palette name: all, where nothing is given. */
  readonly listed?: readonly Screen[];
  /** On top of the menu; `Munshi` where nothing is given. */
  readonly brand?: ReactNode;
  /** Above the screens of the menu. */
  readonly aboveMenu?: ReactNode;
  /** Under the header, on every page. */
  readonly bars?: ReactNode;
  /** What their role is called. */
  readonly role: string;
  readonly palette: PaletteSource;
  /** The stream has found that the session is over: any call notifies the gate. */
  onSignedOut(): void;
}

/** What stands around every screen: menu, header, live bar, palette. */
export function Frame(props: FrameProps) {
  const { screens, listed = screens, brand = 'Munshi', bars, palette } = props;
  useFrameKeys(listed);
  return (
    <LiveProvider onSignedOut={props.onSignedOut}>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      <FrameGrid
        menu={
          <>
            <Link href="/" className={classes['product']}>
              {brand}
            </Link>
            {props.aboveMenu}
            <MenuScreens screens={listed} />
          </>
        }
        role={props.role}
      >
        {bars}
        <LiveBar />
        <main id="content" className={classes['content']} tabIndex={-1}>
          <Screens screens={screens} />
        </main>
      </FrameGrid>
      <Palette screens={listed} source={palette} />
      <UnsavedQuestion />
    </LiveProvider>
  );
}

function useFrameKeys(listed: readonly Screen[]): void {
  const [, go] = useLocation();
  useKeys([
    { keys: '/', label: 'Find or go to', everywhere: true, run: openPalette },
    ...listed.flatMap(({ path, menu }) =>
      menu === undefined
        ? []
        : [
            {
              keys: `g ${menu.letter}`,
              label: `Go to ${menu.label}`,
              everywhere: true as const,
              run: () => go(path),
            },
          ],
    ),
  ]);
}

function FrameGrid({
  menu,
  role,
  children,
}: {
  readonly menu: ReactNode;
  readonly role: string;
  readonly children: ReactNode;
}) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const showKeys = useKeyList();
  useEffect(() => close, [location, close]);
  return (
    <div className={classes['frame']}>
      <nav className={classes['menu']} data-opened={opened} aria-label="Menu">
        {menu}
      </nav>
      <div className={classes['side']}>
        <header className={classes['header']}>
          <Burger
            className={classes['burger']}
            size="sm"
            opened={opened}
            onClick={toggle}
            aria-label="Open the menu"
            aria-expanded={opened}
          />
          <Button
            variant="default"
            className={classes['find']}
            leftSection={<Search size={16} aria-hidden />}
            justify="flex-start"
            rightSection={
              <Kbd size="xs" className={classes['keys']}>
                Ctrl + K
              </Kbd>
            }
            onClick={openPalette}
          >
            Find or go to
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            className={classes['wide']}
            aria-label="Keyboard"
            onClick={showKeys}
          >
            <KeyboardIcon size={18} aria-hidden />
          </ActionIcon>
          <AccountMenu role={role} />
        </header>
        {children}
      </div>
    </div>
  );
}

function MenuScreens({ screens }: { readonly screens: readonly Screen[] }) {
  const [location] = useLocation();
  const isBelow = (path: string) => path !== '/' && location.startsWith(`${path}/`);
  const within = screens.find((screen) => isBelow(screen.path.replace(/\/:.*/, '')))?.within;
  return (
    <ul className={classes['items']}>
      {screens.map(({ path, menu }) => {
        if (menu === undefined || menu.isListed === false) return null;
        const current = location === path || isBelow(path) || within === path;
        const Icon = menu.icon;
        return (
          <li key={path}>
            <Link
              href={path}
              className={classes['item']}
              aria-current={current ? 'page' : undefined}
            >
              <Icon size={16} />
              {menu.label}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function Screens({ screens }: { readonly screens: readonly Screen[] }) {
  const [address] = useLocation();
  const first = screens.find(({ menu }) => menu !== undefined);
  return (
    <FailedPage address={address}>
      <Suspense fallback={<PageOnItsWay />}>
        <Switch>
          {screens.map(({ path, hasTabs, page }) => (
            <Route
              key={path}
              path={hasTabs === undefined ? path : `${path}/:tab?`}
              component={page}
            />
          ))}
          {screens.some(({ path }) => path === '/') || first === undefined ? null : (
            <Route path="/">
              <Redirect to={first.path} replace />
            </Route>
          )}
          <Route>
            <Page title="There is no such page">
              <Empty>
                <p>The address may be mistyped, or the page may be for another role.</p>
                <Link href="/">Go to the first page</Link>
              </Empty>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </FailedPage>
  );
}
