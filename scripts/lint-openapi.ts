import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openApiDocument } from '../packages/service/src/http/openapi/document.ts';
import { command } from './setup/command.ts';

const REDOCLY = resolve(import.meta.dirname, '../node_modules/.bin/redocly');

/**
 * Checks OpenAPI documents by Redocly's strict rules but one: the start of a sign-in only redirects, so it has no 2XX.
 * `report` is its output for all of them.
 */
export async function lintOpenApi(
  documents: readonly unknown[],
): Promise<{ readonly ok: boolean; readonly report: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const files = documents.map((_document, i) => join(folder, `openapi-${i}.json`));
    for (const [i, file] of files.entries()) await writeFile(file, JSON.stringify(documents[i]));
    // Without these settings, Redocly looks for a newer version and sends telemetry.
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [
      REDOCLY,
      'lint',
      '--extends',
      'recommended-strict',
      '--skip-rule',
      'operation-2xx-response',
      ...files,
    ];
    const { ok, text } = await command(process.execPath, args, quiet);
    return { ok, report: text };
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { ok, report } = await lintOpenApi([openApiDocument({ version: '0.0.0' })]);
  console.log(report);
  process.exitCode = ok ? 0 : 1;
}
