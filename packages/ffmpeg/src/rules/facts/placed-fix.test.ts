import { addOption, type Edits, editsText, leaveOut, sendOption } from '@telecine/contract/domain/edit.ts';
import { applyPatches } from '@telecine/contract/wire/apply-patch.ts';
import { fixPatch } from '@telecine/contract/wire/fix-patch.ts';
import { expect, test } from 'vitest';
import { type MediaFacts, placed } from './media-facts.ts';

const patched = (request: object, output: string, field: string, fix: Edits) => {
  const facts = { plan: { output: { field: output } } } as unknown as MediaFacts;
  const warning = placed(facts, { field, code: 'INTERLACED', message: 'It is interlaced.', fix });
  const patch = fixPatch(request, warning);
  return { text: editsText(warning.fix as Edits), after: patch && applyPatches(request, [patch]) };
};

const ONE = { input: 'a.mov', output: 'b.mp4', parameters: { crf: '20' } };
const SEVERAL = { inputs: ['a.mov', { input: 'b.mp3' }], outputs: [{ output: 'c.mp4' }, { output: 'd.m4a' }] };

test.each<[field: string, fix: Edits]>([
  ['/input', sendOption('vf', 'bwdif')],
  ['/output', addOption('vf', 'bwdif')],
])('a warning about %s adds the option that its fix sends to those of the request', (field, fix) => {
  const { text, after } = patched(ONE, '/output', field, fix);
  expect(text).toBe('Send "vf": "bwdif" in the "parameters" of the request as well.');
  expect(after).toEqual({ ...ONE, parameters: { crf: '20', vf: 'bwdif' } });
});

test('of several outputs, the one that the warning is about gets the option', () => {
  const { after } = patched(SEVERAL, '/outputs/1/output', '/inputs/1/input', sendOption('vn', ''));
  expect(after).toEqual({ ...SEVERAL, outputs: [{ output: 'c.mp4' }, { output: 'd.m4a', parameters: { vn: '' } }] });
});

test.each<[field: string, fix: Edits]>([
  ['/parameters/vf', sendOption('vf', 'bwdif')],
  ['/inputs/0', sendOption('inputs', ['b.mp4', 'a.mov'])],
  ['/cut', leaveOut('c')],
])('a fix of %s that has its place stays: %j', (field, fix) => {
  const facts = { plan: { output: { field: '/output' } } } as unknown as MediaFacts;
  const warning = { field, code: 'INTERLACED' as const, message: 'It is interlaced.', fix };
  expect(placed(facts, warning)).toEqual(warning);
});
