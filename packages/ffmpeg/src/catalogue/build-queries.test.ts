import { beforeEach, expect, test, vi } from 'vitest';
import { buildQueries, type QueryFailed } from './build-queries.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

/** A build whose queries are answered, or fail, when a test says so. */
function build() {
  const faults: QueryFailed[] = [];
  const file = { stamp: 'broken' };
  const run = buildQueries(
    { version: '7.1' },
    (error) => faults.push(error),
    () => file.stamp,
  );
  const asked = new Map<string, PromiseWithResolvers<string>>();
  const query = (key: string): Promise<string> => {
    const [kind, name] = key.split('=');
    const ask = () => {
      const promised = Promise.withResolvers<string>();
      asked.set(key, promised);
      return promised.promise;
    };
    const answer = run(key, ask, name === undefined ? undefined : `${kind} "${name}"`);
    // Each test looks at the result later.
    answer.catch(() => {});
    return answer;
  };
  /** What answers a query that runs. */
  const asker = async (key: string): Promise<PromiseWithResolvers<string>> => {
    await vi.advanceTimersByTimeAsync(0);
    const found = asked.get(key);
    if (found === undefined) throw new Error(`The query ${key} does not run.`);
    return found;
  };
  return { query, asked, faults, asker, file };
}

const silent = { code: 'UNAVAILABLE', message: expect.stringContaining('7.1'), retryAfterSeconds: 10 };

test('queries that wait are rejected when a build answers nothing, and so are new ones', async () => {
  const { query, asked, asker } = build();
  const running = ['a', 'b', 'c', 'd'].map(query);
  const waiting = query('e');
  await vi.advanceTimersByTimeAsync(9900);
  expect([...asked.keys()]).toEqual(['a', 'b', 'c', 'd']);
  await vi.advanceTimersByTimeAsync(200);
  await expect(waiting).rejects.toMatchObject(silent);
  await expect(query('f')).rejects.toMatchObject(silent);
  // An answer that comes late still counts.
  for (const { resolve } of asked.values()) resolve('late');
  expect(await Promise.all(running)).toEqual(['late', 'late', 'late', 'late']);
  await vi.advanceTimersByTimeAsync(10_000);
  const again = query('e');
  (await asker('e')).resolve('back');
  expect(await again).toBe('back');
});

test('queries wait for as long as others are answered', async () => {
  const { query, asker } = build();
  const [first, ...others] = Array.from({ length: 9 }, (_, index) => query(`q${index}`));
  const slow = others.pop();
  for (let index = 0; index < 8; index += 1) {
    await vi.advanceTimersByTimeAsync(4000);
    (await asker(`q${index}`)).resolve('answer');
  }
  (await asker('q8')).resolve('answer');
  expect(await first).toBe('answer');
  expect(await slow).toBe('answer');
});

test('a query that failed is not run again for a minute, and others are', async () => {
  const { query, asked, faults, asker } = build();
  const failing = query('encoder=bad');
  (await asker('encoder=bad')).reject(new Error('timed out'));
  const problem = {
    code: 'UNAVAILABLE',
    message: expect.stringContaining('encoder "bad". Send the request without the encoder "bad", or'),
    retryAfterSeconds: 60,
  };
  await expect(failing).rejects.toMatchObject(problem);
  expect(faults).toHaveLength(1);
  asked.clear();
  await expect(query('encoder=bad')).rejects.toMatchObject(problem);
  expect(asked.size).toBe(0);
  const other = query('encoder=good');
  (await asker('encoder=good')).resolve('help');
  expect(await other).toBe('help');
  await vi.advanceTimersByTimeAsync(60_000);
  const again = query('encoder=bad');
  (await asker('encoder=bad')).resolve('help');
  expect(await again).toBe('help');
});

test('a build of which four queries in a row fail is asked nothing for ten seconds', async () => {
  const { query, asked, asker } = build();
  const running = ['a', 'b', 'c', 'd'].map(query);
  await asker('d');
  for (const { reject } of asked.values()) reject(new Error('crashed'));
  for (const one of running) await expect(one).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  asked.clear();
  await expect(query('e')).rejects.toMatchObject(silent);
  expect(asked.size).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  const answer = query('e');
  (await asker('e')).resolve('back');
  expect(await answer).toBe('back');
});

test('a build whose file is another one is asked at once what the former did not answer', async () => {
  const { query, asked, asker, file } = build();
  const running = ['a', 'b', 'c', 'd'].map(query);
  await asker('d');
  for (const { reject } of asked.values()) reject(new Error('crashed'));
  for (const one of running) await expect(one).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(query('a')).rejects.toMatchObject(silent);
  asked.clear();
  file.stamp = 'repaired';
  const answer = query('a');
  (await asker('a')).resolve('help');
  expect(await answer).toBe('help');
});

test('a build that was asked nothing for ten seconds is asked more when one query fails then', async () => {
  const { query, asked, asker } = build();
  const running = ['a', 'b', 'c', 'd'].map(query);
  await asker('d');
  for (const { reject } of asked.values()) reject(new Error('crashed'));
  for (const one of running) await expect(one).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await vi.advanceTimersByTimeAsync(10_000);
  const failing = query('bad');
  (await asker('bad')).reject(new Error('crashed'));
  await expect(failing).rejects.toMatchObject({ retryAfterSeconds: 60 });
  const answer = query('good');
  (await asker('good')).resolve('help');
  expect(await answer).toBe('help');
});

test('a client reads no names of queries, and no advice that it cannot follow', async () => {
  const { query, asked, asker } = build();
  const running = ['full', 'b', 'c', 'd'].map(query);
  await asker('d');
  for (const { reject } of asked.values()) reject(new Error('crashed'));
  await expect(running[0]).rejects.toThrow(/^The ffmpeg 7\.1 of the service did not answer\. Retry in 60 s\.$/);
  await expect(query('e')).rejects.toThrow(/^The ffmpeg 7\.1 of the service does not answer\. Retry in 10 s\.$/);
});
