import { type Outcome, type Pair, TOOLS, type Tool } from './compare-files.ts';
import { LOSSES } from './judge-result.ts';

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
  const runsOf = (tool: Tool, kind?: string) =>
    pairs.flatMap((pair) => {
      const outcome = tool === 'Telecine' || pair.isOfAll ? pair.outcomes[tool] : undefined;
      return outcome === undefined || (kind !== undefined && kind !== pair.kind)
        ? []
        : [{ ...outcome, class: classOf(pair, tool) }];
    });
  const totals = TOOLS.map((tool) => {
    const runs = runsOf(tool);
    const shares = CLASSES.map((one) => runs.filter((run) => run.class === one).length).map(
      (some) => `${some} (${((100 * some) / Math.max(1, runs.length)).toFixed(1)} %)`,
    );
    return [tool, runs.length, ...shares, `${runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0)} s`];
  });
  const losses = Object.keys(LOSSES).map((loss) => [
    loss,
    ...TOOLS.map((tool) => runsOf(tool).filter(({ silent }) => silent.some((one) => one.loss === loss)).length),
  ]);
  const kinds = [...new Set(pairs.map(({ kind }) => kind))].toSorted().map((kind) => [
    kind,
    ...TOOLS.map((tool) => {
      const count = (...classes: readonly Class[]): number =>
        runsOf(tool, kind).filter((run) => classes.some((one) => one === run.class)).length;
      const failed = `${count('failed with reason')} + ${count('failed without reason')}`;
      const isRun = runsOf(tool, kind).length > 0;
      return isRun ? `${count('right', 'told')} / ${count('silently wrong')} / ${failed}` : '–';
    }),
  ]);
  const lost = losses.filter((row) => row.some(Number));
  return [
    rows(['tool', 'requests', ...CLASSES, 'time'], totals),
    rows(['lost silently', ...TOOLS], lost),
    rows(['request', ...TOOLS], kinds),
  ].join('\n');
}

const rows = (head: readonly string[], body: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
