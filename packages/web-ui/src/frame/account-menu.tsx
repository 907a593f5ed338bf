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

const THEMES = [
  { scheme: 'auto', label: 'As the system', icon: Monitor },
  { scheme: 'light', label: 'Light', icon: Sun },
  { scheme: 'dark', label: 'Dark', icon: Moon },
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
          aria-label={`Signed in as ${who.name}`}
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
            'This is your first sign-in.'
          ) : (
            <>
              Last sign-in <When at={previousSignIn.at} /> from {previousSignIn.address}
            </>
          )}
        </Menu.Label>
        <Menu.Item
          component={Link}
          href="/security"
          leftSection={<ShieldCheck size={14} aria-hidden />}
        >
          Sign-in and one-time codes
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
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
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
