import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import type { PlannedInput } from '@telecine/contract/domain/plan.ts';
import { expect, test } from 'vitest';
import type { InputStaging } from '../ports/media-store.ts';
import { urlChunkCheck } from './url-chunks.ts';

const caller = { clientId: 'client' };
const chunks = { families: [] } as unknown as ChunkTemplates;
const atUrl = { logical: 'in/0.mp4', path: 'https://a.example/b', url: 'https://a.example/b?sig=1' } as PlannedInput;
const inRoot = { logical: 'in/0.mp4', path: 'in.mp4' } as PlannedInput;

/** A check whose server gives this answer. */
function checkWith(answer: Awaited<ReturnType<NonNullable<InputStaging['checkRanges']>>>) {
  const asked: string[] = [];
  const check = urlChunkCheck({
    checkRanges: async ({ url }) => {
      asked.push(url);
      return answer;
    },
  });
  if (check === undefined) throw new Error('There is no check.');
  return { asked, check };
}

test('a dry run asks the server of an input only if its chunks depend on the answer', async () => {
  const { asked, check } = checkWith({ whole: 'No parts.' });
  expect(await check(caller, { inputs: [atUrl] })).toBe(undefined);
  expect(await check(caller, { inputs: [atUrl], chunks: { whole: 'A filter.' } })).toBe(undefined);
  expect(await check(caller, { inputs: [inRoot], chunks })).toBe(undefined);
  expect(asked).toEqual([]);
  expect(await check(caller, { inputs: [atUrl], chunks })).toEqual({ whole: 'No parts.' });
  expect(asked).toEqual([atUrl.url]);
});

test('a server that sends parts is no reason to run whole', async () => {
  const { check } = checkWith({ version: '"a"' });
  expect(await check(caller, { inputs: [atUrl], chunks })).toBe(undefined);
});

test('a client may wait for four servers at a time, and each wait ends when the client hangs up', async () => {
  const check = urlChunkCheck({
    checkRanges: (_file, { signal } = {}) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  });
  const hangUp = new AbortController();
  const plan = { inputs: [atUrl], chunks };
  const waits = Array.from({ length: 4 }, () => check?.(caller, plan, hangUp.signal));
  await expect(check?.(caller, plan, hangUp.signal)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  hangUp.abort(new Error('gone'));
  expect((await Promise.allSettled(waits)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
});

test('there is nothing to ask where no URLs are fetched', () => {
  expect(urlChunkCheck({})).toBe(undefined);
});
