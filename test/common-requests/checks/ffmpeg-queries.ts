import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { tools } from '../../support/tools.ts';

/** What a check wants to know about media files: one output of an ffmpeg run. */
export interface MediaQuery {
  /** The arguments of each input: its options, then the file. */
  readonly inputs: readonly (readonly string[])[];
  /**
   * The arguments of the output without its file name. `indexes` are the input numbers in the shared run. `name` is unique in
   * the run: use it for filters that write to the log, and for output pads.
   */
  readonly output: (indexes: readonly number[], name: string) => readonly string[];
}

interface QueryResult {
  /** The content of the output. */
  readonly bytes: Buffer;
  /** The log entries of the filters with the query's name. Some filters, such as silencedetect, log without their name. */
  readonly log: string;
}

type QueryResults<Q extends readonly MediaQuery[]> = { readonly [I in keyof Q]: QueryResult };

interface PendingQueries {
  readonly queries: readonly MediaQuery[];
  resolve(results: readonly QueryResult[]): void;
  reject(error: unknown): void;
}

/** The number of callers in `joinBatch`. */
let members = 0;
const pending: PendingQueries[] = [];

/** Announces that `work` may run queries. The shared ffmpeg run starts when each announced caller has a query or is done. */
export async function joinBatch<T>(work: () => Promise<T> | T): Promise<T> {
  members += 1;
  try {
    return await work();
  } finally {
    members -= 1;
    setImmediate(runBatchIfComplete);
  }
}

/**
 * Runs queries. All pending queries share one ffmpeg run, because starting ffmpeg takes longer than decoding here. Throws
 * with the log if ffmpeg fails on these queries alone.
 */
export function runQueries<const Q extends readonly MediaQuery[]>(...queries: Q): Promise<QueryResults<Q>> {
  return new Promise((resolve, reject) => {
    pending.push({ queries, resolve: (results) => resolve(results as QueryResults<Q>), reject });
    setImmediate(runBatchIfComplete);
  });
}

async function runBatchIfComplete(): Promise<void> {
  if (pending.length === 0 || pending.length < members) return;
  const batch = pending.splice(0);
  try {
    await runBatch(batch);
  } catch (error) {
    if (batch.length === 1) return batch[0]?.reject(error);
    // Run each alone, so that only the one that fails is rejected.
    for (const one of batch) await runBatch([one]).catch(one.reject);
  }
}

async function runBatch(batch: readonly PendingQueries[]): Promise<void> {
  const results = await runFfmpeg(batch.flatMap(({ queries }) => queries));
  let from = 0;
  for (const { queries, resolve } of batch) {
    resolve(results.slice(from, from + queries.length));
    from += queries.length;
  }
}

/** The descriptors below are standard input, output and error. */
const FIRST_PIPE = 3;

async function runFfmpeg(queries: readonly MediaQuery[]): Promise<readonly QueryResult[]> {
  const inputs = new Map<string, { readonly index: number; readonly args: readonly string[] }>();
  const indexOf = (input: readonly string[]): number => {
    const key = input.join('\0');
    const known = inputs.get(key) ?? { index: inputs.size, args: [...input.slice(0, -1), '-i', ...input.slice(-1)] };
    inputs.set(key, known);
    return known.index;
  };
  const outputs = queries.flatMap(({ inputs, output }, i) => [
    ...output(inputs.map(indexOf), `q${i}q`),
    `pipe:${FIRST_PIPE + i}`,
  ]);
  const globals = ['-v', 'info', '-hide_banner', '-nostdin', '-nostats', '-y'];
  const child = spawn(
    tools().ffmpegPath,
    [...globals, ...[...inputs.values()].flatMap(({ args }) => args), ...outputs],
    { stdio: ['ignore', 'ignore', 'pipe', ...queries.map(() => 'pipe' as const)] },
  );
  const [log, contents, [code]] = await Promise.all([
    text(child.stderr as Readable),
    Promise.all(queries.map((_, i) => buffer(child.stdio[FIRST_PIPE + i] as Readable))),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`ffmpeg ${code}: ${child.spawnargs.join(' ')}\n${log}`);
  const entries = log.split(/^(?=\[)/m);
  return contents.map((bytes, i) => ({
    bytes,
    log: entries.filter((entry) => entry.includes(`@q${i}q @ `)).join(''),
  }));
}
