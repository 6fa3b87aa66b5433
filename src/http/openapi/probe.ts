import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { mediaInfo, probeBody } from '../../wire/probe.ts';
import { retryAfter } from './headers.ts';
import { json, problems, withBody, withToken } from './responses.ts';

const example = {
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

export const probePaths: ZodOpenApiPathsObject = {
  '/api/probe': {
    post: {
      operationId: 'probeFile',
      tags: ['Files'],
      security: [{ bearer: [] }],
      summary: 'Look into a file',
      description:
        'What ffprobe tells of one file: container, streams, chapters, tags. It runs as conversions do: in the same ' +
        'sandbox, with the same formats, and not for long. The texts in the answer are the file’s own and untrusted. ' +
        'Needs `jobs:read` and `files:read`.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: probeBody, example: { input: 'movies/in.mov' } } },
      },
      responses: {
        200: json('What the file holds.', mediaInfo, example),
        ...withBody,
        ...withToken,
        404: problems(['INPUT_NOT_FOUND']),
        422: problems(['INPUT_INVALID', 'UNSUPPORTED', 'TIMEOUT']),
        429: problems(['RATE_LIMITED'], retryAfter),
        501: problems(['NOT_IMPLEMENTED']),
      },
    },
  },
};
