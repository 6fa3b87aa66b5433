import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeDraft } from './change-draft.ts';
import { EMPTY_DRAFT } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { historyOf, openRequest } from './draft-history.ts';
import { requestFromDraft } from './request-from-draft.ts';
import { readHistory, storeHistory } from './stored-draft.ts';

const storage = new Map<string, string>();

beforeEach(() => {
  storage.clear();
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
    },
  });
});

// Remove the window, because other test files of this process have none.
afterEach(() => void vi.unstubAllGlobals());

test('a draft is there again after a reload, without its key', () => {
  const request = {
    inputs: ['a.mp4', { input: 'b.png', duration: '2', parameters: { loop: '1' } }],
    output: 'out.mp4',
    parameters: { 'c:v': 'libx264', map: ['0:v', '1:v'] },
    preset: { name: 'hls', arguments: { segment: 6, loud: true } },
    metadata: { order: 'A-1' },
  };
  storeHistory('me', historyOf(draftFromRequest({ ...request, encrypt: { keyUri: 'https://a/key' } })));
  expect(readHistory('me').draft).toEqual(draftFromRequest(request));
  expect(readHistory('another').draft).toBe(EMPTY_DRAFT);
});

test('after a reload, the draft still runs the job of its client again, encrypted as it was', () => {
  const encrypt = { keyUri: 'https://a/key', iv: '00112233445566778899aabbccddeeff' };
  const retries = { jobId: 'J', client: 'shop' };
  storeHistory('me', openRequest(historyOf(EMPTY_DRAFT), { request: { input: 'a.mov', encrypt }, retries }));
  expect(readHistory('me').draft).toMatchObject({ retries, others: { encrypt } });
});

test('after a reload, the draft that was replaced can still come back, without its key', () => {
  const own = draftFromRequest({ input: 'a.mp4', output: 'b.mp4' });
  const encrypted = { ...own, others: { encrypt: { keyUri: 'https://a/key' } } };
  storeHistory('me', openRequest(historyOf(encrypted), { request: { input: 'x.mp4', output: 'y.mp4' } }));
  expect(storage.get('telecine-workbench:me')).not.toContain('https://a/key');
  expect(readHistory('me')).toEqual({
    draft: draftFromRequest({ input: 'x.mp4', output: 'y.mp4' }),
    replaced: [own],
    isOpened: true,
  });
});

test('after a reload, the draft still says what was not copied from its job', () => {
  const request = { input: 'a.mov', output: 'b.mp4', fallback: { encryption_key: '(hidden)' } };
  storeHistory('me', openRequest(historyOf(EMPTY_DRAFT), { request, isForNextSource: true }));
  expect(readHistory('me').draft.leftOut).toEqual(['fallback']);
});

test('a draft that no form can show takes no other one with it', () => {
  const other = (input: unknown) => ({ request: { input, output: 'out.mp4' } });
  const store = (current: unknown, ...replaced: readonly unknown[]): void => {
    storage.set('telecine-workbench:me', JSON.stringify({ ...other(current), replaced, isOpened: true }));
  };
  const drafts = ['a.mp4', 'b.mp4'].map((input) => draftFromRequest({ input, output: 'out.mp4' }));
  store('a.mp4', other(1), other('b.mp4'), null);
  expect(readHistory('me')).toEqual({ draft: drafts[0], replaced: [drafts[1]], isOpened: true });
  store(1, other('b.mp4'));
  expect(readHistory('me')).toEqual({ draft: EMPTY_DRAFT, replaced: [drafts[1]], isOpened: false });
});

test('after a reload, the next source still gets the options of the last one', () => {
  const request = { inputs: [{ input: 'a.mp4', parameters: { r: '25' } }], output: 'b.mp4' };
  storeHistory('me', openRequest(historyOf(EMPTY_DRAFT), { request, isForNextSource: true }));
  const next = changeDraft(readHistory('me').draft, { do: 'add-inputs', paths: ['c.mp4'] });
  expect(requestFromDraft(next)).toMatchObject({ inputs: [{ input: 'c.mp4', parameters: { r: '25' } }] });
});

test.each([
  'no JSON',
  'null',
  '{"request":{"inputs":[1]}}',
  '{"request":{"parameters":{"crf":23}}}',
  '{"request":{},"combination":"x"}',
])('a stored draft that no form can show is dropped: %s', (json) => {
  storage.set('telecine-workbench:me', json);
  expect(readHistory('me').draft).toBe(EMPTY_DRAFT);
});
