import { inSteps, nextTurn } from '@telecine/contract/domain/steps.ts';
import type { PublishIntent } from '../jobs/ports/media-store.ts';
import { chunksOf, deleteRows } from './queries.ts';
import type { Db } from './transaction/database.ts';

/**
 * The most files of an intent that is stored whole in the row of its job. Each heartbeat writes this row, and each
 * look-up reads it, so the lists of longer intents are stored in parts, in a table of their own. Versions before that
 * table read only the row.
 */
const FILES_IN_ROW = 20;

/** The number of entries in one part. */
const PART = 250;

type Entry = Readonly<Record<string, unknown>>;

/** A part of a list. `starts`: what the texts of a field begin with in all entries, such as the folder of their paths. */
interface Part {
  readonly starts: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
}

/** The JSON of an intent, in the row of its job and in parts. */
interface SplitIntent {
  readonly row: string;
  readonly parts: readonly { readonly list: string; readonly first: number; readonly entries: string }[];
}

/** Splits an intent into the row of its job and parts. Only the list of outputs and the lists of the engine are long. */
export async function splitIntent(intent: PublishIntent): Promise<SplitIntent> {
  if (intent.outputs.length <= FILES_IN_ROW) return { row: JSON.stringify(intent), parts: [] };
  // The caller has just listed all files.
  await nextTurn();
  const row = { ...intent, version: -intent.version, outputs: [], data: {} } satisfies PublishIntent;
  const parts: SplitIntent['parts'][number][] = [];
  for (const [list, value] of Object.entries({ ...(intent.data as object), [OUTPUTS]: intent.outputs })) {
    if (!Array.isArray(value)) {
      Object.assign(row.data, { [list]: value });
      continue;
    }
    let first = 0;
    for await (const entries of inSteps<Entry>(value, PART)) {
      parts.push({ list, first, entries: JSON.stringify(withoutStarts(entries)) });
      first += entries.length;
    }
  }
  // Versions that would take the intent for one without files reject its negative version.
  return { row: JSON.stringify(row), parts };
}

const OUTPUTS = '';

/** Replaces the stored parts of a job. A trigger deletes them when the row of the job has no intent any more. */
export async function insertParts(db: Db, jobId: string, parts: SplitIntent['parts']): Promise<void> {
  if (parts.length > 0) await deleteRows(db, 'job_intents', { job_id: jobId });
  const rows = parts.map((part) => ({ job_id: jobId, ...part }));
  for (const some of chunksOf(rows)) await db.insertInto('job_intents').values(some).execute();
}

/** Returns the intent of a job with its parts. `row`: what the row of the job contains. */
export async function readIntent(db: Db, jobId: string, row: string): Promise<PublishIntent> {
  const intent: PublishIntent = JSON.parse(row);
  if (intent.version > 0) return intent;
  const stored = db.selectFrom('job_intents').select(['list', 'entries']).where('job_id', '=', jobId).orderBy('first');
  const byList = Map.groupBy(await stored.execute(), ({ list }) => list);
  const lists = [...byList].map(([list, parts]) => [
    list,
    parts.flatMap(({ entries }) => withStarts(JSON.parse(entries))),
  ]);
  const { [OUTPUTS]: outputs, ...data } = Object.fromEntries(lists);
  return { ...intent, version: -intent.version, outputs, data: { ...(intent.data as object), ...data } };
}

function withoutStarts(entries: readonly Entry[]): Part {
  const starts: Record<string, string> = {};
  for (const [name, text] of Object.entries(entries[0] ?? {}))
    if (entries.every((entry) => typeof entry[name] === 'string'))
      starts[name] = entries.reduce((start, entry) => commonStart(start, entry[name] as string), text as string);
  return {
    starts,
    entries: entries.map((entry) => mapTexts(entry, starts, (text, start) => text.slice(start.length))),
  };
}

const withStarts = ({ starts, entries }: Part): readonly Entry[] =>
  entries.map((entry) => mapTexts(entry, starts, (text, start) => start + text));

function mapTexts(entry: Entry, starts: Part['starts'], change: (text: string, start: string) => string): Entry {
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
