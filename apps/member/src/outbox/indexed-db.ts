import type { Entry, OutboxStore } from './outbox.ts';
import type { KeptPicture, Picture, PictureStore } from './pictures.ts';

/**
 * What the app keeps on the phone: `entries` of the outbox, `pictures` to be sent, and `kept` of
 * what was last read. Unsent things are their member's: another one who signs in on the phone
 * neither sees nor sends them, and they go on when their member is back.
 */

const NAME = 'munshi-member';
const VERSION = 2;
/** Each with what its values are found by; null: by a name beside them. */
const STORES = { entries: 'id', pictures: 'id', kept: null } as const;
type StoreName = keyof typeof STORES;

/** What the phone keeps, as long as its browser does. */
export interface Database {
  /** Rejects where the browser cannot keep anything, or not now. */
  transaction(
    stores: StoreName | StoreName[],
    mode?: IDBTransactionMode,
    options?: IDBTransactionOptions,
  ): Promise<IDBTransaction>;
  /** Where `work` fails, it is done again on a fresh connection. */
  twice<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Some browsers do not answer at all, until the phone is restarted. */
const OPEN_MS = 3_000;

/**
 * Opens the database when it is used first, and again where the browser has closed it: it does so
 * when a disk is full or its data is cleared, and for a newer build. While one does not open within
 * `openMs`, each use fails at once.
 */
export function connect(
  factory: () => IDBFactory = () => indexedDB,
  openMs: number = OPEN_MS,
): Database {
  let opened: Promise<IDBDatabase> | undefined;
  let silent = false;
  const open = () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const giveUp = () => {
        silent = true;
        reject(new Error(`${NAME} does not open`));
      };
      if (silent) return giveUp();
      const timer = setTimeout(giveUp, openMs);
      openDatabase(factory)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          silent = false;
        });
    });
  const begin: Database['transaction'] = async (...of) => {
    opened ??= open();
    return (await opened).transaction(...of);
  };
  const twice: Database['twice'] = (work) =>
    work().catch(() => {
      opened = undefined; // the one before closes itself for a newer build
      return work();
    });
  return { transaction: (...of) => twice(() => begin(...of)), twice };
}

async function openDatabase(factory: () => IDBFactory): Promise<IDBDatabase> {
  const request = factory().open(NAME, VERSION);
  request.onupgradeneeded = () => {
    for (const [name, keyPath] of Object.entries(STORES))
      if (!request.result.objectStoreNames.contains(name))
        request.result.createObjectStore(name, { keyPath });
  };
  const opened = await answered(request);
  // A window of a newer build could not open it otherwise.
  opened.onversionchange = () => opened.close();
  return opened;
}

const answered = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const finished = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

/**
 * The outbox in IndexedDB. A call that has answered is on the disk. `whose`: the member signed in,
 * whose entries it lists. `carried` are the pictures of an action.
 */
export function indexedDbStore<Action>(
  database: Database,
  whose: () => string | undefined,
  carried: (action: Action) => readonly Picture[],
): OutboxStore<Action> {
  const change =
    (stores: StoreName[], after: (writing: IDBTransaction, action: Action) => Promise<void>) =>
    (id: string, next: (entry: Entry<Action>) => Entry<Action> | null | undefined) =>
      write(database, stores, async (writing) => {
        const entries = writing.objectStore('entries');
        const entry: Entry<Action> | undefined = await answered(entries.get(id));
        const changed = entry && next(entry);
        if (entry === undefined || changed === undefined) return false;
        if (changed === null) entries.delete(id);
        else entries.put(changed);
        await after(writing, entry.action);
        return true;
      });

  return {
    all: () => listOwn<Entry<Action>>(database, 'entries', whose()),
    add: (entry) =>
      write(database, ['entries', 'kept'], async (writing) => {
        const entries = writing.objectStore('entries');
        const known = await listedWithOwner<Entry<Action>>(writing, 'entries');
        const { subject, memberId } = entry;
        const same = known.filter((one) => one.subject === subject && one.memberId === memberId);
        if (same.some(({ state }) => state !== 'refused')) return false;
        for (const { id } of same) entries.delete(id);
        entries.add({ ...entry, number: numberAfter(known) });
        return true;
      }),
    change: change(['entries'], async () => {}),
    settle: change(['entries', 'pictures'], (writing, action) =>
      addPictures(writing, carried(action)),
    ),
  };
}

/** Pictures that wait for nothing but the network. `whose`: the member signed in. */
export const pictureStore = (
  database: Database,
  whose: () => string | undefined,
): PictureStore => ({
  all: () => listOwn<KeptPicture>(database, 'pictures', whose()),
  add: (picture) => write(database, ['pictures'], (writing) => addPictures(writing, [picture])),
  put: (id, change) =>
    write(database, ['pictures'], async (writing) => {
      const pictures = writing.objectStore('pictures');
      const picture: KeptPicture | undefined = await answered(pictures.get(id));
      const next = picture && change(picture);
      if (next === null) pictures.delete(id);
      else if (next !== undefined) pictures.put(next);
    }),
});

async function addPictures(writing: IDBTransaction, added: readonly Picture[]): Promise<void> {
  if (added.length === 0) return;
  const pictures = writing.objectStore('pictures');
  const first = numberAfter(await listed<KeptPicture>(pictures));
  for (const [at, picture] of added.entries())
    pictures.put({ ...picture, state: 'ready', refusal: null, number: first + at });
}

