import { PHASES, RULE_SETS } from './rule-sets.ts';
import type { RuleFacts } from './rules.ts';

type RulePhase = keyof typeof PHASES;

export const rulesManual = (): string => {
  const parts = Object.entries(TEXTS).map(([phase, text]) => `${text}\n\n${tableOf(phase as RulePhase)}`);
  return `${[HEAD, ...parts].join('\n\n').trimEnd()}\n`;
};

const HEAD = `# Rules

A rule finds a mistake in a request that is valid, but probably not meant. What it finds is a [warning](api/warnings.md) with the id of the
rule in \`rule\`:

\`\`\`json
{"field": "/parameters/b:v", "code": "NO_EFFECT", "rule": "crf-bitrate-conflicts",
 "message": "\\"crf\\" and \\"b:v\\" both control the quality; libx264 uses \\"crf\\".", "fix": "…"}
\`\`\`

- An id is stable: programs may compare it. A message may change. A rule that is gone leaves its id unused.
- \`code\` is the kind of mistake, and \`rule\` the mistake: many rules have the code \`NO_EFFECT\`.
- An id in several of the lists below is the same mistake, found at another time.
- A rule of a more precise finding drops the findings of others about the same mistake.
- A warning without \`rule\` is of a check that is not a rule yet, such as those of single values.

The metric \`telecine_findings_total\` counts the warnings of finished jobs by \`rule\` ([metrics](operate/metrics.md#metrics)): it says which
mistakes clients make, and which rules never find anything.

[Why it is built this way](decisions/0098-advice-is-rules.md). This page is generated from the code by \`npm run docs\`.`;

const TEXTS: Readonly<Record<RulePhase, string>> = {
  plan: `## When a request is checked

By the request alone. Dry runs, the answer to a submission and the job have these warnings.`,
  files: `## Before the run

By the request and what ffprobe says of its inputs. Dry runs and the MCP tool \`convert_media\` have these
warnings, if all inputs are there.`,
  run: `## After the run

By what ffmpeg read and wrote. Finished jobs have these warnings.`,
};

function tableOf(phase: RulePhase): string {
  const rules = PHASES[phase].flatMap((set): readonly RuleFacts[] => RULE_SETS[set].rules);
  const rows = new Map(rules.map(({ id, finds }) => [id, `| \`${id}\` | ${finds} |`]));
  return [
    '| rule | finds |',
    '|---|---|',
    ...[...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  ].join('\n');
}
