import { expect, test } from 'vitest';
import { applyPatches } from '../wire/apply-patch.ts';
import { fixPatch } from '../wire/fix-patch.ts';
import {
  addIn,
  addOption,
  type Edits,
  editsText,
  leaveOut,
  orElse,
  rename,
  replacePart,
  sendMember,
  sendOption,
  sendValue,
} from './edit.ts';

const BODY = {
  input: 'a.mov',
  output: 'b.mp4',
  cut: { keep: [] },
  parameters: { crf: '99', 'c:v': 'libx264', map: ['0:v', 'a'], vf: 'scale=640:-2,volum=2' },
};

const OF_SEVERAL = {
  inputs: ['a.mov', { input: 'b.wav', parameters: { 'c:a': 'aac' } }],
  outputs: [{ output: 'b.mp4', parameters: { map: '[v_2]' } }, { output: 'c.mp4' }],
};

const parametersWith = (more: object) => ({ ...BODY, parameters: { ...BODY.parameters, ...more } });
const { crf: _, ...withoutCrf } = BODY.parameters;

test.each<[field: string, fix: Edits, text: string, after: object]>([
  ['/parameters/map/1', sendValue('0:a'), 'Send "0:a".', parametersWith({ map: ['0:v', '0:a'] })],
  ['/parameters/crf', sendValue('23'), 'Send "23".', parametersWith({ crf: '23' })],
  [
    '/parameters/crf',
    sendOption('b:v', '2M'),
    'Send "b:v": "2M".',
    { ...BODY, parameters: { ...withoutCrf, 'b:v': '2M' } },
  ],
  [
    '/parameters/map/1',
    sendOption('map', ['0:v', '0:a']),
    'Send "map": ["0:v","0:a"].',
    parametersWith({ map: ['0:v', '0:a'] }),
  ],
  [
    '/parameters/crf',
    addOption('b:v', 'a "quoted" one'),
    'Send "b:v": "a \\"quoted\\" one" as well.',
    parametersWith({ 'b:v': 'a "quoted" one' }),
  ],
  [
    '/cut/keep',
    sendMember('keep', [{ start: 1, end: 8 }]),
    'Send "keep": [{"start":1,"end":8}].',
    { ...BODY, cut: { keep: [{ start: 1, end: 8 }] } },
  ],
  ['/parameters/crf', leaveOut(), 'Leave it out.', { ...BODY, parameters: withoutCrf }],
  ['/parameters/vf', leaveOut('crf'), 'Leave "crf" out.', { ...BODY, parameters: withoutCrf }],
  [
    '/parameters/crf',
    leaveOut(undefined, 'the output says it'),
    'Leave it out: the output says it.',
    { ...BODY, parameters: withoutCrf },
  ],
  ['/parameters/crf', rename('qp'), 'Send "qp".', { ...BODY, parameters: { ...withoutCrf, qp: '99' } }],
  ['/parameters/vf', replacePart('volum', 'volume'), 'Send "volume".', parametersWith({ vf: 'scale=640:-2,volume=2' })],
])('a change is said in a sentence, and made by a patch: %s %j', (field, fix, text, after) => {
  expect(editsText(fix)).toBe(text);
  const patch = fixPatch(BODY, { field, code: 'BAD_VALUE', message: 'It is wrong.', fix });
  expect(patch).toBeDefined();
  expect(applyPatches(BODY, [patch ?? []])).toEqual(after);
});

test.each<[field: string, fix: Edits, text: string, after: object]>([
  [
    '/inputs/1',
    addIn('request', 'join', 'encode'),
    'Send "join": "encode" as well.',
    { ...OF_SEVERAL, join: 'encode' },
  ],
  [
    '/outputs/0/parameters/map',
    {
      edits: [
        { do: 'send', name: 'map', value: '[v]' },
        { do: 'send', name: 'filter_complex', value: 'scale[v]', in: 'parameters' },
      ],
    },
    'Send "map": "[v]", and "filter_complex": "scale[v]" in the "parameters" of the request.',
    {
      ...OF_SEVERAL,
      outputs: [{ output: 'b.mp4', parameters: { map: '[v]' } }, { output: 'c.mp4' }],
      parameters: { filter_complex: 'scale[v]' },
    },
  ],
])('a member is sent in another place: %s %j', (field, fix, text, after) => {
  expect(editsText(fix)).toBe(text);
  const patch = fixPatch(OF_SEVERAL, { field, code: 'BAD_VALUE', message: 'It is wrong.', fix });
  expect(applyPatches(OF_SEVERAL, [patch ?? []])).toEqual(after);
});

test.each<[fix: Edits, text: string]>([
  [
    orElse(addOption('af', 'areverse'), '"an": "" if no sound is meant'),
    'Send "af": "areverse" as well, or "an": "" if no sound is meant.',
  ],
  [orElse(leaveOut('crf'), sendOption('b:v', '0')), 'Leave "crf" out, or send "b:v": "0".'],
])('a fix that leaves a choice has no patch: %j', (fix, text) => {
  expect(editsText(fix)).toBe(text);
  expect(fixPatch(BODY, { field: '/parameters/crf', code: 'BAD_VALUE', message: 'It is wrong.', fix })).toBeUndefined();
});

test('a patch replaces nothing else that was sent', () => {
  const body = { ...BODY, join: 'copy' };
  const of = (field: string, fix: Edits) => fixPatch(body, { field, code: 'BAD_VALUE', message: 'It is wrong.', fix });
  expect(of('/parameters/crf', addIn('request', 'join', 'encode'))).toBeUndefined();
  expect(of('/parameters/crf', rename('c:v'))).toBeUndefined();
  const twice = { parameters: { vf: "drawtext=text='grean tea',drawbox=color=grean" } };
  const found = { field: '/parameters/vf', code: 'BAD_VALUE', message: 'It is wrong.' };
  expect(fixPatch(twice, { ...found, fix: replacePart('grean', 'green') })).toBeUndefined();
});

test('an encoder beside an argument of a recipe is an option of the request', () => {
  const body = { input: 'a.mov', output: 'b.mp4', preset: { name: 'trim', arguments: { start: 1 } } };
  const found = { field: '/preset/arguments/start', code: 'KEY_FRAME_CUTS', message: 'The cut begins earlier.' };
  expect(fixPatch(body, { ...found, fix: addOption('c:v', 'libx264') })).toEqual([
    { op: 'add', path: '/parameters', value: { 'c:v': 'libx264' } },
  ]);
});
