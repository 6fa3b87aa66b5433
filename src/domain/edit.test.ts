import { expect, test } from 'vitest';
import { fixPatch } from '../wire/fix-patch.ts';
import { addOption, type Edits, editsText, leaveOut, sendMember, sendOption, sendValue, withMore } from './edit.ts';

const BODY = {
  input: 'a.mov',
  output: 'b.mp4',
  cut: { keep: [] },
  parameters: { crf: '99', 'c:v': 'libx264', map: ['0:v', 'a'] },
};

test.each<[field: string, fix: Edits, text: string]>([
  ['/parameters/crf', sendValue('23'), 'Send "23".'],
  ['/parameters/map/1', sendValue('0:a'), 'Send "0:a".'],
  ['/parameters/crf', sendOption('b:v', '2M'), 'Send "b:v": "2M".'],
  ['/parameters/map', sendOption('map', ['0:v', '0:a']), 'Send "map": ["0:v","0:a"].'],
  ['/parameters/crf', addOption('b:v', 'a "quoted" one'), 'Send "b:v": "a \\"quoted\\" one" as well.'],
  ['/cut/keep', sendMember('keep', [{ start: 1, end: 8 }]), 'Send "keep": [{"start":1,"end":8}].'],
  ['/parameters/crf', leaveOut(), 'Leave it out.'],
  ['/parameters/crf', leaveOut('crf'), 'Leave "crf" out.'],
  ['/input', leaveOut('cut'), 'Leave "cut" out.'],
  ['/parameters/crf', leaveOut(undefined, 'the output says it'), 'Leave it out: the output says it.'],
  [
    '/parameters/crf',
    withMore(sendOption('preset', 'slow'), { do: 'send', name: 'tune', value: 'film' }),
    'Send "preset": "slow" and "tune": "film".',
  ],
])('a fix as data and its sentence have the same patch: %s %j', (field, fix, text) => {
  expect(editsText(fix)).toBe(text);
  const found = { field, code: 'BAD_VALUE', message: 'It is wrong.' };
  const patch = fixPatch(BODY, { ...found, fix });
  expect(patch).toBeDefined();
  expect(patch).toEqual(fixPatch(BODY, { ...found, fix: text }));
});

test('a fix that leaves a choice has no patch', () => {
  const fix = { ...addOption('af', 'areverse'), or: '"an": "" if no sound is meant' };
  expect(editsText(fix)).toBe('Send "af": "areverse" as well, or "an": "" if no sound is meant.');
  expect(fixPatch(BODY, { field: '/parameters/crf', code: 'BAD_VALUE', message: 'It is wrong.', fix })).toBeUndefined();
});

test('an encoder beside an argument of a recipe is an option of the request', () => {
  const body = { input: 'a.mov', output: 'b.mp4', preset: { name: 'trim', arguments: { start: 1 } } };
  const found = { field: '/preset/arguments/start', code: 'KEY_FRAME_CUTS', message: 'The cut begins earlier.' };
  expect(fixPatch(body, { ...found, fix: addOption('c:v', 'libx264') })).toEqual([
    { op: 'add', path: '/parameters', value: { 'c:v': 'libx264' } },
  ]);
});
