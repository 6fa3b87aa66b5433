import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { previewTurns } from './preview-makers.ts';

/** Resolves when all calls that can start have started. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks for previews, which end when the test calls `endAll`. */
function calls(slots: number) {
  const turns = previewTurns(slots);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const results: Promise<string>[] = [];
  const ask = (callerId: string, isByLink: boolean): Promise<string> => {
    const name = `${isByLink ? 'link of ' : ''}${callerId}`;
    const result = turns({ callerId, isByLink }, NEVER, (inTurn) =>
      inTurn(async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      }),
    );
    // Prevent an unhandled rejection: `endAll` waits for the results later.
    result.catch(() => undefined);
    results.push(result);
    return result;
  };
  /** Ends all previews, one after the other. */
  const endAll = async (): Promise<void> => {
    await settled();
    while (ends.length > 0) {
      ends.shift()?.();
      await settled();
    }
    await Promise.allSettled(results);
  };
  return { ask, started, endAll };
}

test('people with links take no place of the client that signed them, nor of others', async () => {
  const { ask, endAll } = calls(1);
  const byLinks = ['amy', 'bob', 'eve', 'dan', 'joe'].flatMap((clientId) =>
    Array.from({ length: 40 }, () => ask(clientId, true)),
  );
  const own = ['amy', 'zoe'].map((clientId) => ask(clientId, false));
  await endAll();
  expect(await Promise.all(own)).toEqual(['amy', 'zoe']);
  const results = await Promise.allSettled(byLinks);
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'shown'));
  expect(codes.filter((code) => code === 'shown')).toHaveLength(64);
  expect(codes.slice(0, 40).filter((code) => code === 'RATE_LIMITED')).toHaveLength(24);
  expect(codes.at(-1), 'of a client without other links').toBe('UNAVAILABLE');
});

test('all links of all clients together have one turn, as one client has', async () => {
  const { ask, started, endAll } = calls(2);
  const byLinks = ['amy', 'bob', 'eve'].map((clientId) => ask(clientId, true));
  await settled();
  const own = ['amy', 'amy', 'amy'].map((clientId) => ask(clientId, false));
  await settled();
  expect(started).toEqual(['link of amy', 'amy', 'amy']);
  await endAll();
  expect(await Promise.all([...byLinks, ...own])).toHaveLength(6);
});

test('a client whose previews take all of their time does not hold up the preview of another one', async () => {
  const { ask, started, endAll } = calls(2);
  const slow = Array.from({ length: 16 }, () => ask('eve', false));
  await settled();
  expect(started, 'no more than its own slots').toEqual(['eve', 'eve']);
  const quick = ask('amy', false);
  await settled();
  expect(started).toEqual(['eve', 'eve', 'amy']);
  await endAll();
  expect(await Promise.all([...slow, quick])).toHaveLength(17);
});
