// @module-tag long
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { command } from '../../scripts/setup/command.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const DEMO = join(import.meta.dirname, '../../scripts/demo.ts');

/** Repeats the last printed command until the job has ended, as the output of the demo recommends. */
const repeated = (status: string): string => `
while JOB_NOW=$(${status}); [[ $JOB_NOW =~ \\"status\\":\\"(PENDING|PROCESSING)\\" ]]; do sleep 0.1; done
printf %s "$JOB_NOW"`;

needs('any ffmpeg', 'curl')(
  'the demo ends well, and the commands that it prints convert by hand',
  async () => {
    const demo = await command(process.execPath, [DEMO], { TMPDIR: await testFolder('demo'), NO_COLOR: '1' });
    expect(demo.ok, demo.text).toBe(true);
    expect(demo.text).toMatch(/All \d are right/);

    const serve = /^(TELECINE_DATA_DIR=.*) npm start$/m.exec(demo.text)?.[1] ?? '';
    const settings = Object.fromEntries(serve.split(' ').map((word) => word.split('=', 2) as [string, string]));
    const { TELECINE_DATA_DIR: dataDir = '', TELECINE_MEDIA_ROOT: mediaRoot = '' } = settings;
    await access(join(mediaRoot, 'results'));

    // The demo prints commands for a shell, so a shell runs them here. Only the port differs.
    const server = await startServer({ dataDir, mediaRoot, env: settings });
    const [, submit = '', status = ''] = /^(TOKEN=[\s\S]*?)^(curl .*)$/m.exec(demo.text) ?? [];
    const script = (submit + repeated(status)).replaceAll('http://127.0.0.1:8080', server.url);
    const shown = await command('bash', ['-ec', script]);
    expect(JSON.parse(shown.text) as JobView).toMatchObject({ status: 'COMPLETED', progress: 100 });
    await access(join(mediaRoot, 'by-hand'));
  },
  120_000,
);
