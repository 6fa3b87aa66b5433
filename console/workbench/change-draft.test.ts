import { expect, test } from 'vitest';
import { type Change, changeDraft, SHARED } from './change-draft.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { hiddenPartMessages, leftOutText } from './hidden-parts.ts';
import { requestFromDraft } from './request-from-draft.ts';

const requestAfter = (...changes: readonly Change[]) =>
  requestFromDraft(changes.reduce(changeDraft, EMPTY_DRAFT), 'out.mp4');

const VIDEOS: Change = { do: 'add-inputs', paths: ['a.mov', 'b.mov'] };

test('inputs are added, moved and removed', () => {
  expect(requestAfter(VIDEOS)).toEqual({ inputs: ['a.mov', 'b.mov'], output: 'out.mp4' });
  expect(requestAfter(VIDEOS, { do: 'move-input', id: '2', by: -1 })).toMatchObject({ inputs: ['b.mov', 'a.mov'] });
  expect(requestAfter(VIDEOS, { do: 'move-input', id: '2', by: 1 })).toMatchObject({ inputs: ['a.mov', 'b.mov'] });
  expect(requestAfter(VIDEOS, { do: 'remove-input', id: '1' })).toEqual({ input: 'b.mov', output: 'out.mp4' });
});

test('an option is added to the request, to an input or to an output', () => {
  expect(
    requestAfter(
      VIDEOS,
      { do: 'add-row', list: SHARED, name: 'crf' },
      { do: 'change-row', id: '3', row: { value: '23' } },
      { do: 'add-row', list: '1', name: 'ss', value: '2' },
      { do: 'add-row', list: 'output', name: 'map', value: '0:v' },
    ),
  ).toEqual({
    inputs: [{ input: 'a.mov', parameters: { ss: '2' } }, 'b.mov'],
    outputs: [{ output: 'out.mp4', parameters: { map: '0:v' } }],
    parameters: { crf: '23' },
  });
  expect(requestAfter({ do: 'add-row', list: SHARED, name: 'crf' }, { do: 'remove-row', id: '1' })).not.toHaveProperty(
    'parameters',
  );
});

test('an option is set once in its list, and removed again', () => {
  const set = (value: string | undefined): Change => ({ do: 'set-option', list: '1', name: 'ss', value });
  const all = { do: 'add-row', list: SHARED, name: 'ss', value: '7' } as const;
  expect(requestAfter(VIDEOS, all, set('2'), set('3'))).toMatchObject({
    inputs: [{ input: 'a.mov', parameters: { ss: '3' } }, 'b.mov'],
    parameters: { ss: '7' },
  });
  expect(requestAfter(VIDEOS, set('2'), set(undefined))).toMatchObject({ inputs: ['a.mov', 'b.mov'] });
  const twice = { do: 'add-row', list: '1', name: 'ss', value: '1' } as const;
  expect(requestAfter(VIDEOS, twice, twice, set('3'))).toMatchObject({
    inputs: [{ parameters: { ss: '3' } }, 'b.mov'],
  });
});

test('an argument that is emptied is left out, and another recipe begins without arguments', () => {
  const chosen: Change = { do: 'choose-recipe', name: 'web-h264' };
  expect(requestAfter(chosen, { do: 'set-argument', name: 'height', value: 720 }).preset).toEqual({
    name: 'web-h264',
    arguments: { height: 720 },
  });
  const emptied: Change = { do: 'set-argument', name: 'height', value: undefined };
  expect(requestAfter(chosen, emptied).preset).toEqual({ name: 'web-h264', arguments: {} });
  expect(requestAfter(chosen, emptied, { do: 'choose-recipe', name: 'gif' }).preset).toEqual({ name: 'gif' });
  expect(requestAfter(chosen, { do: 'choose-recipe', name: undefined })).not.toHaveProperty('preset');
});

test('a duration that is emptied makes an input a plain file again', () => {
  expect(
    requestAfter(
      { do: 'add-inputs', paths: ['a.png'] },
      { do: 'change-input', id: '1', input: { duration: '2' } },
      { do: 'change-input', id: '1', input: { duration: undefined } as object },
    ),
  ).toEqual({ input: 'a.png', output: 'out.mp4' });
});

