import path from 'node:path';
import { type Demo, demoFile } from './demo/demo.ts';

/** Where npm runs its scripts, and with it the commands that a person is given to copy. */
const ROOT = path.join(import.meta.dirname, '..', '..', '..');
/** The address that `npm run try` uses by default. */
const USUAL_ADDRESS = 'http://127.0.0.1:3000';

interface Place {
  /** Where the service listens. */
  readonly address: string;
  /** Where the demo is written down; undefined on a database of the user's own, where it is not. */
  readonly dataDir: string | undefined;
  /** Whether DATA_DIR said so. */
  readonly chosen: boolean;
}

/**
 * For the person who has started the service on new data: the demo that was made, and what to try.
 */
export function describeDemo(demo: Demo, place: Place): string {
  const shown =
    place.dataDir === undefined
      ? 'shown this once: keep them'
      : `shown this once; they are also in\n  ${path.resolve(demoFile(place.dataDir))}`;
  return `
  This is a new database, so a demo was made for you.

    Merchant       ${demo.merchant.name}, with 50,000 PKR
      API key        ${demo.merchant.apiKey}
      signing secret ${demo.merchant.signingSecret}${
        demo.portalUser === undefined
          ? ''
          : `\n      portal         ${demo.portalUser.username} / ${demo.portalUser.password}`
      }
    Operator       ${demo.operator.username} / ${demo.operator.password}
      script token   ${demo.operatorToken}
    Members        ${demo.members.map(({ username, password, online }) => `${username} / ${password}${online ? ' (online)' : ''}`).join('\n                   ')}

${describeNextSteps(place)}
  The secrets above are ${shown}.
`;
}

/** The same at every later start, without a secret. */
export function describeReturn(place: Place & { readonly dataDir: string }): string {
  return `
  The demo of this database, with its secrets, is in
  ${path.resolve(demoFile(place.dataDir))}.

${describeNextSteps(place)}`;
}

/** Commands that work as they stand: what differs from the defaults is in them. */
function describeNextSteps({ address, dataDir, chosen }: Place): string {
  const elsewhere = dataDir !== undefined && (chosen || process.cwd() !== ROOT);
  const folder = path.resolve(dataDir ?? '');
  const settings = elsewhere ? [`DATA_DIR=${quote(folder)}`] : [];
  const url = address === USUAL_ADDRESS ? [] : [`MUNSHI_URL=${quote(address)}`];
  const steps = [
    ...(dataDir === undefined
      ? []
      : ([
          ['a deposit, from creation to completion', [...url, ...settings, 'npm run try']],
        ] as const)),
    ['the books, checked', [...settings, 'npm run munshi -- verify']],
  ] as const;
  return `  Try next, in another terminal in ${ROOT}:

${steps.map(([what, command]) => `    # ${what}\n    ${command.join(' ')}`).join('\n')}

  Open:

    ${address}/              console, member app and portal, by one press
    ${address}/docs          how a merchant's backend is integrated
    ${address}/apis          the interfaces of operators, members and merchants' people
    ${address}/readyz        whether the service is ready
`;
}

/** As a shell reads it back. */
const quote = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
