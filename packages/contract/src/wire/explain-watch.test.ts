import { expect, test } from 'vitest';
import type { z } from 'zod';
import { editsText, hasEdits } from '../domain/edit.ts';
import { fieldErrors } from './explain.ts';
import { newWatchBody, watchChangeBody } from './watch.ts';

const WATCH = { folder: 'in/', request: { output: 'out/{name}.mp4' } };

/** The errors of a body as `field: fix`. */
const fixesOf = (schema: z.ZodType, body: object): readonly string[] =>
  fieldErrors(schema, schema.safeParse(body).error?.issues ?? [], body).map(
    ({ field, fix }) => `${field}: ${hasEdits(fix) ? editsText(fix) : String(fix)}`,
  );

test.each<[sent: object, fixes: readonly string[]]>([
  [{ ...WATCH, folder: 'cards', source: { moveTo: 'done' } }, []],
  [
    { folder: 'in/', preset: 'web-h264', output: 'out/{name}.mp4' },
    ['/preset', '/output'].map(
      (field) => `${field}: Send "request": {"preset":{"name":"web-h264"},"output":"out/{name}.mp4"}.`,
    ),
  ],
  [
    { ...WATCH, preset: { name: 'web-h264' } },
    ['/preset: Send "request": {"preset":{"name":"web-h264"},"output":"out/{name}.mp4"}.'],
  ],
  [{ ...WATCH, source: 'done/' }, ['/source: Send {"moveTo":"done/"}.']],
  [{ ...WATCH, source: 'move' }, ['/source: Send {"moveTo":"done/"}.']],
  [
    { ...WATCH, request: { ...WATCH.request, each: 'in/*.mov' } },
    ['/request/each: Leave it out: "folder" and "patterns" choose the files.'],
  ],
  [{ ...WATCH, request: { output: 'out/{dir}/{name}.mp4' } }, ['/request/output: Send "out/{folder}{name}.mp4".']],
  [
    { ...WATCH, request: { output: 'out/{camera}/{name}.mp4' } },
    ['/request/output: Send, for example, "out/{folder}{name}.mp4".'],
  ],
  [{ path: 'in/', request: WATCH.request }, ['/path: Send "folder": "in/".']],
  [{ input: 'in/', request: WATCH.request }, ['/input: Send "folder": "in/".']],
  [{ ...WATCH, patterns: ['cards/*.mov'] }, ['/patterns/0: Send "*.mov".']],
  [
    { ...WATCH, timeZone: 'UTC', activeHours: [{ days: ['Monday'], from: '6:00', to: '24:00' }] },
    ['/activeHours/0/days/0: Send "mon".', '/activeHours/0/from: Send "06:00".', '/activeHours/0/to: Send "00:00".'],
  ],
])('the new watch %j gets %j', (sent, fixes) => {
  expect(fixesOf(newWatchBody, sent)).toEqual(fixes);
});

test.each<[sent: object, fix: string]>([
  [{ folder: 'b/' }, '/folder: Leave it out. For another folder, make another watch, and delete this one.'],
  [{ existing: 'ignore' }, '/existing: Leave it out. For another folder, make another watch, and delete this one.'],
  [{}, ': Send the members to change, such as "state": "PAUSED".'],
  [{ output: 'out/{name}.mp4' }, '/output: Send "request": {"output":"out/{name}.mp4"}.'],
])('the change %j gets "%s"', (sent, fix) => {
  expect(fixesOf(watchChangeBody, sent)).toEqual([fix]);
});

test('an unknown placeholder of a watch names "{folder}"', () => {
  const body = { ...WATCH, request: { output: 'out/{camera}/{name}.mp4' } };
  const [error] = fieldErrors(newWatchBody, newWatchBody.safeParse(body).error?.issues ?? [], body);
  expect(error?.message).toContain('"{folder}" the folders below the watched one');
});
