import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findDescendants, watchThreadCount } from './process-tree.ts';

test('the search for the descendants of a process reads a few of all processes in one turn of the event loop', async () => {
  const entries = ['stat', ...Array.from({ length: 1000 }, (_, i) => `${i + 1}`)];
  let reads = 0;
  // Each process is the parent of the next one.
  const search = findDescendants(990, entries, (path) => {
    reads += 1;
    return `${path} (name) S ${Number(path.split('/')[2]) - 1} 0`;
  });
  const perTurn: number[] = [];
  for (let before = 0; perTurn.length < 1000 && before < 1000; before = reads) {
    await setImmediate();
    perTurn.push(reads - before);
  }
  expect(await search).toEqual(Array.from({ length: 10 }, (_, i) => 991 + i));
  expect(Math.max(...perTurn)).toBe(50);
});

test.runIf(process.platform === 'linux')('a process cannot hide its threads by its name', async () => {
  const program = `process.title = '\u2028Threads: 1'; console.log(''); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const stopped = Promise.withResolvers<string>();
  const stop = watchThreadCount(
    2,
    () => child.pid,
    ({ code }) => stopped.resolve(code),
  );
  expect(await stopped.promise).toBe('LIMIT_EXCEEDED');
  stop();
  child.kill('SIGKILL');
});
