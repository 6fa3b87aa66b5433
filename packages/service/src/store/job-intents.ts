import type { Kysely } from 'kysely';
import type { PublishIntent } from '../jobs/ports/media-store.ts';
import { chunksOf, deleteRows } from './queries.ts';
import type { Schema } from './schema.ts';

type Entry = Readonly<Record<string, unknown>>;

/**
 * The most files of an intent that is stored whole in the row of its job. Each heartbeat writes this row, and each look-up reads it, so the
 * files of longer intents are in parts, in a table of their own. Versions before that table read only the row.
 */
const FILES_IN_ROW = 20;

/** The number of entries in one part. */
const PART = 250;

/** The list of outputs. The names of other lists are those of the engine. */
const OUTPUTS = '';

/** A part of a list. `starts`: what the texts of a field begin with in all entries, such as the folder of their paths. */
interface Part {
  readonly starts: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
}

/** Returns what the row of the job contains of an intent, and its parts. */
export function splitIntent(intent: PublishIntent) {
  if (intent.outputs.length <= FILES_IN_ROW) return { row: JSON.stringify(intent), parts: [] };
  const { true: lists = [], false: others = [] } = Object.groupBy(
    Object.entries(intent.data as Readonly<Record<string, readonly Entry[]>>),
    ([, value]) => `${Array.isArray(value)}` as const,
  );
  // Earlier versions reject a negative version. They would take the intent for one without files.
  const row = { ...intent, version: -intent.version, outputs: [], data: Object.fromEntries(others) };
  const parts = [[OUTPUTS, intent.outputs as readonly unknown[] as readonly Entry[]] as const, ...lists].flatMap(
    ([list, all]) =>
      Array.from({ length: Math.ceil(all.length / PART) }, (_, index) => ({
        list,
        first: index * PART,
        entries: JSON.stringify(withoutStarts(all.slice(index * PART, (index + 1) * PART))),
      })),
  );
  return { row: JSON.stringify(row), parts };
}

/** Replaces the stored parts of a job. A trigger deletes them when the row of the job has no intent any more. */
export async function insertParts(
  db: Kysely<Schema>,
  jobId: string,
  parts: ReturnType<typeof splitIntent>['parts'],
): Promise<void> {
  if (parts.length === 0) return;
  await deleteRows(db, 'job_intents', { job_id: jobId });
  for (const some of chunksOf(parts))
    await db
      .insertInto('job_intents')
      .values(some.map((part) => ({ job_id: jobId, ...part })))
      .execute();
}

/** Returns the intent of a job with its parts. */
export async function readIntent(db: Kysely<Schema>, jobId: string, row: string): Promise<PublishIntent> {
  const intent: PublishIntent = JSON.parse(row);
  if (intent.version > 0) return intent;
  const stored = await db
    .selectFrom('job_intents')
    .select(['list', 'entries'])
    .where('job_id', '=', jobId)
    .orderBy('first')
    .execute();
  const lists: Record<string, Entry[]> = {};
  for (const { list, entries } of stored) {
    const { starts, entries: rest } = JSON.parse(entries) as Part;
    const whole = rest.map((entry) => changeTexts(entry, starts, (text, start) => start + text));
    lists[list] = [...(lists[list] ?? []), ...whole];
  }
  const { [OUTPUTS]: outputs = [], ...data } = lists;
  return {
    ...intent,
    version: -intent.version,
    outputs: outputs as readonly unknown[] as PublishIntent['outputs'],
    data: { ...(intent.data as object), ...data },
  };
}

function withoutStarts(entries: readonly Entry[]): Part {
  const starts: Record<string, string> = {};
  for (const [name, text] of Object.entries(entries[0] ?? {})) {
    if (!entries.every((entry) => typeof entry[name] === 'string')) continue;
    let start = text as string;
    for (const entry of entries) start = commonStart(start, entry[name] as string);
    starts[name] = start;
  }
  return {
    starts,
    entries: entries.map((entry) => changeTexts(entry, starts, (text, start) => text.slice(start.length))),
  };
}

/** Changes those texts of an entry that have a start. */
function changeTexts(entry: Entry, starts: Part['starts'], change: (text: string, start: string) => string): Entry {
  const changed = { ...entry };
  for (const name in starts) changed[name] = change(entry[name] as string, starts[name] ?? '');
  return changed;
}

function commonStart(a: string, b: string): string {
  if (b.startsWith(a)) return a;
  let end = 0;
  while (a[end] === b[end]) end += 1;
  return a.slice(0, end);
}
