import { expect, test } from 'vitest';
import { EMPTY_DRAFT } from './draft.ts';
import { changeHistory, type DraftHistory, type HistoryChange } from './draft-history.ts';

const after = (...changes: readonly HistoryChange[]): DraftHistory =>
  changes.reduce(changeHistory, { draft: EMPTY_DRAFT } as DraftHistory);
const FILLED: readonly HistoryChange[] = [
  { do: 'add-inputs', paths: ['in.mov'] },
  { do: 'add-row', list: '', name: 'crf', value: '23' },
];

test.for<[change: HistoryChange, text: string]>([
  [{ do: 'start-again' }, 'Cleared the draft.'],
  [{ do: 'open-request', request: { input: 'x', output: 'y.mp4' } }, 'Replaced the draft.'],
  [{ do: 'remove-input', id: '1' }, 'Removed in.mov.'],
  [{ do: 'remove-row', id: '2' }, 'Removed crf.'],
  [{ do: 'remove-output', id: 'output' }, 'Removed an output.'],
])('what %j removes comes back by undo', ([change, text]) => {
  const filled = after(...FILLED);
  const changed = changeHistory(filled, change);
  expect(changed.draft).not.toEqual(filled.draft);
  expect(changed.text).toBe(text);
  expect(changeHistory(changed, { do: 'undo' })).toEqual({ draft: filled.draft });
});

test('after another change, undo changes nothing, so that it loses nothing', () => {
  const history = after(...FILLED, { do: 'remove-row', id: '2' }, { do: 'add-inputs', paths: ['b.mov'] });
  expect(history.before).toBeUndefined();
  expect(changeHistory(history, { do: 'undo' })).toEqual(history);
});

test('an empty draft and an empty row leave nothing to bring back', () => {
  expect(after({ do: 'start-again' }).before).toBeUndefined();
  expect(after({ do: 'add-row', list: '' }, { do: 'remove-row', id: '1' }).before).toBeUndefined();
});

test('what was removed is given up on request', () => {
  expect(after(...FILLED, { do: 'start-again' }, { do: 'keep' })).toEqual({ draft: EMPTY_DRAFT });
});
