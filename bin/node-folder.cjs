// Prints the folder of the Node that runs everything here: the one that `npm ci` has installed for
// this platform, or else the one that runs this file, if it is new enough. Any Node can read this
// file, the system's old one included. It asks for packages and not for node_modules/.bin/node,
// which npm 9.2 to 11.5 leave out: several optional packages bring a command of that name.
const { existsSync } = require('node:fs');
const path = require('node:path');
const { optionalDependencies } = require('../package.json');

const OLDEST = 24;
const LOADERS = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };

/** The packages' programs for Linux need glibc, which Alpine and its like do not have. */
const canRun = process.platform !== 'linux' || existsSync(LOADERS[process.arch] ?? '');

const installed = Object.keys(optionalDependencies).flatMap((name) => {
  try {
    const manifest = require.resolve(`${name}/package.json`);
    const { os, cpu, bin } = require(manifest);
    const fits = [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
    return fits ? [path.resolve(path.dirname(manifest), bin.node)] : [];
  } catch {
    return []; // for another platform
  }
});

const own = Number.parseInt(process.versions.node, 10) >= OLDEST ? [process.execPath] : [];
const [node] = [...(canRun ? installed : []), ...own];
if (node === undefined) {
  const platform = `${process.platform}-${process.arch}`;
  process.stderr.write(
    `munshi: this needs Node ${OLDEST} or later, and ${process.execPath} is ${process.version}. ` +
      `Run "npm ci", which installs one; if it does not for ${platform}, install Node ${OLDEST} yourself.\n`,
  );
  process.exit(1);
}
process.stdout.write(`${path.dirname(node)}\n`);
