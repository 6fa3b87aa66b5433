import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { testFolder } from './folders.ts';

const SUITE = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Runs the MCP conformance suite on a server. Returns its checks by scenario; failed checks are among them. */
export async function conformance(url: string, revision: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const folder = await testFolder('conformance');
  const args = [SUITE, 'server', '--url', url, '--requirements', revision, '-o', folder];
  await new Promise<void>((done) => execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, () => done()));
  const found = new Map<string, readonly Check[]>();
  for (const name of await readdir(folder)) {
    // For example: server-SCENARIO-2026-11-20T09-35-16-336Z
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    found.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[]);
  }
  return found;
}
