import { expect } from 'vitest';
import { checkClientLimits } from '../support/client-limits.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ args: ['--no-worker'] });
const test = needs('ffmpeg');

test('an operator gives one client other limits of what it queues, sends and has, by the command', async () => {
  const { server } = await start();
  const own = await insertClient(server, 'rich', { root: 'rich' });
  await server.media.put('rich/in/a.mp3', 'no music');
  await checkClientLimits([server.url], { own, other: await insertClient(server, 'poor') }, async (limits) => {
    const flags = limits.flatMap((limit) => ['--limit', limit]);
    const { code, stdout, stderr } = await runCli(['client', 'set', 'rich', ...flags], server.settings);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('submissions=100');
  });
  const wrong = await runCli(['client', 'set', 'rich', '--limit', 'pending=lots'], server.settings);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('pending must be a whole number from 1 to') });
});
