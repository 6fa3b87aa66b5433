import { z } from 'zod';
import { acceptedSchema } from '../accepted.ts';
import { commandBody, readCommandSchema } from '../command.ts';
import { conversionBody, llmConversionBody } from '../conversion.ts';
import { text } from '../described-schemas.ts';
import { dryRunSchema } from '../dry-run.ts';
import { flag } from '../paging.ts';
import { ACCEPTED_EXAMPLE, EXAMPLE_CONVERSION } from './examples.ts';
import { jsonBody, jsonReply, type Operations, token } from './operation.ts';
import { jobLocationHeader } from './problem-replies.ts';

export const DRY_RUN_EXAMPLE = {
  argv: [['ffmpeg', '-i', 'file:in/0.mov', '-t', '5', '-q:v', '2', '-f', 'mp4', 'file:out/out.mp4']],
  plan: {
    inputs: [{ name: 'in/0.mov', path: 'movies/in.mov' }],
    outputs: [
      {
        name: 'out/out.mp4',
        path: 'movies/out.mp4',
        muxer: 'mp4',
        replace: false,
        files: [['movies/out.mp4']],
        encoders: { video: ['libx264'], audio: ['aac'] },
      },
    ],
    passes: 1,
  },
  estimate: {
    outputs: [
      { durationSeconds: 5, sizeBytes: { low: 340000, likely: 645000, high: 1220000 }, basis: ['defaults', 'bitRate'] },
    ],
    time: { seconds: { low: 0.7, likely: 1.1, high: 1.7 }, basis: 'jobs' },
  },
  warnings: [
    {
      field: '/parameters/q:v',
      code: 'NO_EFFECT',
      message: '"q:v" has no effect: libx264 ignores it.',
      fix: 'Leave it out. "crf" sets the quality of libx264.',
    },
  ],
};

export const idempotencyKey = text(
  'A unique string for this conversion, such as a UUID. Within 24 hours, a request with the same key and the same ' +
    'body returns the same job. A request with the same key and another body gets 409.',
)
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/)
  .optional();

/** The parts that the operations which submit one conversion share. */
export const submission = {
  query: z.strictObject({ dryRun: flag('`true`: only check the request and return the plan. Nothing is queued.') }),
  headers: z.object({ 'Idempotency-Key': idempotencyKey }),
  limit: 'submissions',
  problems: ['IDEMPOTENCY_CONFLICT', 'QUOTA_EXCEEDED', 'INPUT_UNAVAILABLE', 'TIMEOUT'],
} as const;

/** The sample has neither `dryRun` nor `Idempotency-Key`. With a copied key, the service would return the first job again. */
const SUBMIT_SAMPLE = `curl http://127.0.0.1:8080/api/conversion \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(EXAMPLE_CONVERSION)}'`;

const ACCEPTED = jsonReply('The job is stored and queued.', acceptedSchema, ACCEPTED_EXAMPLE, jobLocationHeader);

const version = z.literal('2.0');
const id = z.union([z.string(), z.number()]);

/** A message of an MCP client. The protocol defines its content. */
const rpcMessage = z
  .looseObject({
    jsonrpc: version,
    id: id.optional(),
    method: z
      .string()
      .optional()
      .meta({ examples: ['tools/call'] }),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A message of the Model Context Protocol (JSON-RPC 2.0).' });

const rpcReply = z
  .looseObject({
    jsonrpc: version,
    id: id.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({
    id: 'McpReply',
    description: 'The reply to a message of the Model Context Protocol: a result or an error.',
  });

const RPC_ERROR = {
  content: {
    'application/json': {
      schema: rpcReply,
      example: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The body is not valid JSON.' } },
    },
  },
};

const COMMAND_EXAMPLE = { command: 'ffmpeg -y -ss 2 -i in.mp4 -vf scale=-2:480 out.webm' };

export const CONVERSION_OPERATIONS = {
  submitConversion: {
    ...submission,
    tag: 'Conversions',
    summary: 'Submit a conversion',
    description:
      'Stores a job and replies at once; the conversion runs in the background. The job fails later if an input is ' +
      'missing, or if the output exists and `parameters` does not have `"y": ""`. A body in which an object has a name ' +
      'twice with different values is rejected, and so is one with `(hidden)` in place of a key or a part of a URL, as ' +
      'a job shows it.',
    access: token('jobs:write'),
    audit: { action: 'job.submit', target: 'new job' },
    body: jsonBody(conversionBody, EXAMPLE_CONVERSION),
    sample: SUBMIT_SAMPLE,
    replies: {
      200: jsonReply('With `dryRun=true`: the plan.', dryRunSchema, DRY_RUN_EXAMPLE),
      202: ACCEPTED,
    },
  },
  readCommand: {
    tag: 'Conversions',
    summary: 'Read a command of ffmpeg as a request',
    description:
      'Returns the request that does the same as a command line, what it leaves out, and what a dry run of the request finds. Nothing runs: ' +
      'neither a shell nor ffmpeg gets the text. What only a shell can do (pipes, variables, patterns of names, redirections, a second ' +
      'command) is an error with its place. Files that filters read become inputs.',
    access: token('jobs:write'),
    limit: 'dry runs',
    body: jsonBody(commandBody, COMMAND_EXAMPLE),
    replies: {
      200: jsonReply('The request, or why there is none.', readCommandSchema, {
        request: {
          inputs: [{ input: 'in.mp4', parameters: { ss: '2' } }],
          output: 'out.webm',
          parameters: { vf: 'scale=-2:480', y: '' },
        },
        leftOut: [],
        errors: [],
        warnings: [],
      }),
    },
    problems: ['INPUT_UNAVAILABLE', 'TIMEOUT'],
  },
  submitForModel: {
    ...submission,
    tag: 'Language models',
    summary: 'Submit a conversion for a language model, or call MCP',
    description:
      'Accepts the body of `POST /api/conversion` with `llmId` required, replies in the same way and needs ' +
      '`jobs:write`. Also accepts a JSON-RPC message of the Model Context Protocol (2026-07-28, or 2025-11-25 with ' +
      '`initialize`). The scopes that it needs depend on the tool. A notification gets 202 without a body. GET and ' +
      'DELETE get 405.',
    access: token(),
    audit: { action: 'job.submit', target: 'new job' },
    body: {
      type: 'application/json',
      schema: llmConversionBody,
      example: { llmId: 'gpt-5', ...EXAMPLE_CONVERSION },
      alternative: { schema: rpcMessage, examples: { mcp: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } },
    },
    replies: {
      200: {
        description: 'The MCP reply, as JSON or as an event stream. With `dryRun=true`: the plan.',
        content: {
          'application/json': { schema: z.union([dryRunSchema, rpcReply]), example: DRY_RUN_EXAMPLE },
          'text/event-stream': { schema: z.string() },
        },
      },
      202: ACCEPTED,
      400: RPC_ERROR,
      403: RPC_ERROR,
      404: { ...RPC_ERROR, description: 'MCP: unknown method.' },
      406: { ...RPC_ERROR, description: 'MCP: the client does not accept an event stream.' },
      500: RPC_ERROR,
    },
  },
} satisfies Operations;
