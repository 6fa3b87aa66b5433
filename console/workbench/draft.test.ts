import type { ConversionRequest } from '@telecine/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeDraft } from './change-draft.ts';
import { EMPTY_DRAFT, isEmptyDraft } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';

const path = fc.constantFrom('in.mov', 'films/a b.mkv', 's3://bucket/key.mp4');
const name = fc.constantFrom('c:v', 'crf', 'map', 'vf', 'metadata:s:a:0');
const value = fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2, maxLength: 3 }));
const parameters = { parameters: fc.dictionary(name, value, { minKeys: 1, maxKeys: 3 }) };
const optional = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const inputSpec = fc
  .tuple(fc.record({ input: path }), fc.record(parameters), optional({ duration: fc.constant('2.5') }))
  .map((parts) => Object.assign({}, ...parts));
const inputs = fc.oneof(
  fc.record({ input: path }),
  fc.record({ inputs: fc.array(fc.oneof(path, inputSpec), { minLength: 2, maxLength: 3 }) }),
  fc.record({ inputs: fc.tuple(inputSpec) }),
);
const outputSpec = fc
  .tuple(
    fc.record({ output: path }),
    fc.record(parameters),
    optional({ format: fc.constant('mp4'), fallback: fc.constant({ 'c:v': 'libx264' }) }),
  )
  .map((parts) => Object.assign({}, ...parts));
const outputs = fc.oneof(
  fc.record({ output: path }),
  fc.record({ outputs: fc.array(outputSpec, { minLength: 1, maxLength: 3 }) }),
);
const others = optional<ConversionRequest>({
  format: fc.constant('webm'),
  join: fc.constant('encode' as const),
  strict: fc.boolean(),
  metadata: fc.constant({ order: '1' }),
  preset: fc.constant({ name: 'web-h264', arguments: { height: 720 } }),
  callbackUrl: fc.constant('https://example.com/done'),
  thumbnailTrack: fc.constant({ everySeconds: 5, durationSeconds: 60, columns: 4, rows: 3 }),
});
const request = fc
  .tuple(inputs, outputs, optional(parameters), others)
  .map((parts): ConversionRequest => Object.assign({}, ...parts));

test('an output that was added and is still empty is not sent', () => {
  const added = changeDraft(draftFromRequest({ input: 'in.mov', output: 'a.mp4' }), { do: 'add-output' });
  expect(requestFromDraft(added)).toEqual({ input: 'in.mov', output: 'a.mp4' });
  const id = added.outputs[1]?.id ?? '';
  const named = changeDraft(added, { do: 'change-output', id, output: { output: 'b.webm' } });
  expect(requestFromDraft(named)).toEqual({ input: 'in.mov', outputs: [{ output: 'a.mp4' }, { output: 'b.webm' }] });
});

test('a request that is opened in the form is sent as it was', () => {
  fc.assert(
    fc.property(request, (sent) => {
      expect(requestFromDraft(draftFromRequest(sent))).toEqual(sent);
    }),
  );
});

test('what replaces the options of an output without a device stays with it', () => {
  const fallback = { 'c:v': 'libx264' };
  const sent = { input: 'in.mov', outputs: [{ output: 'a.mp4', fallback }], fallback };
  expect(requestFromDraft(draftFromRequest(sent))).toEqual(sent);
});

test('the format of the only output counts more than that of all', () => {
  const sent = { input: 'in.mov', outputs: [{ output: 'a', format: 'mp4' }], format: 'mov' };
  expect(requestFromDraft(draftFromRequest(sent))).toEqual({ input: 'in.mov', output: 'a', format: 'mp4' });
});

test('a file without options is the only input, and its output is suggested', () => {
  const draft = { ...EMPTY_DRAFT, inputs: [{ id: '1', input: 'in.mov', rows: [] }] };
  expect(requestFromDraft(draft, 'in.mp4')).toEqual({ input: 'in.mov', output: 'in.mp4' });
});

test('a row without a name is not sent yet', () => {
  const rows = [
    { id: '2', name: '', value: '' },
    { id: '3', name: 'map', value: '0:v' },
    { id: '4', name: 'crf', value: '23' },
    { id: '5', name: 'map', value: '0:a' },
  ];
  const draft = {
    ...EMPTY_DRAFT,
    inputs: [{ id: '1', input: 'in.mov', rows: [{ id: '6', name: '', value: '' }] }],
    rows,
  };
  expect(requestFromDraft(draft, 'out.mp4')).toEqual({
    input: 'in.mov',
    output: 'out.mp4',
    parameters: { map: ['0:v', '0:a'], crf: '23' },
  });
});

test('a draft is empty until the user has filled in something', () => {
  const removed = changeDraft(changeDraft(EMPTY_DRAFT, { do: 'add-inputs', paths: ['a.mov'] }), {
    do: 'remove-input',
    id: '1',
  });
  const added = changeDraft(changeDraft(EMPTY_DRAFT, { do: 'add-output' }), { do: 'add-row', list: '' });
  expect([EMPTY_DRAFT, removed, added].map(isEmptyDraft)).toEqual([true, true, true]);
  expect(isEmptyDraft(draftFromRequest({ inputs: [], output: '' }))).toBe(true);
  expect(isEmptyDraft(changeDraft(EMPTY_DRAFT, { do: 'choose-recipe', name: 'gif' }))).toBe(false);
  expect(isEmptyDraft(changeDraft(EMPTY_DRAFT, { do: 'set-others', others: { strict: true } }))).toBe(false);
  expect(isEmptyDraft({ ...EMPTY_DRAFT, sourceRows: [{ id: '1', name: 'r', value: '25' }] })).toBe(false);
});