test('the fix of an option changes its row, and nothing else', () => {
  expect(
    requestAfter(
      VIDEOS,
      { do: 'add-row', list: SHARED, name: 'tune', value: 'flm' },
      { do: 'apply-patch', patch: [{ op: 'replace', path: '/parameters/tune', value: 'film' }] },
    ),
  ).toEqual({ inputs: ['a.mov', 'b.mov'], output: 'out.mp4', parameters: { tune: 'film' } });
});

test('another source gets the settings of the last one, and nothing that was only for that one', () => {
  const done: readonly Change[] = [
    { do: 'add-inputs', paths: ['a.mov'] },
    { do: 'add-row', list: '1', name: 'ss', value: '2' },
    { do: 'add-row', list: SHARED, name: 'crf', value: '30' },
    { do: 'add-row', list: SHARED, name: 'y' },
    { do: 'change-output', id: 'output', output: { output: 'mine.mp4', format: 'mp4' } },
    {
      do: 'set-others',
      others: {
        after: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11'],
        metadata: { order: '1' },
        llmId: 'model',
        strict: true,
      },
    },
  ];
  expect(requestAfter(...done, { do: 'next-source' }, { do: 'add-inputs', paths: ['b.mov'] })).toEqual({
    inputs: [{ input: 'b.mov', parameters: { ss: '2' } }],
    output: 'out.mp4',
    format: 'mp4',
    parameters: { crf: '30' },
    strict: true,
  });
});

test('another source is not a retry of the job whose request was mended, and does not report to its callback', () => {
  const request = { input: 'a.mov', output: 'b.mp4', callbackUrl: 'https://shop.example/hook?(hidden)', strict: true };
  const retry = { ...draftFromRequest(request), retries: { jobId: 'j', client: 'shop' } };
  const fixed = changeDraft(retry, { do: 'apply-patch', patch: [] });
  expect(fixed.retries).toEqual(retry.retries);
  expect(requestFromDraft(fixed)).toEqual(request);
  const next = changeDraft(fixed, { do: 'next-source' });
  expect(next).not.toHaveProperty('retries');
  expect(next.others).toEqual({ strict: true });
});

test('the retry of a job that was deleted meanwhile becomes a new job, without a callback that is not whole', () => {
  const whole = { input: 'a.mov', output: 'b.mp4', callbackUrl: 'https://shop.example/hook' };
  for (const [callbackUrl, kept] of [
    ['https://shop.example/hook?(hidden)', undefined],
    [whole.callbackUrl, whole.callbackUrl],
  ] as const) {
    const retry = { ...draftFromRequest({ ...whole, callbackUrl }), retries: { jobId: 'j' } };
    const forgotten = changeDraft(retry, { do: 'forget-retry' });
    expect(forgotten).not.toHaveProperty('retries');
    expect(forgotten.leftOut).toEqual(kept === undefined ? ['callback'] : undefined);
    expect(requestFromDraft(forgotten).callbackUrl).toBe(kept);
  }
});

test('a draft that stops being a retry waits for no jobs, and has no fallback without its keys', () => {
  const fallback = { 'c:v': 'libx264', encryption_key: '(hidden)' };
  const own = { fallback: { 'c:v': 'libx264' } };
  const request = {
    input: 'a.mov',
    outputs: [
      { output: 'b.mp4', fallback },
      { output: 'c.mp4', ...own },
    ],
    parameters: { 'c:v': 'h264_nvenc', encryption_key: '(hidden)' },
    after: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11'],
    strict: true,
  };
  const retry = { ...draftFromRequest({ ...request, fallback }), retries: { jobId: 'j' } };
  const { after: _, ...rest } = request;
  expect(requestFromDraft(changeDraft(retry, { do: 'forget-retry' }))).toEqual({
    ...rest,
    outputs: [{ output: 'b.mp4' }, { output: 'c.mp4', ...own }],
  });
  expect(requestFromDraft(retry)).toEqual({ ...request, fallback });
  const next = changeDraft(retry, { do: 'next-source' });
  expect(next.others).toEqual({ strict: true });
  expect(next.outputs.map((output) => output.fallback)).toEqual([undefined, own.fallback]);
});

