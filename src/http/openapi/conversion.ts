import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { accepted } from '../../wire/accepted.ts';
import { conversionBody } from '../../wire/conversion.ts';
import { dryRun } from '../../wire/dry-run.ts';
import { submitQuery } from '../../wire/queries.ts';
import { acceptedExample, conversion } from './examples.ts';
import { location, rateLimit } from './headers.ts';
import { json, problems, withBody, withQueue, withToken } from './responses.ts';

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/)
  .optional()
  .meta({
    description: 'The same key and body within 24 hours: the same job again. Another body: 409.',
    examples: ['7d9f2f3e-0d0a-4c0c-9a2b-5f0f0a3c1b77'],
  });

export const dryRunExample = {
  argv: [['ffmpeg', '-i', 'file:in/0.mov', '-t', '5', '-to', '6', '-f', 'mp4', 'file:out/out.mp4']],
  plan: {
    inputs: [{ name: 'in/0.mov', path: 'movies/in.mov' }],
    output: { name: 'out/out.mp4', path: 'movies/out.mp4', muxer: 'mp4', replace: false },
    encoders: { video: ['libx264'], audio: ['aac'] },
    passes: 1,
  },
  warnings: [
    {
      field: '/parameters/to',
      code: 'NO_EFFECT',
      message: '"t" and "to" both say where the output ends; ffmpeg goes by "t".',
      fix: 'Leave one of them out.',
    },
  ],
};

/** What is common to all doors for a conversion. */
export const submission = {
  security: [{ bearer: [] }],
  requestParams: { query: submitQuery, header: z.object({ 'Idempotency-Key': idempotencyKey }) },
  responses: {
    200: json('With `dryRun=true`: what would run.', dryRun, dryRunExample, rateLimit),
    202: json('The job is stored and waits for its turn.', accepted, acceptedExample, { ...location, ...rateLimit }),
    ...withBody,
    ...withToken,
    ...withQueue,
    409: problems(['IDEMPOTENCY_CONFLICT']),
  },
} satisfies Partial<ZodOpenApiOperationObject>;

export const conversionPaths: ZodOpenApiPathsObject = {
  '/api/conversion': {
    post: {
      ...submission,
      operationId: 'submitConversion',
      tags: ['Conversions'],
      summary: 'Submit a conversion',
      description:
        'Stores a job and answers at once; the conversion runs in the background. A missing input fails the job ' +
        'later, an existing output too, unless `parameters` holds `"y": ""`. Where a key of the body stands twice, ' +
        'the last one counts. Needs the scope `jobs:write`.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: conversionBody, example: conversion } },
      },
    },
  },
};
