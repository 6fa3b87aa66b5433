import { expect, test } from 'vitest';
import { clientSlots, freeRoom, mayPass, type RunningWork } from './worker-room.ts';

const FILM: RunningWork = { lane: 'full', weight: 100, isOverdue: false };
const SLOW_FILM: RunningWork = { lane: 'full', weight: 200, isOverdue: false };
const PICTURE: RunningWork = { lane: 'light', weight: 25, isOverdue: false };
const SOUND: RunningWork = { lane: 'light', weight: 50, isOverdue: false };
const LONG_SOUND: RunningWork = { ...SOUND, isOverdue: true };

const roomBeside = (slots: number, ...jobs: RunningWork[]) => freeRoom(slots, jobs, jobs);

test('a worker has its slots for any job, and room for light jobs besides', () => {
  expect(roomBeside(2)).toEqual({ any: 200, light: 100 });
  expect(roomBeside(2, FILM, FILM)).toEqual({ any: 0, light: 100 });
});

test('a heavy job uses several slots, and one is never too heavy for a worker', () => {
  expect(roomBeside(4, SLOW_FILM)).toEqual({ any: 200, light: 100 });
  expect(roomBeside(1, SLOW_FILM)).toEqual({ any: 0, light: 100 });
});

test('light jobs use their own room first', () => {
  expect(roomBeside(2, PICTURE)).toEqual({ any: 200, light: 75 });
  expect(roomBeside(2, PICTURE, SOUND, FILM)).toEqual({ any: 100, light: 25 });
  expect(roomBeside(2, PICTURE, PICTURE, PICTURE, PICTURE, SOUND)).toEqual({ any: 150, light: 0 });
});

test('a light job that runs for long leaves the room to others, but only until as much is overdue as one slot', () => {
  expect(roomBeside(2, LONG_SOUND, FILM, FILM)).toEqual({ any: 0, light: 100 });
  expect(roomBeside(2, LONG_SOUND, LONG_SOUND, FILM, FILM)).toEqual({ any: 0, light: 100 });
  expect(roomBeside(2, LONG_SOUND, LONG_SOUND, LONG_SOUND, FILM, FILM)).toEqual({ any: 0, light: 50 });
  expect(roomBeside(2, ...Array<RunningWork>(4).fill(LONG_SOUND), FILM, FILM)).toEqual({ any: 0, light: 0 });
});

test('jobs that are being published leave their slots free, but at most as many as there are slots', () => {
  expect(freeRoom(2, [], [FILM, FILM, FILM])).toEqual({ any: 100, light: 100 });
  expect(freeRoom(2, [], [FILM, FILM, FILM, FILM])).toEqual({ any: 0, light: 100 });
  expect(freeRoom(2, [], [PICTURE, PICTURE])).toEqual({ any: 200, light: 100 });
});

test('light jobs pass a heavy one while other jobs keep it waiting, and not when it waits for light ones alone', () => {
  expect(mayPass(2, [FILM], 200)).toBe(true);
  expect(mayPass(2, [FILM, SOUND, SOUND], 400)).toBe(true);
  expect(mayPass(2, [SOUND, SOUND, SOUND], 200)).toBe(false);
  expect(mayPass(4, [FILM, FILM, LONG_SOUND], 200)).toBe(false);
  expect(mayPass(2, [FILM, SOUND], 100)).toBe(false);
});

test('a client without a limit of its own has the default, also if it was added after the last read', async () => {
  const clients = [
    { clientId: 'amy', limits: { running: 3 } },
    { clientId: 'bob', limits: { running: null } },
    { clientId: 'cat', limits: { jobs: 3 } },
  ];
  const read = clientSlots(1, async () => clients);
  expect(await read()).toEqual({
    perClient: 1,
    ofClients: new Map([
      ['amy', 3],
      ['bob', Number.POSITIVE_INFINITY],
    ]),
  });
});

test('without a default, clients run any number of jobs', async () => {
  const read = clientSlots(undefined, async () => []);
  expect(await read()).toEqual({ perClient: Number.POSITIVE_INFINITY, ofClients: new Map() });
});

test('reads the clients once a second', async () => {
  let reads = 0;
  let at = 0;
  const list = async () => {
    reads += 1;
    return [];
  };
  const read = clientSlots(undefined, list, () => at);
  await read();
  at = 999;
  await read();
  expect(reads).toBe(1);
  at = 1000;
  await read();
  expect(reads).toBe(2);
});
