import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Failure, JobFailed } from '../../packages/contract/src/domain/failure.ts';
import {
  askOperator,
  type HintAction,
  hint,
  READ_JOB_LOG,
  RETRY_JOB,
} from '../../packages/contract/src/domain/hint.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { httpHint } from '../../packages/contract/src/wire/hint-text.ts';
import { jobView } from '../../packages/contract/src/wire/job-view.ts';
import { problemView } from '../../packages/contract/src/wire/problem-view.ts';
import { outputsToOpen } from '../../packages/service/src/files/job-outputs.ts';
import { probeFile } from '../../packages/service/src/jobs/probe.ts';
import { probeReads } from '../../packages/service/src/jobs/probe-cache.ts';
import { summarizeJob } from '../../packages/service/src/mcp/results/job-summary.ts';
import { modelHint } from '../../packages/service/src/mcp/results/model-hint.ts';
import { toolError } from '../../packages/service/src/mcp/results/tool-error.ts';
import { recordedCapabilities } from '../support/capabilities.ts';
import { JOB_ID, jobOf } from '../support/http-fakes.ts';
import { mediaRoot } from '../support/media-root.ts';
import { errorsOf, requestWith } from '../support/planning.ts';

const caller = { clientId: 'alice', scopes: [], root: mediaRoot('/srv/media'), policy: {} } as const;

/** Texts that are useless to a model: it cannot send HTTP requests, and no tool retries a job. */
const ONLY_HTTP = /\/api\/|\b(GET|POST|DELETE) \/|run the job again/i;

const ACTIONS: readonly HintAction[] = [
  { do: 'search-capabilities', kind: 'codecs', use: 'encode' },
  { do: 'search-capabilities', kind: 'options' },
  { do: 'list-capabilities', kind: 'filters' },
  { do: 'show-capability', kind: 'filters', name: 'scale' },
  { do: 'list-files' },
  { do: 'read-job-log', jobId: JOB_ID },
  RETRY_JOB,
  { do: 'repeat-request' },
  askOperator('check the memory'),
];

test('HTTP clients get requests to send', () => {
  expect(ACTIONS.map((action) => httpHint([action]))).toEqual([
    'GET /api/capabilities/codecs?use=encode&q=WORDS',
    'GET /api/capabilities/options?q=WORDS',
    'GET /api/capabilities/filters',
    'GET /api/capabilities/filters/scale',
    'GET /api/files',
    `GET /api/conversion/${JOB_ID}/log`,
    'Run the job again',
    'Send the request again',
    'Ask the operator to check the memory',
  ]);
});

test('models get tools to call', () => {
  expect(ACTIONS.map((action) => modelHint([action]))).toEqual([
    'Call find_capability with {"kind": "codecs", "use": "output", "query": WORDS}',
    'Call find_capability with {"kind": "options", "query": WORDS}',
    'Call find_capability with {"kind": "filters"}',
    'Call find_capability with {"kind": "filters", "name": "scale"}',
    'Call list_files',
    `Call wait_for_job with {"jobId": "${JOB_ID}", "timeoutSeconds": 0} for the reason`,
    'Call convert_media again',
    'Call the tool again',
    'Ask the operator to check the memory',
  ]);
});

test('a model without the scope of a tool is told what its user can do', () => {
  const texts = ACTIONS.map((action) => modelHint([action], () => false));
  expect(texts.join()).not.toMatch(/[a-z]_[a-z]/);
  expect(texts[6]).toBe('Ask the user to convert again');
  expect(modelHint(hint`${READ_JOB_LOG} for details.`)).toBe('Ask the user for the log of the job for details.');
});

test('a hint without actions reads the same for everyone', () => {
  for (const words of [httpHint, modelHint]) {
    expect(words('Send "crf".')).toBe('Send "crf".');
    expect(words(hint`Check the path, then ${RETRY_JOB}.`)).toMatch(/^Check the path, then [a-z]/);
  }
});

const problemOf = async (work: () => unknown): Promise<Problem> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

const capabilities = recordedCapabilities();
const search = { limit: 10, from: 0 };

/** Each failure that a probe reports. */
const failedProbe = (failure: Failure) =>
  problemOf(() =>
    probeFile(
      {
        media: {
          statPaths: async () => [{ kind: 'file', fileId: '1', fingerprint: '1' }],
          isCopied: () => false,
          removeInput: async () => {},
          stageFile: async () => {
            throw new JobFailed(failure);
          },
        },
        prober: async () => Promise.reject(new Error('not reached')),
        probeSlots: (_client, _signal, work) => work(),
        fetchSlots: (_client, _signal, work) => work(),
        copySlots: (_client, _signal, work) => work(),
        openSlots: (_client, _signal, work) => work(),
        quotas: { ofFiles: (_client, work) => work(), ofUrls: (_client, work) => work() },
        ...{ probeSeconds: 1, reads: probeReads(1) },
      },
      caller,
      { input: 'a.mp4' },
      AbortSignal.timeout(10_000),
    ),
  );

