import { expect, test } from 'vitest';
import { applyPatches } from './apply-patch.ts';

const BODY = { input: 'a.mp4', parameters: { crf: 'x', 'b:v': '1' }, inputs: ['a', 'b'] };

test('patches of several errors are applied to a copy', () => {
  const before = structuredClone(BODY);
  const after = applyPatches(BODY, [
    [{ op: 'replace', path: '/parameters/crf', value: '23' }],
    [
      { op: 'remove', path: '/parameters/b:v' },
      { op: 'add', path: '/parameters/vf', value: 'null' },
    ],
    [{ op: 'remove', path: '/inputs/0' }],
  ]);
  expect(after).toEqual({ input: 'a.mp4', parameters: { crf: '23', vf: 'null' }, inputs: ['b'] });
  expect(BODY).toEqual(before);
});

test('of two patches of one member, the first counts', () => {
  const patches = ['23', '24'].map((value) => [{ op: 'replace' as const, path: '/parameters/crf', value }]);
  expect(applyPatches(BODY, patches)).toMatchObject({ parameters: { crf: '23' } });
  const whole = { op: 'replace' as const, path: '/parameters', value: {} };
  expect(applyPatches(BODY, [patches[0] ?? [], [whole]])).toMatchObject({ parameters: { crf: '23', 'b:v': '1' } });
});

test('what several patches have in common is done once, and each removes its own word', () => {
  const both = { op: 'add' as const, path: '/parameters/vf', value: 'scale=640:-2,transpose=1' };
  const patches = ['width', 'rotate'].map((word) => [{ op: 'remove' as const, path: `/parameters/${word}` }, both]);
  const body = { parameters: { width: '640', rotate: '90' } };
  expect(applyPatches(body, patches)).toEqual({ parameters: { vf: both.value } });
});

test('of two patches that move one member to different places, the first counts', () => {
  const move = (name: string) => [
    { op: 'remove' as const, path: '/parameters/crf' },
    { op: 'add' as const, path: `/parameters/${name}`, value: '23' },
  ];
  const parameters = { 'b:v': '1', qp: '23' };
  expect(applyPatches(BODY, [move('qp'), move('cq')])).toEqual({ ...BODY, parameters });
  expect(applyPatches(BODY, [move('qp'), move('qp')])).toEqual({ ...BODY, parameters });
});

test('two words that the same option replaces, beside one of its own, are both removed', () => {
  const add = (path: string, value: string) => ({ op: 'add' as const, path, value });
  const remove = (path: string) => ({ op: 'remove' as const, path });
  const patches = [
    [remove('/speed'), add('/vf', 'setpts=PTS/2'), add('/af', 'atempo=2,volume=2')],
    [remove('/volume'), add('/af', 'atempo=2,volume=2')],
  ];
  expect(applyPatches({ speed: '2', volume: '2' }, patches)).toEqual({ vf: 'setpts=PTS/2', af: 'atempo=2,volume=2' });
});

test('several elements of a list are removed', () => {
  const patches = ['/inputs/0', '/inputs/1'].map((path) => [{ op: 'remove' as const, path }]);
  expect(applyPatches({ inputs: ['a', 'b', 'c'] }, patches)).toEqual({ inputs: ['c'] });
});

test('a patch reaches no prototype, and nothing that is not there', () => {
  const after = applyPatches(JSON.parse('{"parameters":{"__proto__":{"a":1}}}'), [
    [{ op: 'add', path: '/__proto__/polluted', value: 'yes' }],
    [{ op: 'add', path: '/constructor/prototype/polluted', value: 'yes' }],
    [{ op: 'add', path: '/parameters/__proto__', value: 'own' }],
    [{ op: 'replace', path: '/none/crf', value: '23' }],
  ]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(JSON.stringify(after)).toBe('{"parameters":{"__proto__":"own"}}');
});
