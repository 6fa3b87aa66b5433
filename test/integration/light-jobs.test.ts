// @module-tag long
import { expect, test, vi } from 'vitest';
import { TURN_MS } from '../../packages/service/src/jobs/run/worker-turns.ts';
import { submitOne } from '../contracts/engine.ts';
import { openWorker } from '../fixtures/open-worker.ts';

const FILM = { lane: 'full', weight: 100, needs: [] } as const;
const SOUND = { lane: 'light', weight: 50, needs: [] } as const;
const FETCHED = { lane: 'fetch', weight: 100, needs: [] } as const;
const HEAVY = { lane: 'full', weight: 200, needs: [] } as const;
const PICTURE = { lane: 'light', weight: 25, needs: [] } as const;

/** How long to wait for what a worker does within its next polls, also on a machine with much else to do. */
const SOON = { timeout: 25_000 };

test('sounds that turn out to be long leave their room to the pictures of others, and none to sounds of their client', async () => {
  const { start, started, world } = await openWorker({ lightSeconds: 1 });
  const first = [
    await submitOne(world, 'eve', FILM),
    await submitOne(world, 'amy', SOUND),
    await submitOne(world, 'amy', SOUND),
  ];
  const startedAt = performance.now();
  start();
  await vi.waitFor(() => expect(started.toSorted()).toEqual(first.toSorted()), SOON);
  const another = await submitOne(world, 'amy', SOUND);
  const picture = await submitOne(world, 'bob', PICTURE);
  await vi.waitFor(() => expect(started).toContain(picture), SOON);
  expect(performance.now() - startedAt, 'it waited until the sounds were overdue').toBeGreaterThan(1000);
  expect(started, 'a client cannot fill the room with long sounds').not.toContain(another);
});

test('sounds that pass a heavy job do not take the slot of a job that has its inputs', async () => {
  const { start, started, staged, world, release } = await openWorker({ slots: 2 });
  const film = await submitOne(world, 'eve', FILM);
  // Two fill the room for light jobs, and two a slot.
  const sounds = [1, 2, 3, 4].map(() => submitOne(world, 'amy', SOUND));
  const first = [film, ...(await Promise.all(sounds))];
  start();
  await vi.waitFor(() => expect(started.toSorted()).toEqual(first.toSorted()), SOON);
  const fetched = await submitOne(world, 'bob', FETCHED);
  await vi.waitFor(() => expect(staged).toContain(fetched), SOON);
  await submitOne(world, 'eve', HEAVY);
  for (let i = 0; i < 8; i++) await submitOne(world, 'amy', SOUND);
  for (const sound of first.slice(1)) release(sound);
  await vi.waitFor(() => expect(started).toContain(fetched), SOON);
});

test('measurements of films do not pass a heavy job', async () => {
  let claims = 0;
  const mayClaim = async (): Promise<boolean> => {
    claims += 1;
    return true;
  };
  const { start, started, world } = await openWorker({ slots: 4, mayClaim });
  const sounds = [1, 2].map(() => submitOne(world, 'amy', SOUND));
  const first = [await submitOne(world, 'eve', FILM), ...(await Promise.all(sounds))];
  const worker = start();
  await vi.waitFor(() => expect(started.toSorted()).toEqual(first.toSorted()), SOON);
  await submitOne(world, 'eve', { ...HEAVY, weight: 400 });
  await submitOne(world, 'amy', { ...FILM, lane: 'light' });
  const before = claims;
  await vi.waitFor(() => expect(claims).toBeGreaterThan(before + 1), SOON);
  await worker.drain(0);
  expect(started).toHaveLength(first.length);
});

test('pictures take turns on the processors, but not beside a film', async () => {
  const { start, started, startTimes, world } = await openWorker({ slots: 2, processors: 2 });
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => submitOne(world, 'amy', PICTURE)));
  start();
  await vi.waitFor(() => expect(started).toHaveLength(6), SOON);
  const [, second = 0, , , , sixth = 0] = startTimes;
  expect(sixth - second, 'two more start with each turn').toBeGreaterThan(1.5 * TURN_MS);
  const film = await submitOne(world, 'eve', FILM);
  await vi.waitFor(() => expect(started).toContain(film), SOON);
});
