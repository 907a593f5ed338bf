import { Select, TextInput } from '@mantine/core';

interface TextProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

/** The name of a person, where a dialog begins. */
export const NameField = ({ label, value, onChange }: TextProps) => (
  <TextInput
    label={label}
    data-autofocus
    maxLength={60}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

export const UsernameField = ({
  label,
  description,
  value,
  onChange,
}: TextProps & { readonly description: string }) => (
  <TextInput
    label={label}
    description={description}
    autoCapitalize="none"
    spellCheck={false}
    maxLength={100}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

/** Each role with what it may do. */
export const RoleField = <Role extends string>({
  label,
  hints,
  role,
  onChange,
}: {
  readonly label: string;
  readonly hints: Readonly<Record<NoInfer<Role>, string>>;
  readonly role: Role;
  onChange(role: NoInfer<Role>): void;
}) => (
  <Select
    label={label}
    data={Object.entries<string>(hints).map(([value, hint]) => ({ value, label: hint }))}
    value={role}
    allowDeselect={false}
    onChange={(chosen) => onChange((chosen as Role | null) ?? role)}
  />
);

/** Usernames have no spaces. */
export const isNamed = (name: string, username: string): boolean =>
  name.trim() !== '' && /^\S+$/.test(username);