/**
 * Everything in one transaction: between its requests no other window writes. One that fails is
 * tried again, because a browser may have failed on this connection only.
 */
function write<Result>(
  database: Database,
  stores: StoreName[],
  work: (writing: IDBTransaction) => Promise<Result>,
): Promise<Result> {
  return database.twice(async () => {
    const writing = await database.transaction(stores, 'readwrite', { durability: 'strict' });
    const [result] = await Promise.all([work(writing), finished(writing)]);
    return result;
  });
}

interface Numbered {
  readonly number: number;
}
const listed = async <Row extends Numbered>(store: IDBObjectStore): Promise<Row[]> =>
  (await answered<Row[]>(store.getAll())).sort((left, right) => left.number - right.number);

/** Whose an unsent thing is; absent, where a build before has kept it. */
interface Owned {
  readonly memberId?: string | undefined;
}
/**
 * What has no member is of the one whose things are kept, and nobody's where none are: it is never
 * sent as somebody else's. `within` covers `kept`.
 */
async function listedWithOwner<Row extends Numbered & Owned>(
  within: IDBTransaction,
  name: StoreName,
): Promise<Row[]> {
  const kept: Owned | undefined = await answered(within.objectStore('kept').get(MEMBER));
  const rows = await listed<Row>(within.objectStore(name));
  return rows.map((row) => ({ ...row, memberId: row.memberId ?? kept?.memberId }));
}
async function listOwn<Row extends Numbered & Owned>(
  database: Database,
  name: StoreName,
  memberId: string | undefined,
): Promise<Row[]> {
  if (memberId === undefined) return [];
  const rows = await listedWithOwner<Row>(await database.transaction([name, 'kept']), name);
  return rows.filter((row) => row.memberId === memberId);
}
const numberAfter = (rows: readonly Numbered[]): number => (rows.at(-1)?.number ?? 0) + 1;

/** Whose things are kept. */
const MEMBER = 'member';

/**
 * What was last read, for a phone without network. Null: nothing, or nothing that can be read.
 * `whose`: null also where another member's is kept, as when their sign-in could not be.
 */
export async function readKept<Value>(
  database: Database,
  name: string,
  whose?: string,
): Promise<Value | null> {
  try {
    const kept = (await database.transaction('kept')).objectStore('kept');
    if (!(await isKeptOf(kept, whose))) return null;
    return (await answered<Value | undefined>(kept.get(name))) ?? null;
  } catch {
    return null;
  }
}

/** Undefined: of any member. */
async function isKeptOf(kept: IDBObjectStore, whose: string | undefined): Promise<boolean> {
  const member: Owned | undefined = await answered(kept.get(MEMBER));
  return member !== undefined && (whose ?? member.memberId) === member.memberId;
}

/**
 * Keeps what was read; nothing where the phone does not have this member as signed in any more when
 * the answer comes, or where it takes nothing: it is only for later.
 */
export const keep = (
  database: Database,
  name: string,
  value: unknown,
  whose?: string,
): Promise<void> => putKept(database, name, () => value, whose).catch(() => {});

/** Puts what `change` answers in the place of what is kept, in one transaction; or as `keep`. */
export const changeKept = <Value>(
  database: Database,
  name: string,
  change: (kept: Value | undefined) => Value,
): Promise<void> => putKept(database, name, change).catch(() => {});

async function putKept<Value>(
  database: Database,
  name: string,
  change: (kept: Value | undefined) => Value,
  whose?: string,
): Promise<void> {
  const transaction = await database.transaction('kept', 'readwrite');
  const kept = transaction.objectStore('kept');
  if (await isKeptOf(kept, whose)) kept.put(change(await answered(kept.get(name))), name);
  await finished(transaction);
}

/** Forgets what was read, which is about customers, but not who has read it. */
export async function forgetRead(database: Database): Promise<void> {
  const transaction = await database.transaction('kept', 'readwrite');
  const kept = transaction.objectStore('kept');
  const member = await answered(kept.get(MEMBER));
  kept.clear();
  if (member !== undefined) kept.put(member, MEMBER);
  await finished(transaction);
}

/**
 * Somebody has signed in. What another member has read is forgotten in the same transaction: where
 * it fails, nothing of the new one is kept either, and nothing of the other is read for them.
 */
export const keepMember = (
  database: Database,
  member: { readonly memberId: string },
): Promise<void> =>
  write(database, ['entries', 'pictures', 'kept'], async (writing) => {
    const kept = writing.objectStore('kept');
    if (!(await isKeptOf(kept, member.memberId))) await forgetIn(writing, undefined);
    kept.put(member, MEMBER);
  });

/** Forgets everything that was read; `unsentOf`: what this member has not sent too. */
export const forgetMember = (database: Database, unsentOf: string | undefined): Promise<void> =>
  write(database, ['entries', 'pictures', 'kept'], (writing) => forgetIn(writing, unsentOf));

async function forgetIn(writing: IDBTransaction, unsentOf: string | undefined): Promise<void> {
  for (const name of ['entries', 'pictures'] as const) {
    const store = writing.objectStore(name);
    for (const { id, memberId } of await listed<Numbered & Owned & { readonly id: string }>(store))
      if (memberId === undefined || memberId === unsentOf) store.delete(id);
  }
  writing.objectStore('kept').clear();
}
