import { rowsOf } from './table.ts';

/** Writes `docs/rules.md`. */
export const rulesManual = (): string => `# Rules

A [warning](api/warnings.md) has the id of the rule that found it in \`rule\`. An id is stable; a message may change.

The metric \`telecine_findings_total\` counts the warnings of finished jobs by \`rule\` ([metrics](operate/metrics.md#metrics)): it says which
mistakes clients make, and which rules never find anything.

[Why it is built this way](decisions/0117-losses-are-compared.md). This page is generated from the code by \`npm run docs\`.

## By the request alone

What no result shows, or shows only after a long run. Dry runs, the answer to a submission and the job have these warnings.

${tableOf('plan')}

## By comparing

After a run, its result is compared with the sources and the request. What is lost is a warning with \`lost\`, \`expected\` and \`actual\`. A dry
run makes the same comparison with what it predicts.

${tableOf('result')}
`;

const tableOf = (hook: 'plan' | 'result'): string =>
  [
    '| rule | finds |',
    '|---|---|',
    ...rowsOf(hook)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ id, finds }) => `| \`${id}\` | ${finds} |`),
  ].join('\n');
