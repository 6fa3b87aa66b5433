import type { ConversionRequest, Job } from '@telecine/client';
import { hasKeys } from '../../packages/contract/src/domain/secret-options.ts';

/** Reads each member of a request from its job. If a member of requests is missing here, there is a type error. */
const MEMBERS: { readonly [Name in keyof ConversionRequest]-?: (job: Job) => Job[keyof Job] } = {
  input: ({ input }) => input,
  inputs: ({ inputs }) => inputs,
  join: ({ join }) => join,
  cut: ({ cut }) => cut,
  transcribe: ({ transcribe }) => transcribe,
  quality: ({ quality }) => quality,
  ladder: ({ ladder }) => ladder,
  frameSize: ({ frameSize }) => frameSize,
  preset: ({ preset }) => preset,
  output: ({ output }) => output,
  outputs: ({ requestedOutputs }) => requestedOutputs,
  format: ({ format }) => format,
  parameters: ({ parameters }) => parameters,
  thumbnailTrack: ({ thumbnailTrack }) => thumbnailTrack,
  chunks: ({ chunks }) => chunks,
  encrypt: ({ encrypt }) => encrypt,
  fallback: ({ fallback }) => fallback,
  strict: ({ strict }) => strict,
  after: ({ after }) => after,
  priority: ({ priority }) => priority,
  expiresAfterSeconds: ({ expiresAfterSeconds }) => expiresAfterSeconds,
  callbackUrl: ({ callbackUrl }) => callbackUrl,
  metadata: ({ metadata }) => metadata,
  llmId: ({ llmId }) => llmId,
};

/** The members of a request, in the usual order. */
export const REQUEST_MEMBERS = Object.keys(MEMBERS) as readonly (keyof ConversionRequest)[];

/**
 * The request that a job runs. The options of its recipe are in `parameters`, and keys and passwords are hidden. The request of an analysis has
 * `analysis` instead of outputs.
 */
function requestOf(job: Job): Readonly<Record<string, unknown>> {
  const members = REQUEST_MEMBERS.map((name) => [name, MEMBERS[name](job)] as const);
  return Object.fromEntries(
    [...members, ['analysis', job.analysis] as const].filter(([, value]) => value !== undefined),
  );
}

/** The request of a job as it was sent, with its recipe. Keys and passwords are hidden. */
export const sentRequest = (job: Job): Readonly<Record<string, unknown>> => job.request ?? requestOf(job);

/**
 * The request of a job as it was sent, in a form that a retry of it can send. The service puts the parts back that the view hides, and leaves out
 * the jobs in `after` that have ended.
 */
export function retriedRequest(job: Job): ConversionRequest {
  const { analysis: _, ...request } = sentRequest(job);
  return request as ConversionRequest;
}

/** As `retriedRequest`, with all options of the recipe instead of the recipe: exactly what the job runs. */
export function expandedRequest(job: Job): ConversionRequest {
  const { preset: _, analysis: __, ...request } = requestOf(job);
  return request as ConversionRequest;
}

/**
 * The request of a retry in a form that a new job can send. Omits `callbackUrl`, because the view of a job hides its secrets, and `after`, because
 * these jobs may have failed.
 */
export function asNewRequest({ callbackUrl: _, after: __, ...request }: ConversionRequest): ConversionRequest {
  return request;
}

/** Whether a job has keys or passwords other than those of URLs, in what it runs or in what was sent. */
export const jobHasKeys = (job: Job): boolean =>
  [expandedRequest(job), retriedRequest(job)].some((request) => hasKeys(request));
