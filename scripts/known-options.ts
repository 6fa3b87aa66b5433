/**
 * Writes src/ffmpeg/catalogue/known-options-table.ts from the recordings in test/fixtures/ffmpeg-help:
 *   node scripts/known-options.ts
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLI_RULES } from '../src/ffmpeg/allowlist/cli-rules.ts';
import { helpOf } from '../src/ffmpeg/catalogue/known-options.ts';
import { RECORDED, recordedCatalogue } from '../test/support/recorded-catalogue.ts';

const releases = new Map<string, string[]>();
for (const version of RECORDED) {
  const { cli, cliHelp } = recordedCatalogue(version);
  for (const name of CLI_RULES.keys()) {
    const facts = cli.get(name);
    if (facts === undefined || facts === null) continue;
    const row = `${name}|${facts.argument ? 'argument' : 'flag'}|${facts.place}|${helpOf(name, cliHelp) ?? ''}`;
    releases.set(row, [...(releases.get(row) ?? []), version]);
  }
}
const rows = [...releases].map(([row, versions]) => `${versions.join(' ')}|${row}`).sort(byName);
function byName(a: string, b: string): number {
  const name = (row: string): string => row.split('|')[1] ?? '';
  return name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a < b ? -1 : 1;
}
const escaped = rows.join('\n').replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
await writeFile(
  join(import.meta.dirname, '..', 'src', 'ffmpeg', 'catalogue', 'known-options-table.ts'),
  `/** Written by scripts/known-options.ts: releases|name|argument or flag|where it may stand|its help. */
export const KNOWN_OPTIONS = \`
${escaped}
\`;
`,
);
