import { expect, test } from 'vitest';
import { EMPTY_DRAFT } from './draft.ts';
import { changeHistory, type DraftHistory, type HistoryChange, historyOf, openRequest } from './draft-history.ts';
import { requestFromDraft } from './request-from-draft.ts';

const after = (...changes: readonly HistoryChange[]): DraftHistory =>
  changes.reduce(changeHistory, historyOf(EMPTY_DRAFT));
const FILLED: readonly HistoryChange[] = [
  { do: 'add-inputs', paths: ['in.mov'] },
  { do: 'add-row', list: '', name: 'crf', value: '23' },
];
const opened = (history: DraftHistory, input: string): DraftHistory =>
  openRequest(history, { request: { input, output: 'out.mp4' } });
const undone = (history: DraftHistory): DraftHistory => changeHistory(history, { do: 'undo' });
const back = (history: DraftHistory): DraftHistory => changeHistory(history, { do: 'go-back' });
/** What an undo would bring back, by the text of its notice. */
const removal = ({ removed }: DraftHistory): string | undefined => removed?.text;
const hasReplaced = ({ replaced }: DraftHistory): boolean => replaced.length > 0;
const inputOf = ({ draft }: DraftHistory): unknown => requestFromDraft(draft).input;

test.for<[change: HistoryChange, text: string]>([
  [{ do: 'start-again' }, 'Cleared the draft.'],
  [{ do: 'remove-input', id: '1' }, 'Removed in.mov.'],
  [{ do: 'remove-row', id: '2' }, 'Removed crf.'],
  [{ do: 'remove-output', id: 'output' }, 'Removed an output.'],
])('what %j removes comes back by undo', ([change, text]) => {
  const filled = after(...FILLED);
  const changed = changeHistory(filled, change);
  expect(changed.draft).not.toEqual(filled.draft);
  expect(removal(changed)).toBe(text);
  expect(undone(changed)).toEqual(filled);
});

test('several removals in a row come back one after the other', () => {
  const filled = after(...FILLED);
  const first = changeHistory(filled, { do: 'remove-row', id: '2' });
  const second = changeHistory(first, { do: 'remove-input', id: '1' });
  expect(undone(second)).toEqual(first);
  expect(undone(undone(second))).toEqual(filled);
});

test('after another change, undo changes nothing, so that it loses nothing', () => {
  const history = after(...FILLED, { do: 'remove-row', id: '2' }, { do: 'add-inputs', paths: ['b.mov'] });
  expect(removal(history)).toBeUndefined();
  expect(undone(history)).toEqual(history);
});

test('an empty draft and an empty row leave nothing to bring back', () => {
  expect(removal(after({ do: 'start-again' }))).toBeUndefined();
  expect(removal(after({ do: 'add-row', list: '' }, { do: 'remove-row', id: '1' }))).toBeUndefined();
  // What was added and removed again has used ids, and is still empty.
  const emptied = after({ do: 'add-inputs', paths: ['in.mov'] }, { do: 'remove-input', id: '1' }, { do: 'keep' });
  expect(hasReplaced(opened(emptied, 'x.mov'))).toBe(false);
});

test('what was removed is given up on request', () => {
  expect(after(...FILLED, { do: 'start-again' }, { do: 'keep' })).toEqual(historyOf(EMPTY_DRAFT));
});

test('a request that is opened or pasted replaces the draft, which can come back after further changes', () => {
  const filled = after(...FILLED);
  const pasted = changeHistory(filled, { do: 'open-request', request: { input: 'x.mov', output: 'y.mp4' } });
  expect(hasReplaced(pasted)).toBe(true);
  expect(back(pasted).draft).toEqual(filled.draft);
  const changed = changeHistory(opened(filled, 'x.mov'), { do: 'add-inputs', paths: ['more.mov'] });
  const gone = back(changed);
  expect(gone.draft).toEqual(filled.draft);
  // The changed request is not lost either.
  expect(removal(gone)).toBe('Went back to your draft.');
  expect(undone(gone)).toEqual(changed);
  // One that was not changed can be opened again.
  expect(removal(back(opened(filled, 'x.mov')))).toBeUndefined();
});

