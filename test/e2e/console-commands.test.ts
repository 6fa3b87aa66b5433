import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '../../packages/client/src/client.ts';
import { cliUsers } from '../support/cli-user.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const TREE = join(import.meta.dirname, '../..');
const start = sharedServer();
const addUser = cliUsers(start);
const test = needs('ffmpeg', 'curl');

/** The commands of telecine that the pages of the console show. */
const shown = new Set(
  globSync('console/**/*.tsx', { cwd: TREE })
    .flatMap((file) => [...readFileSync(join(TREE, file), 'utf8').matchAll(/<code>(telecine [^<]*)<\/code>/g)])
    .map(([, command = '']) => command.replaceAll(/\s+/g, ' ')),
);

test('each command of telecine that the console shows runs', async ({ expect }) => {
  const { cwd, run } = await addUser('in.mov');
  const results: Record<string, () => Promise<unknown>> = {
    'telecine convert in.mov out.mp4': async () => {
      const { code, stderr } = await run('convert', 'in.mov', 'out.mp4');
      expect(code, stderr).toBe(0);
      expect((await readFile(join(cwd, 'out.mp4'))).length).toBeGreaterThan(1000);
    },
    'telecine doctor': async () => expect((await run('doctor')).stdout).toContain('ffmpeg'),
    // These run until they are stopped, or change the installation: look whether they exist.
    'telecine worker': async () => expect((await run('worker', '--help')).code).toBe(0),
    'telecine serve': async () => expect((await run('serve', '--help')).stdout).toContain('--no-worker'),
    'telecine client add NAME': async () => expect((await run('client', 'add', '--help')).stdout).toContain('<name>'),
  };
  expect([...shown].toSorted()).toEqual(Object.keys(results).toSorted());
  for (const runs of Object.values(results)) await runs();
});

test('the command beside an upload link uploads a file', async ({ expect }) => {
  const { cwd, settings } = await addUser();
  const client = createClient(settings.TELECINE_URL, {
    clientId: settings.TELECINE_CLIENT_ID,
    clientSecret: settings.TELECINE_CLIENT_SECRET,
  });
  const { url } = await client.uploadLink({ path: 'sent.mp4' });
  // As `console/files/upload-link-dialog.tsx` writes it.
  await promisify(execFile)('sh', ['-ec', `curl -sS -f -T in.mp4 '${url}'`], { cwd });
  expect((await client.listFiles('')).files.map(({ path }) => path)).toContain('sent.mp4');
});
