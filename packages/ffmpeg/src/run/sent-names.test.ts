import { type Edits, editsText, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { expect, test } from 'vitest';
import { withSentNames } from './failed-output.ts';

const fixOf = (fix: Edits | string, ...keys: readonly string[]) =>
  withSentNames(
    { code: 'UNSUPPORTED', message: 'x', fix },
    { fields: Object.fromEntries(keys.map((key) => [key, `/parameters/${key}`])) },
  ).fix;

const BOTH: Edits = { edits: [...leaveOut('c').edits, { do: 'remove', name: 'map' }] };
const INPUT = 'Leave "c" out of the options of the input.';

test.each<[fix: Edits, sent: readonly string[], named: string]>([
  [leaveOut('c', 'it works'), ['c:v', 's'], 'Leave "c:v" out: it works.'],
  [leaveOut('c', 'it works'), ['c:v', 'c:a'], 'Leave "c:v" and "c:a" out: it works.'],
  [leaveOut('c'), ['c:v', 'c:a', 'c:s'], 'Leave "c:v", "c:a" and "c:s" out.'],
  [orElse(sendOption('f', 'mp4'), leaveOut('c')), ['c:a'], 'Send "f": "mp4", or leave "c:a" out.'],
  [BOTH, ['c:v', 'map'], 'Leave "c:v" and "map" out.'],
  [BOTH, ['c:v'], 'Leave "c:v" out.'],
])('%j of a request with %j', (fix, sent, named) => expect(editsText(fixOf(fix, ...sent) as Edits)).toBe(named));

test.each<[fix: Edits | string, sent: readonly string[]]>([
  [leaveOut('c', 'it works'), ['c']],
  [leaveOut('c', 'it works'), []],
  [leaveOut('map'), ['c:v']],
  [INPUT, ['c:v']],
  [sendOption('c:v', 'libx264'), ['c:v']],
])('keeps %j of a request with %j', (fix, sent) => expect(fixOf(fix, ...sent)).toEqual(fix));
