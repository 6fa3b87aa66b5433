import { z } from 'zod';
import { FIRST_LISTED, type Measurement } from '../../domain/analysis.ts';
import { acceptedSchema } from '../accepted.ts';
import { analysisBody, measuredListName, measuredListQuery, measuredListSchema } from '../analysis.ts';
import { jobSchema } from '../job.ts';
import { jobId } from '../job-id.ts';
import { mediaInfoSchema, probeBody } from '../probe.ts';
import { idempotencyKey } from './conversions.ts';
import { ACCEPTED_EXAMPLE, EXAMPLE_JOB_ID } from './examples.ts';
import { jsonBody, jsonReply, type Operations, token } from './operation.ts';
import { jobLocationHeader, prefer, preferenceApplied } from './problem-replies.ts';

const MEASURE: Measurement[] = ['loudness', 'silence'];

const ANALYZED_EXAMPLE = {
  jobId: EXAMPLE_JOB_ID,
  status: 'COMPLETED',
  message: 'The analysis is complete.',
  progress: 100,
  input: 'movies/in.mov',
  analysis: { measure: MEASURE },
  client: 'admin',
  attempt: 1,
  maxAttempts: 3,
  createdAt: '2026-01-31T12:00:00.000Z',
  startedAt: '2026-01-31T12:00:01.000Z',
  completedAt: '2026-01-31T12:00:04.000Z',
  measurements: {
    loudness: { integratedLufs: -23.1, rangeLu: 5.2, truePeakDbtp: -3.4 },
    silence: { count: 1, totalSeconds: 2, intervals: [{ start: 3, end: 5 }] },
  },
  links: {
    self: `/api/conversion/${EXAMPLE_JOB_ID}`,
    log: `/api/conversion/${EXAMPLE_JOB_ID}/log`,
    retry: `/api/conversion/${EXAMPLE_JOB_ID}/retry`,
  },
};

export const ANALYSIS_OPERATIONS = {
  analyzeFile: {
    tag: 'Files',
    summary: 'Analyze a file',
    description:
      'Stores a job that measures a file: loudness, silence, black or frozen video, scene changes, black borders, ' +
      'interlacing, bit rate, quality against a reference. It runs as a conversion does, and its results are in ' +
      '`measurements` of the job. With `Prefer: wait=SECONDS`, the reply is delayed until the job has ended (200, the job) ' +
      'or the time is over (202).',
    access: token('jobs:write', 'files:read'),
    audit: { action: 'job.submit', target: 'new job' },
    body: jsonBody(analysisBody, { input: 'movies/in.mov', measure: MEASURE }),
    headers: z.object({ ...prefer, 'Idempotency-Key': idempotencyKey }),
    limit: 'submissions',
    replies: {
      200: jsonReply('With `Prefer: wait`: the job, which has ended.', jobSchema, ANALYZED_EXAMPLE, preferenceApplied),
      202: jsonReply('The job is stored and queued.', acceptedSchema, ACCEPTED_EXAMPLE, jobLocationHeader),
    },
    problems: ['IDEMPOTENCY_CONFLICT', 'QUOTA_EXCEEDED'],
  },
  listMeasured: {
    tag: 'Files',
    summary: 'List what an analysis has found',
    description: `Lists all entries of one measurement; the job itself has the first ${FIRST_LISTED}. The list does not change.`,
    access: token('jobs:read'),
    params: z.object({ jobId, list: measuredListName }),
    query: measuredListQuery,
    replies: {
      200: jsonReply('One page.', measuredListSchema, {
        list: 'silence',
        count: 1450,
        entries: [{ start: 3, end: 5 }],
        nextCursor: 'YWZ0ZXIgMTAw',
      }),
    },
    problems: ['JOB_NOT_FOUND', 'JOB_NOT_FINISHED', 'NOT_FOUND'],
  },
} satisfies Operations;

const MEDIA_INFO_EXAMPLE = {
  format: {
    names: ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'],
    description: 'QuickTime / MOV',
    durationSeconds: 30.022,
    startSeconds: 0,
    sizeBytes: 4_139_823,
    bitRate: 1_103_143,
    score: 100,
    tags: { major_brand: 'isom' },
  },
  streams: [
    {
      index: 0,
      type: 'video',
      codec: 'h264',
      codecTag: 'avc1',
      profile: 'High',
      level: 30,
      durationSeconds: 30,
      bitRate: 906_282,
      frameCount: 720,
      timeBase: '1/12288',
      disposition: ['default'],
      width: 854,
      height: 480,
      frameRate: 24,
      frameRateExact: '24/1',
      pixelFormat: 'yuv420p',
      fieldOrder: 'progressive',
      isAttachedPicture: false,
      tags: { language: 'und' },
    },
  ],
  chapters: [],
};

export const PROBE_OPERATIONS = {
  probeFile: {
    tag: 'Files',
    summary: 'Probe a file',
    description:
      'Returns what ffprobe reports about one file: container, streams, chapters and tags. ffprobe runs in the same ' +
      'sandbox and allows the same formats as a conversion, with a short timeout. The texts in the reply come from the ' +
      'file: do not trust them. A URL also needs the scope `jobs:write`.',
    access: token('jobs:read', 'files:read'),
    body: jsonBody(probeBody, { input: 'movies/in.mov' }),
    limit: 'probes',
    replies: { 200: jsonReply('The contents of the file.', mediaInfoSchema, MEDIA_INFO_EXAMPLE) },
    problems: ['INPUT_NOT_FOUND', 'INPUT_INVALID', 'INPUT_UNAVAILABLE', 'UNSUPPORTED', 'TIMEOUT', 'NOT_IMPLEMENTED'],
  },
} satisfies Operations;
