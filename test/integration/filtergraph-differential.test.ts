// @module-tag long
import { expect } from 'vitest';
import { isGraphError, printGraph } from '../../packages/ffmpeg/src/filtergraph/graph.ts';
import { parseGraph } from '../../packages/ffmpeg/src/filtergraph/parse.ts';
import { command } from '../../scripts/setup/command.ts';
import { needs } from '../support/needs.ts';
import { RandomGraphs, type Settings, settingsIn, settingsOf } from '../support/random-graphs.ts';
import { tools } from '../support/tools.ts';

const SEED = 20261120;
const BATCHES = 8;
const GRAPHS_IN_A_BATCH = 256;
const WILD = 640;

/** The test reads the debug log in the form of ffmpeg up to 6. */
const test = needs('the ffmpeg of Debian 12');

/** The log of ffmpeg while it parses the graphs. It runs none, because the output does not exist. */
async function debugLog(graphs: readonly string[]): Promise<string> {
  const args = graphs.flatMap((graph) => ['-filter_complex', graph]);
  const { text } = await command(tools().ffmpegPath, ['-nostdin', '-v', 'repeat+debug', ...args, '-f', 'none', '-']);
  return text;
}

/** The parsed filters of a graph that have instance names. */
function named(text: string): Map<string, Settings> {
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new Error(`${JSON.stringify(text)}: ${graph.error}`);
  return new Map(
    graph.chains
      .flat()
      .flatMap((f) => (f.instance === undefined ? [] : [[`${f.name}@${f.instance}`, settingsOf(f, [])] as const])),
  );
}

test('ffmpeg reads a filtergraph the same as the parser, as sent and as printed', async () => {
  const random = new RandomGraphs(SEED);
  for (let batch = 0; batch < BATCHES; batch++) {
    const graphs = Array.from({ length: GRAPHS_IN_A_BATCH }, (_one, i) => random.valid(`g${batch}-${i}`));
    const parsed = new Map(graphs.flatMap((graph) => [...named(graph)]));
    const printed = graphs.map((graph) =>
      printGraph(parseGraph(graph) as Exclude<ReturnType<typeof parseGraph>, { error: string }>),
    );
    const logs = await Promise.all([debugLog(graphs), debugLog(printed)]);
    expect(parsed.size).toBeGreaterThan(GRAPHS_IN_A_BATCH);
    for (const log of logs) expect(settingsIn(log), `seed ${SEED}, batch ${batch}`).toEqual(parsed);
  }
});

/** What ffmpeg logs after it has created all graphs. */
const GRAPHS_CREATED = 'Parsing a group of options: output url';

interface Wild {
  readonly prefix: string;
  readonly text: string;
}

/** Random texts per batch. Texts after a rejected one are parsed again. */
const WILD_IN_A_BATCH = 64;

/** Counts the texts that ffmpeg accepts, each with the same result as the parser. */
async function countAgreements(graphs: readonly Wild[]): Promise<number> {
  let count = 0;
  for (let rest = graphs; rest.length > 0; ) {
    const batch = rest.slice(0, WILD_IN_A_BATCH);
    const log = await debugLog(batch.map(({ text }) => text));
    const theirs = [...settingsIn(log)];
    const of = (prefix: string) => theirs.filter(([name]) => name.startsWith(`metadata@${prefix}-`));
    // ffmpeg stops at the first text that it rejects, after it has created at least one of its filters.
    const firstRejected = log.includes(GRAPHS_CREATED)
      ? batch.length
      : batch.findLastIndex(({ prefix }) => of(prefix).length > 0);
    const accepted = batch.slice(0, Math.max(firstRejected, 0));
    for (const { prefix, text } of accepted)
      expect(Object.fromEntries(of(prefix)), `seed ${SEED}: ${text}`).toEqual(Object.fromEntries(named(text)));
    count += accepted.length;
    rest = rest.slice(accepted.length + (firstRejected === batch.length ? 0 : 1));
  }
  return count;
}

test('the parser reads no text differently from ffmpeg', async () => {
  const random = new RandomGraphs(SEED);
  const graphs: Wild[] = [];
  for (let i = 0; graphs.length < WILD; i++) {
    const wild = { prefix: `w${i}`, text: random.wild(`w${i}`) };
    // The parser rejects an unclosed quote and a backslash at the end, which ffmpeg accepts.
    if (!isGraphError(parseGraph(wild.text))) graphs.push(wild);
  }
  const half = WILD / 2;
  const counts = await Promise.all([countAgreements(graphs.slice(0, half)), countAgreements(graphs.slice(half))]);
  expect(counts[0] + counts[1]).toBeGreaterThan(WILD * 0.8);
});
