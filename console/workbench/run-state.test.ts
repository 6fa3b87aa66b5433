import { ClientError, type DryRun } from '@telecine/client';
import { expect, test } from 'vitest';
import { type RunFacts, runState } from './run-state.ts';

/** The dry run of a request that can run, with warnings of these codes. */
const planWith = (...codes: DryRun['warnings'][number]['code'][]): RunFacts['checked'] => ({
  plan: {
    argv: [],
    plan: { inputs: [{ name: 'in', path: 'in.mp4' }], outputs: [], passes: 1 },
    warnings: codes.map((code) => ({ field: '/input', code, message: code, fix: '' })),
  },
  error: null,
  isOld: false,
});

const READY: RunFacts = {
  requests: 1,
  checked: planWith(),
  roles: [],
  nameless: 0,
  isUploading: false,
  unreadable: 0,
  isStarting: false,
  failure: null,
};

const rejected = new ClientError('rejected', 'You have used your jobs of today.');

test('a request that was checked can be started, once at a time', () => {
  expect(runState(READY)).toMatchObject({ text: 'Ready.', isBad: false, isReady: true });
  expect(runState({ ...READY, isStarting: true }).isReady).toBe(false);
  expect(runState({ ...READY, requests: 0 }).isReady).toBe(false);
});

test('what is typed and not in force makes the conversion wait', () => {
  expect(runState({ ...READY, waiting: 'The shift is not in force yet.' })).toMatchObject({
    text: 'The shift is not in force yet.',
    isReady: false,
  });
});

test('what is made is said of a request that can run, and not beside words that are not part of it', () => {
  const plan = planWith().plan;
  const outputs = [{ name: 'out', path: 'in-2s-5s.gif', muxer: 'gif', replace: false, files: [], encoders: {} }];
  const checked = { ...planWith(), plan: plan && { ...plan, plan: { ...plan.plan, outputs } } };
  expect(runState({ ...READY, checked })).toMatchObject({ text: 'Ready.', made: 'GIF' });
  expect(runState({ ...READY, checked, unapplied: '"fit" is not applied.' }).made).toBe('');
  expect(runState({ ...READY, checked: { ...checked, isOld: true } }).made).toBe('');
  expect(runState({ ...READY, checked: planWith('OUTPUT_EXISTS') }).made).toBe('');
});

test('a file that the recipe needs is asked for, and an empty argument', () => {
  const missing = (...names: string[]) => {
    const errors = names.map((name) => ({
      field: `/preset/arguments/${name}`,
      ...{ code: 'MISSING', message: '', fix: '' },
    }));
    const problem = {
      type: '',
      title: '',
      status: 400,
      code: 'INVALID_REQUEST',
      detail: '',
      requestId: '',
      errors,
    } as const;
    return { plan: undefined, error: new ClientError('rejected', '', { problem }), isOld: false };
  };
  const textOf = (...names: string[]) =>
    runState({ ...READY, roles: ['film', 'subtitles'], checked: missing(...names) }).text;
  expect(textOf('subtitles')).toBe('Add the subtitles as a source.');
  expect(textOf('fontName')).toBe('Fill in Font name.');
  expect(textOf('subtitles', 'size')).toBe('Add the subtitles as a source, and fill in Size.');
});

test('a request that was rejected is not called ready, and can be submitted again', () => {
  expect(runState({ ...READY, failure: rejected })).toMatchObject({
    text: 'Not started: the service rejected the request.',
    isBad: true,
    isReady: true,
  });
  expect(runState({ ...READY, failure: new ClientError('unreachable', 'No reply.') }).text).toBe(
    'The service did not answer.',
  );
});

test('a request that was not checked can be started or checked again, and is not called wrong', () => {
  const cause = new DOMException('late', 'TimeoutError');
  const late = { plan: undefined, error: new ClientError('unreachable', 'late', { cause }), isOld: false };
  expect(runState({ ...READY, checked: late })).toMatchObject({
    ...{ text: 'Not checked: the service did not reply in time.' },
    ...{ isBad: false, isReady: true, isUnchecked: true },
  });
  const gone = { ...late, error: new ClientError('unreachable', 'gone') };
  expect(runState({ ...READY, checked: gone }).text).toBe('Not checked: the service cannot be reached.');
  const problem = {
    type: 'about:blank',
    requestId: '1',
    title: 'Late',
    status: 422,
    code: 'TIMEOUT',
    detail: 'Late.',
    errors: [{ field: '/input', code: 'TIMEOUT', message: 'Late.' }],
  };
  const slow = { ...late, error: new ClientError('rejected', 'slow', { status: 422, problem }) };
  expect(runState({ ...READY, checked: slow })).toMatchObject({
    ...{ text: 'Not checked: reading the source took too long.' },
    ...{ isBad: false, isReady: true, isUnchecked: true },
  });
  // The submission was rejected for the same reason, and the source may be read the next time.
  expect(runState({ ...READY, checked: slow, failure: rejected })).toMatchObject({
    ...{ text: 'Not started: the service rejected the request.' },
    ...{ isBad: true, isReady: true, isUnchecked: true },
  });
  // The button stays while the request is checked again, so that it keeps the focus.
  expect(runState({ ...READY, checked: { ...late, isOld: true } })).toMatchObject({
    text: 'Checking…',
    isUnchecked: true,
  });
  expect(runState({ ...READY, checked: planWith('INPUT_NOT_READ') })).toMatchObject({
    ...{ text: 'The source was not checked. You can convert anyway.', isReady: true, isUnchecked: true },
  });
  const forbidden = { ...late, error: new ClientError('rejected', 'No.', { status: 403 }) };
  expect(runState({ ...READY, checked: forbidden })).toMatchObject({ isReady: false, isUnchecked: false });
});

