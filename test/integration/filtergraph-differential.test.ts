import { expect } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { isGraphFault } from '../../src/ffmpeg/filtergraph/graph.ts';
import { parseGraph } from '../../src/ffmpeg/filtergraph/parse.ts';
import { printGraph } from '../../src/ffmpeg/filtergraph/print.ts';
import { needs } from '../support/needs.ts';
import { RandomGraphs, type Settings, settingsIn, settingsOf } from '../support/random-graphs.ts';
import { tools } from '../support/tools.ts';

const SEED = 20261120;
const BATCHES = 32;
const GRAPHS_IN_A_BATCH = 64;
const WILD = 96;

/** What ffmpeg says while it reads the graphs. */
async function debugLog(graphs: readonly string[]): Promise<string> {
  const args = graphs.flatMap((graph) => ['-filter_complex', graph]);
  const { text } = await command(tools().ffmpegPath, ['-nostdin', '-v', 'debug', ...args, '-f', 'null', '-']);
  return text;
}

/** The filters of a graph that bear names of their own, as it was read here. */
function named(text: string): Map<string, Settings> {
  const graph = parseGraph(text);
  if (isGraphFault(graph)) throw new Error(`${JSON.stringify(text)}: ${graph.fault}`);
  return new Map(
    graph.chains
      .flat()
      .flatMap((f) => (f.instance === undefined ? [] : [[`${f.name}@${f.instance}`, settingsOf(f, [])] as const])),
  );
}

needs('ffmpeg')(
  'what ffmpeg reads in a filtergraph is what is read here, as it came and as it is printed',
  async () => {
    const random = new RandomGraphs(SEED);
    for (let batch = 0; batch < BATCHES; batch++) {
      const graphs = Array.from({ length: GRAPHS_IN_A_BATCH }, (_one, i) => random.valid(`g${batch}-${i}`));
      const ours = new Map(graphs.flatMap((graph) => [...named(graph)]));
      const printed = graphs.map((graph) =>
        printGraph(parseGraph(graph) as Exclude<ReturnType<typeof parseGraph>, { fault: string }>),
      );
      const logs = await Promise.all([debugLog(graphs), debugLog(printed)]);
      expect(ours.size).toBeGreaterThan(GRAPHS_IN_A_BATCH);
      for (const log of logs) expect(settingsIn(log)).toEqual(ours);
    }
  },
);

/** ffmpeg's complaints about the text of a graph. */
const REFUSED = /Error initializing complex filters|Error parsing|No such filter|Unable to parse|Error applying option/;

needs('ffmpeg')('no text that ffmpeg takes for a filtergraph is read otherwise here', async () => {
  const random = new RandomGraphs(SEED);
  const texts = Array.from({ length: WILD }, () => random.wild());
  let agreed = 0;
  for (const text of texts) {
    const log = await debugLog([text]);
    const graph = parseGraph(text);
    // A quote that stays open and a backslash at the end are refused here, and taken by ffmpeg.
    if (REFUSED.test(log) || isGraphFault(graph)) continue;
    expect(Object.fromEntries(settingsIn(log)), text).toEqual(Object.fromEntries(named(text)));
    agreed += 1;
  }
  expect(agreed).toBeGreaterThan(WILD / 8);
});
