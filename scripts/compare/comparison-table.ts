import { type Outcome, type Pair, TOOLS, type Tool } from './compare-files.ts';

const CLASSES = ['right', 'told', 'silently wrong', 'failed with reason', 'failed without reason'] as const;
export type Class = (typeof CLASSES)[number];

const isGood = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && outcome.failed === undefined && outcome.silent.length === 0;

/** A failure has a good reason if no other tool has a result that is right or says what it lost. */
export function classOf({ outcomes }: Pair, tool: Tool): Class | undefined {
  const outcome = outcomes[tool];
  if (outcome === undefined) return undefined;
  if (outcome.failed === undefined)
    return outcome.silent.length > 0 ? 'silently wrong' : outcome.told.length > 0 ? 'told' : 'right';
  return TOOLS.some((other) => isGood(outcomes[other])) ? 'failed without reason' : 'failed with reason';
}

/** The table of all pairs, what each tool loses silently, and each request by its kind, in Markdown. */
export function comparisonTable(pairs: readonly Pair[]): string {
  const count = (of: readonly Pair[], tool: Tool, one: Class): number =>
    of.filter((pair) => classOf(pair, tool) === one).length;
  const share = (of: number, all: number): string => `${of} (${((100 * of) / Math.max(1, all)).toFixed(1)} %)`;
  const totals = TOOLS.flatMap((tool) => {
    const run = pairs.filter((pair) => pair.outcomes[tool] !== undefined);
    if (run.length === 0) return [];
    const seconds = run.reduce((sum, pair) => sum + (pair.outcomes[tool]?.seconds ?? 0), 0);
    return [
      [tool, run.length, ...CLASSES.map((one) => share(count(run, tool, one), run.length)), `${seconds.toFixed(0)} s`],
    ];
  });
  const kinds = [...new Set(pairs.map(({ request }) => request.kind))].map((kind) => {
    const of = pairs.filter(({ request }) => request.kind === kind);
    const cell = (tool: Tool): string => {
      const [right = 0, told = 0, silent = 0, ...failed] = CLASSES.map((one) => count(of, tool, one));
      return of.some((pair) => pair.outcomes[tool]) ? `${right + told} / ${silent} / ${failed.join(' + ')}` : '–';
    };
    return [kind, of.length, ...TOOLS.map(cell)];
  });
  const losses = [
    ...new Set(
      pairs.flatMap(({ outcomes }) => Object.values(outcomes).flatMap((one) => one.silent.map(({ loss }) => loss))),
    ),
  ];
  const lost = losses.map((loss) => [
    loss,
    ...TOOLS.map(
      (tool) => pairs.filter(({ outcomes }) => outcomes[tool]?.silent.some((one) => one.loss === loss)).length,
    ),
  ]);
  return [
    rows(['tool', 'requests', ...CLASSES, 'time'], totals),
    rows(['lost silently', ...TOOLS], lost.toSorted()),
    rows(
      [
        'request',
        'files',
        ...TOOLS.map((tool) => `${tool}: right or told / silently wrong / failed with + without reason`),
      ],
      kinds.toSorted(),
    ),
  ].join('\n');
}

const rows = (head: readonly string[], body: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
