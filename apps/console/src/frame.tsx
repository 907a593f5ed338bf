import { ActionIcon, Burger, Button, Kbd } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FACES, WHO_AM_I } from '@munshi/api';
import { Empty, LiveBar, LiveProvider, Page, Skeleton, useKeyList, useKeys } from '@munshi/web-ui';
import Keyboard from 'lucide-react/icons/keyboard';
import Search from 'lucide-react/icons/search';
import { Suspense, useEffect } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { AccountMenu } from './account-menu.tsx';
import { AuditAlarm } from './audit-alarm.tsx';
import { FailedPage } from './failed-page.tsx';
import classes from './frame.module.css';
import { MenuQueues } from './menu-queues.tsx';
import { openPalette, Palette } from './palette/palette.tsx';
import { SandboxBar, useSandboxClock } from './sandbox-bar.tsx';
import { SCREENS, type Screen } from './screens.ts';
import { PREFIX, service } from './service.ts';
import { sees, useSession } from './session.tsx';
import { texts } from './texts.ts';

/** What stands around every screen: menu, header, live bar, palette. */
export function Frame() {
  const { operator } = useSession();
  const { isSandbox } = useSandboxClock();
  const screens = SCREENS.filter(
    ({ role, sandbox }) => sees(operator, role) && (sandbox !== true || isSandbox !== false),
  );
  const listed = screens.filter(({ sandbox }) => sandbox !== true || isSandbox === true);
  const [opened, { toggle, close }] = useDisclosure();
  const [location, go] = useLocation();
  const showKeys = useKeyList();
  useEffect(() => close, [location, close]);
  useKeys([
    { keys: '/', label: texts.find, everywhere: true, run: openPalette },
    ...listed.flatMap(({ path, menu }) =>
      menu === undefined
        ? []
        : [
            {
              keys: `g ${menu.letter}`,
              label: texts.goTo(menu.label),
              everywhere: true as const,
              run: () => go(path),
            },
          ],
    ),
  ]);
  return (
    <LiveProvider url={`${PREFIX}${FACES.operator}/events`} onSignedOut={askAgain}>
      <a className={classes['skip']} href="#content">
        {texts.skip}
      </a>
      <div className={classes['frame']}>
        <nav className={classes['menu']} data-opened={opened} aria-label={texts.menu}>
          <Link href="/" className={classes['product']}>
            {texts.product}
          </Link>
          <MenuQueues />
          <MenuScreens screens={listed} />
        </nav>
        <div className={classes['side']}>
          <header className={classes['header']}>
            <Burger
              className={classes['burger']}
              size="sm"
              opened={opened}
              onClick={toggle}
              aria-label={texts.openMenu}
              aria-expanded={opened}
            />
            <Button
              variant="default"
              className={classes['find']}
              leftSection={<Search size={16} aria-hidden />}
              justify="flex-start"
              rightSection={
                <Kbd size="xs" className={classes['keys']}>
                  {texts.findKeys}
                </Kbd>
              }
              onClick={openPalette}
            >
              {texts.find}
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              className={classes['wide']}
              aria-label={texts.keyboard}
              onClick={showKeys}
            >
              <Keyboard size={18} aria-hidden />
            </ActionIcon>
            <AccountMenu />
          </header>
          <SandboxBar />
          <LiveBar />
          {sees(operator, 'admin') ? <AuditAlarm /> : null}
          <main id="content" className={classes['content']} tabIndex={-1}>
            <Screens screens={screens} />
          </main>
        </div>
      </div>
      <Palette screens={listed} />
    </LiveProvider>
  );
}

/** The stream has found that the session is over: any call tells the gate. */
const askAgain = () => void service.api.call(WHO_AM_I, {});

function MenuScreens({ screens }: { readonly screens: readonly Screen[] }) {
  const [location] = useLocation();
  return (
    <ul className={classes['items']}>
      {screens.map(({ path, menu }) => {
        if (menu === undefined || menu.isListed === false) return null;
        const current = location === path || (path !== '/' && location.startsWith(`${path}/`));
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
  const first = screens.find(({ menu }) => menu !== undefined);
  return (
    <FailedPage>
      <Suspense fallback={<Skeleton rows={8} />}>
        <Switch>
          {screens.map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          {screens.some(({ path }) => path === '/') || first === undefined ? null : (
            <Route path="/">
              <Redirect to={first.path} replace />
            </Route>
          )}
          <Route>
            <Page title={texts.notFound}>
              <Empty>
                <p>{texts.notFoundHint}</p>
                <Link href="/">{texts.toStart}</Link>
              </Empty>
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </FailedPage>
  );
}