test('a draft says that a fallback with a key was not copied, until the user closes the note', () => {
  const fallback = { 'c:v': 'libx264', encryption_key: '(hidden)' };
  const ofOutput = { input: 'a.mov', outputs: [{ output: 'b.mp4', fallback }] };
  const shared = { input: 'a.mov', output: 'b.mp4', fallback, callbackUrl: 'https://shop.example/hook?(hidden)' };
  for (const [request, leftOut] of [
    [ofOutput, ['fallback']],
    [shared, ['fallback', 'callback']],
  ] as const) {
    const next = changeDraft(draftFromRequest(request), { do: 'next-source' });
    expect(next.leftOut).toEqual(leftOut);
    // It stays when the draft changes, also by a patch, and when the next source is chosen.
    const patched = changeDraft(next, { do: 'apply-patch', patch: [{ op: 'add', path: '/strict', value: true }] });
    expect(changeDraft(patched, { do: 'next-source' }).leftOut).toEqual(leftOut);
    expect(changeDraft(patched, { do: 'forget-left-out' })).not.toHaveProperty('leftOut');
  }
  expect(leftOutText(['fallback', 'callback'])).toBe(
    'Not copied from the job: its `fallback`, which has a key or password, and its `callbackUrl`, a part of which is hidden. The page does not get these. Add them to the exported request, if the new job needs them.',
  );
  const whole = draftFromRequest({
    ...shared,
    fallback: { 'c:v': 'libx264' },
    callbackUrl: 'https://shop.example/hook',
  });
  expect(changeDraft(whole, { do: 'next-source' })).not.toHaveProperty('leftOut');
});

test('the keys of the last job are asked for at their options, also of the next source', () => {
  const request = {
    inputs: [{ input: 'https://shop.example/a.mov?(hidden)', parameters: { decryption_key: '(hidden)', ss: '2' } }],
    outputs: [{ output: 'b (hidden).mp4', parameters: { encryption_key: '(hidden)' } }],
    parameters: { segment_format_options: 'brand=isom:encryption_key=(hidden)', metadata: 'title=(hidden)' },
  };
  const askedOf = (draft: Draft): readonly string[] =>
    hiddenPartMessages(draft).map(([id, { message }]) => {
      const rows = [draft, ...draft.inputs, ...draft.outputs].flatMap((list) => list.rows);
      const { name = 'a source' } = rows.find((row) => row.id === id) ?? {};
      return `${name}: ${message}`;
    });
  const key = 'This key or password is not copied into a new job.';
  const opened = draftFromRequest(request);
  expect(askedOf(opened)).toEqual([
    'a source: The hidden part of this URL is not copied into a new job.',
    `segment_format_options: ${key}`,
    `decryption_key: ${key}`,
    `encryption_key: ${key}`,
  ]);
  const next = changeDraft(changeDraft(opened, { do: 'next-source' }), { do: 'add-inputs', paths: ['(hidden).mov'] });
  expect(askedOf(next)).toEqual([`segment_format_options: ${key}`, `decryption_key: ${key}`, `encryption_key: ${key}`]);
  const entered = next.outputs.flatMap(({ rows }) => rows).map(({ id }) => id);
  const filled = entered.reduce(
    (draft, id) => changeDraft(draft, { do: 'change-row', id, row: { value: '00' } }),
    next,
  );
  expect(askedOf(filled)).toHaveLength(2);
});

test('a fix keeps the failure that it mends in sight, until the user closes it', () => {
  const mends = { jobId: 'j', message: 'It failed.' };
  const opened = { ...changeDraft(EMPTY_DRAFT, { do: 'add-row', list: SHARED, name: 'crf', value: '99' }), mends };
  const fixed = changeDraft(opened, {
    do: 'apply-patch',
    patch: [{ op: 'replace', path: '/parameters/crf', value: '23' }],
  });
  expect(fixed.mends).toEqual(mends);
  expect(changeDraft(fixed, { do: 'forget-failure' })).not.toHaveProperty('mends');
});
