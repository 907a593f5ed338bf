import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';

/**
 * Builds what merchants install into `dist`, before `npm pack`: ES and CommonJS modules with types,
 * and the command `munshi`. Core's rules and the command's libraries are bundled, so that the
 * package has no dependency.
 */
const HERE = import.meta.dirname;
const DIST = path.join(HERE, 'dist');
/** `munshi` loads the client from its file beside it. */
const CLIENT = /\/sdk\/src\/index\.ts$/;

await rm(DIST, { recursive: true, force: true });
const index = { index: path.join(HERE, 'src/index.ts') };
await bundle('es', index);
await bundle('cjs', index);
await bundle('es', { munshi: path.join(HERE, '../cli/src/main.ts') });
await writeTypes();
await writeFile(path.join(DIST, 'cjs/package.json'), '{ "type": "commonjs" }\n');
await cp(path.join(HERE, '../../LICENSE'), path.join(DIST, 'LICENSE'));
await cp(
  path.join(HERE, '../../node_modules/commander/LICENSE'),
  path.join(DIST, 'es/munshi.commander.LICENSE'),
);

async function bundle(format: 'es' | 'cjs', entry: Record<string, string>) {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: HERE,
    build: {
      lib: { entry, formats: [format], fileName: (_, name) => `${name}.js` },
      outDir: path.join(DIST, format),
      target: 'es2022',
      minify: false,
      emptyOutDir: false,
      rolldownOptions: {
        external: [/^node:/, CLIENT],
        output: { paths: (id) => (CLIENT.test(id) ? './index.js' : id) },
      },
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
