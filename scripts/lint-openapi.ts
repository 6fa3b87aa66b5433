import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { openApiDocument } from '../src/http/openapi/document.ts';

const root = resolve(import.meta.dirname, '..');

/** Runs Redocly's strict rules over an OpenAPI document; `report` is what it printed. */
export async function lintOpenApi(document: unknown): Promise<{ readonly ok: boolean; readonly report: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const { failed, all } = await execa('redocly', ['lint', '--extends', 'recommended-strict', file], {
      preferLocal: true,
      localDir: root,
      all: true,
      reject: false,
      // It would ask the registry for a newer version of itself, and tell its makers of the run.
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    return { ok: !failed, report: all };
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { ok, report } = await lintOpenApi(openApiDocument({ version: '0.0.0' }));
  console.log(report);
  process.exitCode = ok ? 0 : 1;
}
