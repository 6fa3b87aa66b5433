import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openApiDocument } from '../src/http/openapi/document.ts';
import { command } from './setup/command.ts';

const REDOCLY = resolve(import.meta.dirname, '../node_modules/.bin/redocly');

/** Runs Redocly's strict rules over an OpenAPI document; `report` is what it printed. */
export async function lintOpenApi(document: unknown): Promise<{ readonly ok: boolean; readonly report: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    // It would ask the registry for a newer version of itself, and tell its makers of the run.
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = [REDOCLY, 'lint', '--extends', 'recommended-strict', file];
    const { ok, text } = await command(process.execPath, args, quiet);
    return { ok, report: text };
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { ok, report } = await lintOpenApi(openApiDocument({ version: '0.0.0' }));
  console.log(report);
  process.exitCode = ok ? 0 : 1;
}
