import { expect, test } from 'vitest';
import { freeRoom, mayPass, type RunningWork } from './slots.ts';

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
