import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { RequestProbes } from './request-probes.ts';

const SECONDS = 0.01;
const INFO: MediaInfo = { format: { names: [], tags: {} }, streams: [], chapters: [] };

/** Waits for the deadline of the probes, which is the signal of each. */
const whenOver = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

/** Probes `path`, and then another input when the time of the request is over. */
async function probeTwo(path: string, probe: () => MediaInfo): Promise<unknown> {
  const probes = new RequestProbes();
  const read = async (signal: AbortSignal): Promise<MediaInfo> => {
    await whenOver(signal);
    return probe();
  };
  await probes.of(path, SECONDS, read).catch(() => undefined);
  return probes.of('b.mp4', SECONDS, async () => INFO).catch((error: unknown) => error);
}

test('a request whose time ends between two inputs says when to try again: the next try gets further', async () => {
  expect(await probeTwo('a.mp4', () => INFO)).toMatchObject({
    ...{ code: 'TIMEOUT', retryAfterSeconds: 5 },
    errors: [{ field: '/input', fix: expect.stringMatching(/^Send the same request again in 5 s/) }],
  });
  const goesOn = (): never => {
    throw new Problem('TIMEOUT', 'Not read yet.', { retryAfterSeconds: 5 });
  };
  expect(await probeTwo('a.mp4', goesOn), 'the first input is read on').toMatchObject({ retryAfterSeconds: 5 });
});

test('a request whose time ends after a URL or a failure does not say so: the next try would take as long', async () => {
  const late = { code: 'TIMEOUT', retryAfterSeconds: undefined };
  expect(await probeTwo('https://example.org/a.mp4', () => INFO)).toMatchObject(late);
  const fails = (): never => {
    throw new Problem('TIMEOUT', 'It took too long.');
  };
  expect(await probeTwo('a.mp4', fails)).toMatchObject(late);
});
