import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Sun from 'lucide-react/icons/sun';
import User from 'lucide-react/icons/user';
import { Link } from 'wouter';
import { forgetRecent } from '../palette/recent.ts';
import { useSignedIn } from '../sign-in/session.tsx';
import { When } from '../when.tsx';
import classes from './frame.module.css';
import { texts } from './texts.ts';

const THEMES = [
  { scheme: 'auto', label: texts.systemTheme, icon: Monitor },
  { scheme: 'light', label: texts.lightTheme, icon: Sun },
  { scheme: 'dark', label: texts.darkTheme, icon: Moon },
] as const;

/** Who is signed in, the theme, and the way out. */
export function AccountMenu({ role }: { readonly role: string }) {
  const { view, who, signOut } = useSignedIn();
  const { previousSignIn } = view;
  const leave = () => {
    forgetRecent(who.id);
    void signOut();
  };
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<User size={16} aria-hidden />}
          aria-label={texts.account(who.name)}
        >
          <span className={classes['name']}>{who.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {who.username} · {role}
        </Menu.Label>
        <Menu.Label>
          {previousSignIn === null ? (
            texts.firstSignIn
          ) : (
            <>
              {texts.lastSignIn} <When at={previousSignIn.at} />{' '}
              {texts.from(previousSignIn.address)}
            </>
          )}
        </Menu.Label>
        <Menu.Item
          component={Link}
          href="/security"
          leftSection={<ShieldCheck size={14} aria-hidden />}
        >
          {texts.security}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{texts.theme}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(to) => setColorScheme(to as never)}>
          {THEMES.map(({ scheme, label, icon: Icon }) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              rightSection={<Icon size={14} aria-hidden />}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={leave}>
          {texts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
