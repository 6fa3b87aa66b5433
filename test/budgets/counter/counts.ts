import { resolve } from 'node:path';

const SOURCES = resolve(import.meta.dirname, '../../../packages');

/** For each counted name: what was counted, and how often. */
const counts = new Map<string, Map<string, number>>();
let total = 0;
let hidden = 0;

/** Counts one use of `name`. `detail` says which, for the message of a budget that does not hold. */
export function count(name: string, detail: string): void {
  if (hidden > 0) return;
  total += 1;
  const details = counts.get(name) ?? new Map<string, number>();
  counts.set(name, details);
  const readable = detail.replace(IDS, '*').replace(/\s+/g, ' ').slice(0, DETAIL_LENGTH);
  details.set(readable, (details.get(readable) ?? 0) + 1);
}

/** The parts of a path or statement that differ from run to run. */
const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|(?<=telecine-\w+-)\w{6}|(?<=\/proc\/)\d+/g;
const DETAIL_LENGTH = 240;

/** The number of all counts so far. While it rises, the service is working. */
export const totalCount = (): number => total;

/** Runs what the counter itself needs, so that it is not counted. Only for functions without `await`. */
export function withoutCounting<T>(run: () => T): T {
  hidden += 1;
  try {
    return run();
  } finally {
    hidden -= 1;
  }
}

/** Returns the counts and starts again at none. */
export function takeCounts(): Record<string, Record<string, number>> {
  const taken = Object.fromEntries([...counts].map(([name, details]) => [name, Object.fromEntries(details)]));
  counts.clear();
  return taken;
}

/** Where the sources called what is counted: ` at packages/…:LINE`, or nothing if a package did. */
export function caller(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = limit;
  const at = stack.indexOf(SOURCES);
  if (at === -1) return '';
  return ` at packages${/^[^:]*:\d+/.exec(stack.slice(at + SOURCES.length))?.[0] ?? ''}`;
}
