import { expect, test } from 'vitest';
import {
  nextPath,
  problemIn,
  retryReason,
  startingItem,
  type UppyFileState,
  uploadItem,
  withStarting,
} from './upload-item.ts';

const FILE: UppyFileState = {
  id: '1',
  meta: { path: 'films/in.mov' },
  size: 100,
  isGhost: false,
  progress: { uploadStarted: null, bytesUploaded: false },
};

test('an upload waits, runs, and is done', () => {
  expect(uploadItem(FILE)).toEqual({ id: '1', path: 'films/in.mov', state: 'waiting', sizeBytes: 100, sentBytes: 0 });
  expect(uploadItem({ ...FILE, progress: { uploadStarted: 1, bytesUploaded: 40 } })).toMatchObject({
    state: 'running',
    sentBytes: 40,
  });
  expect(
    uploadItem({ ...FILE, isGhost: true, progress: { uploadStarted: 1, uploadComplete: true, bytesUploaded: 100 } }),
  ).toMatchObject({ state: 'done', sentBytes: 100 });
});

test('a failed upload says what the service says', () => {
  const problem = { code: 'PRECONDITION_FAILED', detail: 'A file exists at "films/in.mov".' };
  expect(
    uploadItem({ ...FILE, error: 'tus: unexpected response', meta: { path: 'films/in.mov', problem } }),
  ).toMatchObject({ state: 'failed', code: problem.code, message: problem.detail });
  expect(uploadItem({ ...FILE, error: 'No connection' })).toMatchObject({ state: 'failed', message: 'No connection' });
});

test('an upload whose path exists has not failed while the contents are compared', () => {
  const problem = { code: 'PRECONDITION_FAILED', detail: 'A file exists at "films/in.mov".' };
  const stopped = { ...FILE, error: 'tus', meta: { path: 'films/in.mov', problem, isCompared: true } };
  const item = uploadItem(stopped);
  expect([item.state, item.code]).toEqual(['running', 'PRECONDITION_FAILED']);
  expect(uploadItem({ ...stopped, meta: { ...stopped.meta, isCompared: false } }).state).toBe('failed');
});

test('an upload that is tried again says why', () => {
  expect(retryReason(undefined)).toBe('The service cannot be reached.');
  expect(retryReason('{"code":"NO_SPACE","detail":"Delete files."}')).toBe('The disk of the service is nearly full.');
  expect(retryReason('{"code":"UNAVAILABLE","detail":"The service stops."}')).toBe('The service stops.');
  expect(retryReason('<html>')).toBe('The service cannot take the upload now.');
  const meta = { path: 'in.mov', retryReason: 'The service stops.' };
  const progress = { uploadStarted: 1, bytesUploaded: 0 } as const;
  expect(uploadItem({ ...FILE, meta, progress })).toMatchObject({ state: 'running', message: 'The service stops.' });
  expect(uploadItem({ ...FILE, meta, progress: { ...progress, uploadComplete: true } }).message).toBeUndefined();
});

test('after a reload, a file that the browser did not keep has to be chosen again', () => {
  expect(uploadItem({ ...FILE, isGhost: true }).state).toBe('missing');
});

test('the next path has a higher number', () => {
  expect(nextPath('films/in.mov')).toBe('films/in-2.mov');
  expect(nextPath('films/in-2.mov')).toBe('films/in-3.mov');
  expect(nextPath('v1.2/in')).toBe('v1.2/in-2');
});

test('a resolution or a year at the end of a name is not counted on', () => {
  expect(nextPath('film-480.mp4')).toBe('film-480-2.mp4');
  expect(nextPath('trip-2026.mov')).toBe('trip-2026-2.mov');
});

test('a file waits from the moment it is chosen, also one that was uploaded before', () => {
  const starting = [startingItem('in.mov', 100)];
  const done = { ...startingItem('in.mov', 100), id: '1', state: 'done' } as const;
  const running = { ...done, state: 'running' } as const;
  expect(withStarting([], starting)).toEqual([
    { id: 'starting in.mov', path: 'in.mov', state: 'waiting', sizeBytes: 100, sentBytes: 0 },
  ]);
  expect(withStarting([done], starting)).toEqual(starting);
  expect(withStarting([running], starting)).toEqual([running]);
});

test('a reply that is no problem document has no problem', () => {
  expect(problemIn('<html>')).toBeUndefined();
  expect(problemIn('{"code":"NO_SPACE","detail":"The disk is full."}')).toEqual({
    code: 'NO_SPACE',
    detail: 'The disk is full.',
  });
});
