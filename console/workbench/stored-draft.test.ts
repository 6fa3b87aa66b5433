import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EMPTY_DRAFT } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { readDraft, storeDraft } from './stored-draft.ts';

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
  storeDraft('me', draftFromRequest({ ...request, encrypt: { keyUri: 'https://a/key' } }));
  expect(readDraft('me')).toEqual(draftFromRequest(request));
  expect(readDraft('another')).toBe(EMPTY_DRAFT);
});

test.each([
  'no JSON',
  'null',
  '{"request":{"inputs":[1]}}',
  '{"request":{"parameters":{"crf":23}}}',
  '{"request":{},"combination":"x"}',
])('a stored draft that no form can show is dropped: %s', (json) => {
  storage.set('telecine-workbench:me', json);
  expect(readDraft('me')).toBe(EMPTY_DRAFT);
});
