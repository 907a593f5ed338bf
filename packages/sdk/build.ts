import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';

/**
 * Builds what merchants install into `dist`: ES and CommonJS modules with types, core's signature
 * bundled, no dependency. `npm pack ./packages/sdk/dist` makes the package of it.
 */
const HERE = import.meta.dirname;
const DIST = path.join(HERE, 'dist');
const OLDEST_NODE = '>=20';

await rm(DIST, { recursive: true, force: true });
for (const format of ['es', 'cjs'] as const) await bundle(format);
await writeTypes();
await writePackage();

async function bundle(format: 'es' | 'cjs') {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: HERE,
    build: {
      lib: {
        entry: path.join(HERE, 'src/index.ts'),
        formats: [format],
        fileName: () => 'index.js',
      },
      outDir: path.join(DIST, format),
      target: 'es2022',
      minify: false,
      emptyOutDir: true,
      rollupOptions: { external: [/^node:/] },
    },
  });
}

/**
 * Declarations of the source, once for each form: a CommonJS importer must not be led to an ES
 * module.
 */
async function writeTypes() {
  execFileSync(
    process.execPath,
    [
      path.join(HERE, '../../node_modules/typescript/bin/tsc'),
      '-p',
      path.join(HERE, 'tsconfig.build.json'),
    ],
    {
      stdio: 'inherit',
    },
  );
  const emitted = path.join(DIST, 'types/sdk/src');
  for (const name of await readdir(emitted)) {
    const text = (await readFile(path.join(emitted, name), 'utf8')).replaceAll(
      /(from '\.\/[\w-]+)\.ts'/g,
      "$1.js'",
    );
    for (const format of ['es', 'cjs']) await writeFile(path.join(DIST, format, name), text);
  }
  await rm(path.join(DIST, 'types'), { recursive: true });
}

async function writePackage() {
  const { name, version, license, description } = JSON.parse(
    await readFile(path.join(HERE, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  const entry = (format: string) => ({
    types: `./${format}/index.d.ts`,
    default: `./${format}/index.js`,
  });
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: OLDEST_NODE },
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: { '.': { import: entry('es'), require: entry('cjs') } },
    files: ['es', 'cjs'],
    sideEffects: false,
  };
  await writeFile(path.join(DIST, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(path.join(DIST, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  await cp(path.join(HERE, 'README.md'), path.join(DIST, 'README.md'));
  await cp(path.join(HERE, '../../LICENSE'), path.join(DIST, 'LICENSE'));
}
