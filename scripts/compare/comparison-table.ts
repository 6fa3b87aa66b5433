import { type Outcome, type Pair, TOOLS, type Tool } from './compare-files.ts';
import { LOSSES, type Loss } from './judge-result.ts';

const CLASSES = ['right', 'told', 'silently wrong', 'failed with reason', 'failed without reason'] as const;
export type Class = (typeof CLASSES)[number];

const isGood = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && outcome.failed === undefined && outcome.silent.length === 0;

/** A failure has a good reason if no other tool has a result that is right or says what it lost. */
export function classOf({ outcomes }: Pick<Pair, 'outcomes'>, tool: Tool): Class | undefined {
  const outcome = outcomes[tool];
  if (outcome === undefined) return undefined;
  if (outcome.failed === undefined)
    return outcome.silent.length > 0 ? 'silently wrong' : outcome.told.length > 0 ? 'told' : 'right';
  return TOOLS.some((other) => isGood(outcomes[other])) ? 'failed without reason' : 'failed with reason';
}

/** The table of all pairs, what each tool loses silently, and each request by its kind, in Markdown. */
export function comparisonTable(pairs: readonly Pair[]): string {
  const count = (of: readonly Pair[], tool: Tool, ...classes: readonly Class[]): number =>
    of.filter((pair) => classes.some((one) => classOf(pair, tool) === one)).length;
  const totals = TOOLS.flatMap((tool) => {
    const runs = pairs.flatMap(({ outcomes }) => outcomes[tool] ?? []);
    if (runs.length === 0) return [];
    const shares = CLASSES.map((one) => count(pairs, tool, one)).map(
      (some) => `${some} (${((100 * some) / runs.length).toFixed(1)} %)`,
    );
    return [[tool, runs.length, ...shares, `${runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0)} s`]];
  });
  const losses = (Object.keys(LOSSES) as Loss[]).map((loss) => [
    loss,
    ...TOOLS.map((tool) => pairs.filter((one) => one.outcomes[tool]?.silent.some((lost) => lost.loss === loss)).length),
  ]);
  const kinds = [...new Set(pairs.map(({ kind }) => kind))].toSorted().map((kind) => {
    const of = pairs.filter((one) => one.kind === kind);
    const cells = TOOLS.map((tool) => {
      const failed = `${count(of, tool, 'failed with reason')} + ${count(of, tool, 'failed without reason')}`;
      const cell = `${count(of, tool, 'right', 'told')} / ${count(of, tool, 'silently wrong')} / ${failed}`;
      return of.some(({ outcomes }) => outcomes[tool]) ? cell : '–';
    });
    return [kind, of.length, ...cells];
  });
  return [
    rows(['tool', 'requests', ...CLASSES, 'time'], totals),
    rows(
      ['lost silently', ...TOOLS],
      losses.filter((row) => row.some(Number)),
    ),
    rows(['request', 'files', ...TOOLS], kinds),
  ].join('\n');
}

const rows = (head: readonly string[], body: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
