import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import User from 'lucide-react/icons/user';
import classes from './frame.module.css';
import { useSession } from './session.tsx';
import { texts } from './texts.ts';

const THEMES = [
  { scheme: 'auto', label: texts.systemTheme, icon: Monitor },
  { scheme: 'light', label: texts.lightTheme, icon: Sun },
  { scheme: 'dark', label: texts.darkTheme, icon: Moon },
] as const;

/** Who is signed in, the theme, and the way out. */
export function AccountMenu() {
  const { operator, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<User size={16} aria-hidden />}
          aria-label={texts.account(operator.name)}
        >
          <span className={classes['name']}>{operator.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {operator.username} · {texts.roles[operator.role]}
        </Menu.Label>
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
        <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={() => void signOut()}>
          {texts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