test('a job whose source cannot be read is not started', () => {
  expect(runState({ ...READY, checked: planWith('INPUT_INVALID') })).toMatchObject({
    text: 'The source cannot be read. The job would fail.',
    isBad: true,
    isReady: false,
    isToldElsewhere: true,
  });
});

test('a source without a stream that the recipe needs is not called unreadable', () => {
  const checked = planWith('INPUT_INVALID');
  const warnings = checked.plan?.warnings.map((one) => ({ ...one, field: '/preset' })) ?? [];
  const lacking = { ...checked, plan: checked.plan && { ...checked.plan, warnings } };
  expect(runState({ ...READY, checked: lacking })).toMatchObject({
    text: 'The source does not fit this conversion. The job would fail.',
    ...{ isBad: true, isReady: false, isToldElsewhere: true },
  });
});

test('a source that may still come is said, and so is a URL that cannot be read', () => {
  expect(runState({ ...READY, checked: planWith('INPUT_NOT_FOUND') })).toMatchObject({
    text: 'The source does not exist yet.',
    isBad: true,
    isReady: true,
  });
  expect(runState({ ...READY, unreadable: 1 })).toMatchObject({
    text: 'The source cannot be read.',
    isBad: true,
    isReady: true,
  });
});

test('of several sources, the ones that can be read are converted', () => {
  expect(runState({ ...READY, requests: 3, checked: planWith('INPUT_INVALID'), unreadable: 2 })).toMatchObject({
    text: '2 of 3 sources cannot be read. Their jobs would fail.',
    isBad: true,
    isReady: true,
  });
});

test('of several sources, those that cannot run are counted, and the total only if all can', () => {
  const several = { ...READY, requests: 3 };
  expect(runState({ ...several, all: { total: '', failing: 2 } })).toMatchObject({
    text: '2 of 3 sources cannot run.',
    ...{ isBad: true, isReady: true, isToldElsewhere: true },
  });
  expect(runState({ ...several, all: { total: 'about 26 s · 7 MB', failing: 0 } })).toMatchObject({
    ...{ text: 'Ready. All: about 26 s · 7 MB', isBad: false },
  });
  expect(runState(several).text).toBe('Ready. Each source is checked when it starts.');
  expect(runState({ ...several, all: { total: '', failing: 2 }, failure: rejected }).text).toBe(
    'Not started: the service rejected the request.',
  );
});

test('what the person has to do comes before what the service thinks of it', () => {
  const missing = { field: '/preset/arguments/size', code: 'MISSING', message: 'Missing.', fix: '' } as const;
  const error = new ClientError('rejected', 'Invalid.', {
    problem: {
      type: '',
      title: '',
      status: 422,
      code: 'INVALID_REQUEST',
      detail: '',
      requestId: '',
      errors: [missing],
    },
  });
  const checked = { plan: undefined, error, isOld: false };
  expect(runState({ ...READY, checked })).toMatchObject({ text: 'Fill in Size.', isBad: false, isReady: false });
  expect(runState({ ...READY, checked, nameless: 1 })).toMatchObject({ text: '2 fields have errors.', isBad: true });
});

test('what was started cannot be started again, and its own output is not in its way', () => {
  const checked = planWith('OUTPUT_EXISTS');
  expect(runState({ ...READY, checked }).text).toBe('The output exists already.');
  const running = runState({ ...READY, checked, requests: 3, started: 'running' });
  expect(running).toMatchObject({ text: 'Started 3 jobs.', isBad: false, isReady: false });
  expect(runState({ ...READY, checked, started: 'completed' })).toMatchObject({
    text: 'Done. Change something to convert again.',
    isReady: false,
  });
});

test('words that are not applied are said instead of "Ready.", but not instead of what stops a job', () => {
  const unapplied = '"fit in 8 MB" is not applied.';
  expect(runState({ ...READY, unapplied })).toMatchObject({ text: unapplied, isReady: true, isUnapplied: true });
  const checking = { ...planWith(), isOld: true };
  expect(runState({ ...READY, checked: checking, unapplied })).toMatchObject({ text: unapplied, isReady: true });
  expect(runState({ ...READY, requests: 0, unapplied })).toMatchObject({
    text: 'Choose a source first.',
    isUnapplied: false,
  });
  expect(runState({ ...READY, checked: planWith('INPUT_NOT_FOUND'), unapplied })).toMatchObject({
    text: 'The source does not exist yet.',
    isUnapplied: false,
  });
  expect(runState({ ...READY, started: 'running', unapplied })).toMatchObject({ text: 'Started.', isReady: false });
});