const planErrors = (vf: string): Problem => {
  const errors = errorsOf(requestWith({ vf }));
  if (errors.length === 0) throw new Error(`${vf} was accepted`);
  return new Problem('INVALID_REQUEST', 'Wrong.', { errors });
};

describe('hints of all sources', () => {
  const cases: readonly (readonly [string, () => Promise<Problem>])[] = [
    ['an unknown format', () => problemOf(() => capabilities.format('qqqqqq'))],
    ['an unknown codec', () => problemOf(() => capabilities.codec('qqqqqq'))],
    ['an unknown filter', () => problemOf(() => capabilities.filter('qqqqqq'))],
    ['a rejected filter', () => problemOf(() => capabilities.filter('movie'))],
    ['an unknown option', () => problemOf(() => capabilities.option('qqqqqq'))],
    ...(['encoder', 'decoder', 'format', 'inputFormat', 'filter', 'bsf'] as const).map(
      (owner) =>
        [
          `options of an unknown ${owner}`,
          () => problemOf(() => capabilities.options({ ...search, [owner]: 'qqqqqq' })),
        ] as const,
    ),
    ['an unknown filter in a filtergraph', async () => planErrors('qqqqqq')],
    ['a rejected filter in a filtergraph', async () => planErrors('movie=a.mp4')],
    ['an unknown filter option', async () => planErrors('scale=qqqqqq=1')],
    [
      'a job without output',
      () =>
        problemOf(() =>
          outputsToOpen(
            {
              store: {} as never,
              jobs: {
                get: async () => jobOf({ status: 'FAILED' }),
                rootOf: async () => mediaRoot('/srv/media'),
              } as never,
            },
            caller,
            JOB_ID,
          ),
        ),
    ],
    [
      'a probe of a replaced file',
      () => failedProbe({ code: 'INPUT_INVALID', message: 'It was replaced.', fix: hint`${RETRY_JOB}.` }),
    ],
    [
      'a probe of a missing file',
      () =>
        failedProbe({
          code: 'INPUT_NOT_FOUND',
          message: 'It is missing.',
          fix: hint`Put it there, then ${RETRY_JOB}.`,
        }),
    ],
  ];

  test.each(cases)('no HTTP path reaches a model: %s', async (_what, produce) => {
    const problem = await produce();
    expect(JSON.stringify(toolError(problem))).not.toMatch(ONLY_HTTP);
  });

  test.each(cases)('a REST reply contains only text: %s', async (_what, produce) => {
    const { detail, errors = [] } = problemView(await produce(), 'r');
    for (const text of [detail, ...errors.map(({ fix }) => fix)])
      if (text !== undefined) expect(text).toMatch(/^[^[{]/);
  });
});

test('REST texts keep their paths', async () => {
  const unknown = problemView(await problemOf(() => capabilities.filter('qqqqqq')), 'r');
  expect(unknown.detail).toBe(
    'The installed ffmpeg has no filter "qqqqqq". Search for another: GET /api/capabilities/filters?q=WORDS.',
  );
  expect(unknown.errors?.[0]?.fix).toEqual('Search for another: GET /api/capabilities/filters?q=WORDS.');
});

test('a probe suggests to send the request again, and never to retry a job', async () => {
  const failure = { code: 'INPUT_INVALID', message: 'It was replaced.', fix: hint`${RETRY_JOB}.` } as const;
  const problem = problemView(await failedProbe(failure), 'r');
  expect(problem.errors?.[0]?.fix).toEqual('Send the request again.');
});

test('shows the failure of a job for each kind of client, also one stored as plain text', () => {
  const failed = (fix: Failure['fix'] & {}) =>
    jobOf({ status: 'FAILED', error: { code: 'STORAGE_FAULT', message: 'The storage failed.', fix } });
  // The failure as a store returns it, after a round trip through JSON.
  const stored = JSON.parse(JSON.stringify(failed(hint`Free some space; then ${RETRY_JOB}.`)));
  expect(jobView(stored).error?.fix).toEqual('Free some space; then run the job again.');
  expect(summarizeJob(stored)).toMatchObject({
    next: 'Free some space; then call convert_media again.',
    error: { fix: 'Free some space; then call convert_media again.' },
  });
  const older = failed('Run the job again.');
  expect(jobView(older).error?.fix).toEqual('Run the job again.');
  expect(summarizeJob(older).error?.fix).toEqual('Run the job again.');
});

test('no text of a use case or engine contains an HTTP request', () => {
  const src = resolve(import.meta.dirname, '../../packages');
  const found = globSync('{contract/src/domain,ffmpeg/src,service/src/{files,jobs,media}}/**/*.ts', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .filter(
          (line) =>
            /['"`].*(\b(GET|POST|PUT|DELETE) \/|run the job again)/i.test(line) && !/^\s*(\/?\*|\/\/)/.test(line),
        )
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