test('a second request that is opened does not lose the draft of the user', () => {
  const filled = after(...FILLED);
  const second = opened(opened(filled, 'x.mov'), 'y.mov');
  expect(inputOf(second)).toBe('y.mov');
  expect(back(second).draft).toEqual(filled.draft);
  const both = opened(
    changeHistory(opened(filled, 'x.mov'), { do: 'add-row', list: '', name: 'crf', value: '1' }),
    'z.mov',
  );
  expect(inputOf(back(both))).toBe('x.mov');
  expect(back(back(both)).draft).toEqual(filled.draft);
});

test('an undo brings back only what was removed, never a draft that was replaced before', () => {
  const replaced = opened(after(...FILLED), 'x.mov');
  expect(undone(replaced)).toEqual(replaced);
  const removed = changeHistory(replaced, { do: 'remove-input', id: '1' });
  expect(removal(removed)).toBe('Removed x.mov.');
  expect(undone(undone(removed))).toEqual(replaced);
});

test('replaced drafts stay until the user dismisses them, also when the draft is cleared', () => {
  const filled = after(...FILLED);
  const replaced = changeHistory(opened(filled, 'x.mov'), { do: 'add-row', list: '', name: 'crf', value: '1' });
  const cleared = changeHistory(replaced, { do: 'start-again' });
  expect(undone(cleared)).toEqual(replaced);
  const kept = changeHistory(changeHistory(cleared, { do: 'keep' }), { do: 'start-again' });
  expect(back(kept).draft).toEqual(filled.draft);
  const dismissed = changeHistory(cleared, { do: 'dismiss-replaced' });
  expect(hasReplaced(dismissed)).toBe(false);
  // An undo brings back all that was there before the change.
  expect(undone(dismissed)).toEqual(replaced);
});

test('a fix whose reply comes late changes only the draft that it is for', () => {
  const failed = openRequest(after(...FILLED), {
    request: { input: 'x.mov', output: 'out.mp4' },
    mends: { jobId: 'j', message: 'It failed.' },
  });
  const fixed = { ...failed.draft, rows: [{ id: '9', name: 'crf', value: '20' }] };
  const fix: HistoryChange = { do: 'apply-fix', of: failed.draft, fixed };
  expect(changeHistory(failed, fix).draft).toEqual(fixed);
  // The note about the failure was closed meanwhile, and does not come back.
  expect(changeHistory(changeHistory(failed, { do: 'forget-failure' }), fix).draft).not.toHaveProperty('mends');
  const cleared = changeHistory(failed, { do: 'start-again' });
  expect(changeHistory(cleared, fix)).toBe(cleared);
});

test('closing the note about a failed job leaves the undo as it is', () => {
  const mends = { jobId: 'j', message: 'It failed.' };
  const history = openRequest(after(...FILLED), { request: { input: 'x.mov', output: 'out.mp4' }, mends });
  expect(history.draft.mends).toEqual(mends);
  const closed = changeHistory(history, { do: 'forget-failure' });
  expect(closed.draft).not.toHaveProperty('mends');
  expect(closed.isOpened).toBe(true);
  expect(closed.replaced).toEqual(history.replaced);
});

test('the settings of a job are opened for another source, with the options of its source', () => {
  const request = { inputs: [{ input: 'x.mov', parameters: { r: '25' } }], output: 'y.mp4', parameters: { crf: '30' } };
  const next = openRequest(historyOf(EMPTY_DRAFT), { request, isForNextSource: true });
  expect(next.draft.inputs).toEqual([]);
  expect(requestFromDraft(changeHistory(next, { do: 'add-inputs', paths: ['z.mov'] }).draft)).toEqual({
    inputs: [{ input: 'z.mov', parameters: { r: '25' } }],
    output: '',
    parameters: { crf: '30' },
  });
});
