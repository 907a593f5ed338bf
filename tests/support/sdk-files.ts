import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT, read } from '../tidy/sources.ts';

const VECTORS = path.join(ROOT, 'packages/core/src/testdata/signature-vectors.json');
/** The vectors that every implementation of the signature agrees with. */
export const SIGNATURE_VECTORS = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
  readonly secret: string;
  readonly vectors: readonly { readonly body: string; readonly signature: string }[];
};
const FILES = path.join(ROOT, 'packages/sdk/files');

interface Language {
  readonly name: string;
  /** Its interpreter, and arguments that it ends well with. */
  readonly command: string;
  readonly probe: readonly string[];
  /** Arguments that leave it without what it need not have. */
  readonly bare: readonly string[];
  readonly file: string;
  /** Prints the signatures of all vectors, as a JSON list. */
  readonly vectors: string;
  /** Prints what each step of a merchant's first integration answers, one JSON object a line. */
  readonly flow: string;
}

/** The clients of one file. Each program is given an address, a key, a secret and a reference. */
const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    command: 'python3',
    probe: ['--version'],
    bare: [],
    file: 'flow.py',
    vectors: `
import json, sys
from munshi import sign
given = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([sign(vector["body"], given["secret"]) for vector in given["vectors"]]))
`,
    flow: `
import json, sys
from datetime import datetime, timezone
from decimal import Decimal
from munshi import Munshi, MunshiError, SignatureError, verify
url, key, secret, reference = sys.argv[1:]
show = lambda **answer: print(json.dumps(answer, default=str))
munshi = Munshi(url, key, ["sksec_older", secret][::-1])
terms = {"orderType": "Deposit", "amount": Decimal("1500.50"), "walletType": "ProviderA"}
order = munshi.create({**terms, "merchantOrderRef": reference}, "key of " + reference)
again = munshi.create({**terms, "merchantOrderRef": reference}, "key of " + reference)
show(created=order["status"], same=again["orderId"] == order["orderId"])
show(amount=munshi.status(order["orderReference"])["amount"])
show(moved=munshi.move(order["orderId"], "Completed", "it came")["status"])
for event in munshi.events():
    if event["event"]["orderId"] == order["orderId"]:
        break
show(event=event["event"]["eventType"], amount=event["event"]["amount"], next=event["next"])
show(verified=verify(event["body"].encode(), event["headers"]["X-SVC-Signature"], secret)["status"])
try:
    verify(event["body"] + " ", event["headers"]["X-SVC-Signature"], [secret])
except SignatureError:
    show(other="refused")
show(status=munshi.status_by_reference(reference)["status"], currency=munshi.balance()["currency"])
show(resent=munshi.resend_events(datetime.now(timezone.utc).isoformat()))
show(rest=[one["event"]["orderId"] for one in munshi.events(event["next"], wait=0)])
for attempt in [{"amount": "0"}, {"walletType": "Cash"}]:
    try:
        munshi.create({**terms, "merchantOrderRef": "wrong " + reference, **attempt})
    except MunshiError as error:
        show(status=error.status, message=str(error), fields=list(error.fields))
try:
    munshi.create({**terms, "amount": 1500.5})
except TypeError:
    show(float="refused")
`,
  },
  {
    name: 'PHP',
    command: 'php',
    probe: ['-r', 'exit(extension_loaded("mbstring") ? 0 : 1);'],
    // Debian's PHP has no mbstring unless it is asked for.
    bare: ['-d', 'disable_functions=mb_strtolower'],
    file: 'flow.php',
    vectors: `<?php
require 'munshi.php';
$given = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn ($vector) => Munshi::sign($vector['body'], $given['secret']), $given['vectors']));
`,
    flow: `<?php
[, $url, $key, $secret, $reference] = $argv;
require 'munshi.php';
$show = function (array $answer) { echo json_encode($answer), "\\n"; };
$munshi = new Munshi($url, $key, [$secret, 'sksec_older']);
$terms = ['orderType' => 'Deposit', 'amount' => '1500.50', 'walletType' => 'ProviderA'];
$order = $munshi->create($terms + ['merchantOrderRef' => $reference], "key of $reference");
$again = $munshi->create($terms + ['merchantOrderRef' => $reference], "key of $reference");
$show(['created' => $order['status'], 'same' => $again['orderId'] === $order['orderId']]);
$show(['amount' => $munshi->status($order['orderReference'])['amount']]);
$show(['moved' => $munshi->move($order['orderId'], 'Completed', 'it came')['status']]);
foreach ($munshi->events() as $event) {
    if ($event['event']['orderId'] === $order['orderId']) {
        break;
    }
}
$show(['event' => $event['event']['eventType'], 'amount' => $event['event']['amount'], 'next' => $event['next']]);
$signature = $event['headers']['X-SVC-Signature'];
$show(['verified' => Munshi::verify($event['body'], $signature, $secret)['status']]);
try {
    Munshi::verify($event['body'] . ' ', $signature, [$secret]);
} catch (MunshiSignatureError $refused) {
    $show(['other' => 'refused']);
}
$show(['status' => $munshi->statusByReference($reference)['status'], 'currency' => $munshi->balance()['currency']]);
$show(['resent' => $munshi->resendEvents(gmdate('c'))]);
$show(['rest' => iterator_to_array($munshi->events($event['next'], 0), false)]);
foreach ([['amount' => '0'], ['walletType' => 'Cash']] as $wrong) {
    try {
        $munshi->create($wrong + $terms + ['merchantOrderRef' => "wrong $reference"]);
    } catch (MunshiError $error) {
        $show(['status' => $error->status, 'message' => $error->getMessage(), 'fields' => array_keys($error->fields)]);
    }
}
try {
    $munshi->create(['amount' => 1500.5] + $terms);
} catch (InvalidArgumentException $refused) {
    $show(['float' => 'refused']);
}
`,
  },
];

/** The languages whose interpreter this machine has. */
export const presentLanguages = (): readonly Language[] =>
  LANGUAGES.filter(({ command, probe }) => spawnSync(command, probe).status === 0);

/** The signatures that a client gives the vectors. */
export const signaturesBy = async (language: Language): Promise<unknown> =>
  JSON.parse(await runBesideClient(language, { program: language.vectors, args: [VECTORS] }));

/** What the steps of an integration answer. */
export async function flowOf(
  language: Language,
  ...args: readonly string[]
): Promise<readonly unknown[]> {
  const { bare, flow: program } = language;
  const printed = await runBesideClient(language, { settings: bare, program, args });
  return printed.split('\n').map((line) => JSON.parse(line));
}

/** What the quick start of docs/integrate.md prints. */
export function quickStartOf(
  language: Language,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const fence = new RegExp(`^\`\`\`${language.name.toLowerCase()}\n([\\s\\S]*?)^\`\`\`$`, 'm');
  const program = fence.exec(read('docs/integrate.md'))?.[1];
  if (program === undefined) throw new Error(`no quick start in ${language.name}`);
  return runBesideClient(language, { program, env });
}

interface Run {
  readonly program: string;
  readonly settings?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a program prints beside the client of its language; fails where it does. */
async function runBesideClient(
  { command, file }: Language,
  { program, settings = [], args = [], env = {} }: Run,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-client-'));
  try {
    await cp(FILES, folder, { recursive: true });
    await writeFile(path.join(folder, file), program);
    const { stdout, stderr } = await promisify(execFile)(command, [...settings, file, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    if (stderr !== '') throw new Error(stderr);
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}
