// Prints the folder of the Node that runs everything here: the one that `npm ci` has installed for
// this platform, or else the one that runs this file, if it is new enough. It asks for the package
// and not for node_modules/.bin/node, which npm 9.2 to 11.5 leave out: several optional packages
// bring a command of that name.
// It is also the first script of ours that npm runs (`preinstall`), so that an old Node is refused
// before anything else fails on it. Therefore Node 12 must be able to run it: without `??`, `?.`
// and `node:`.
const { existsSync } = require('fs');
const path = require('path');
const { engines, optionalDependencies } = require('../package.json');

/** What the service and its tools run on. npm itself may run on an older one (`engines`). */
const RUNS_ON = '>=24.0.0';
const LOADERS = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };
const DOWNLOAD = 'https://nodejs.org/en/download';

/** The script that npm runs, if this is under npm; then this file runs on npm's own Node. */
const script = process.env.npm_lifecycle_event;
const platform = `${process.platform.replace('win32', 'win')}-${process.arch}`;
/** The packages' programs for Linux need glibc, which Alpine and its like do not have. */
const canRun = process.platform !== 'linux' || existsSync(LOADERS[process.arch] || '');
const [packaged] = Object.keys(optionalDependencies).filter(
  (name) => canRun && name.endsWith(`-${platform}`),
);

/** The parts of a range such as `^20.19.0 || >=22.12.0`. */
const partsOf = (range) =>
  range.split(' || ').map((part) => {
    const [, sign, major, minor] = /^(\^|>=)(\d+)\.(\d+)\.0$/.exec(part);
    return { major: Number(major), minor: Number(minor), andAbove: sign === '>=' };
  });

function isIn(range) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return partsOf(range).some(
    (from) =>
      (major === from.major && minor >= from.minor) || (major > from.major && from.andAbove),
  );
}

const inWords = (range) =>
  `${partsOf(range)
    .map(({ major, minor }) => (minor === 0 ? major : `${major}.${minor}`))
    .join(', ')} or later`;

function findNode() {
  try {
    const manifest = require.resolve(`${packaged}/package.json`);
    return path.resolve(path.dirname(manifest), require(manifest).bin.node);
  } catch {
    // npm 12 runs `preinstall` before it installs the package, npm 7 to 11 run it afterwards.
    return isIn(RUNS_ON) || script === 'preinstall' ? process.execPath : undefined;
  }
}

function fail(reason) {
  process.stderr.write(`munshi: ${reason}\n`);
  process.exit(1);
}

const own = `${process.execPath} is ${process.version}`;
const least = packaged ? engines.node : RUNS_ON;
const node = findNode();
if (!isIn(least) && (script || !node)) {
  const why = packaged ? '' : ` (npm has none that runs on this ${platform})`;
  fail(
    `this needs Node ${inWords(least)}${why}, and ${own}. Install Node 24 (${DOWNLOAD}), then run "npm ci".`,
  );
}
if (!node)
  fail(
    `this runs on Node 24, and ${own}. Run "npm ci", which installs Node 24, or install it yourself (${DOWNLOAD}).`,
  );
process.stdout.write(`${path.dirname(node)}\n`);
