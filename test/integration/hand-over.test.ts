// @module-tag long
import { expect } from 'vitest';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { needs } from '../support/needs.ts';
import { olderNode } from '../support/older-node.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'linux', 'an older Node');

/** A service that was started with an older Node, and the process that serves. */
async function handedOver(): Promise<{ readonly server: TestServer; readonly serving: number }> {
  const node = olderNode();
  if (node === undefined) throw new Error('There is no older Node.');
  const server = await startServer({ node });
  const [serving] = await descendants(server.pid);
  if (serving === undefined) throw new Error('Nothing was handed over.');
  return { server, serving };
}

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const messages = (server: TestServer, msg: string): number =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${msg}"`)).length;

test('kill -9 of the launcher ends the service that replaced it', async () => {
  const { server, serving } = await handedOver();
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  await server.kill9('main');
  await waitUntil('the service to be gone', async () => (runs(serving) ? undefined : true), 5);
});

test.for(['SIGINT', 'SIGTERM'] as const)(
  'one %s, to the whole group as a terminal sends it, drains once',
  async (signal) => {
    const { server, serving } = await handedOver();
    process.kill(-server.pid, signal);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect([messages(server, 'draining'), messages(server, 'stopped')]).toEqual([1, 1]);
    expect(runs(serving)).toBe(false);
  },
);

test('if the service is killed, its launcher ends with the same signal', async () => {
  const { server, serving } = await handedOver();
  process.kill(serving, 'SIGKILL');
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
});
