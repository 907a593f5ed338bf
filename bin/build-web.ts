import { buildStaleWebApps, buildWebApps, canBuild } from './web-apps.ts';

/**
 * `npm run build:web`, which `npm ci` runs too; `-- --stale` leaves out what is newer than its sources.
 */
process.env['NODE_ENV'] = 'production'; // what React is built for
if (!canBuild()) {
  console.log(
    'The web apps were not built, since Vite is not installed: npm ci, then npm run build:web.',
  );
} else if (process.argv.includes('--stale')) {
  await buildStaleWebApps();
} else {
  const begun = performance.now();
  const built = await buildWebApps();
  console.log(`Built ${built.join(', ')} in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
}
