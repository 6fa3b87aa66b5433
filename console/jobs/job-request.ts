import type { ConversionRequest, Job } from '@telecine/client';

/** How each member of a request is read from its job. A member that is added to requests must be added here. */
const MEMBERS: { readonly [Name in keyof ConversionRequest]-?: (job: Job) => Job[keyof Job] } = {
  input: ({ input }) => input,
  inputs: ({ inputs }) => inputs,
  join: ({ join }) => join,
  cut: ({ cut }) => cut,
  transcribe: ({ transcribe }) => transcribe,
  preset: ({ preset }) => preset,
  output: ({ output }) => output,
  outputs: ({ requestedOutputs }) => requestedOutputs,
  format: ({ format }) => format,
  parameters: ({ parameters }) => parameters,
  thumbnailTrack: ({ thumbnailTrack }) => thumbnailTrack,
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

/** The names of the members of a request, in the order in which people write them. */
export const REQUEST_MEMBERS = Object.keys(MEMBERS) as readonly (keyof ConversionRequest)[];

/**
 * The request of a job, as the service stores it: the options of its recipe are in `parameters`, and keys and passwords are hidden. That
 * of an analysis has `analysis` instead of outputs.
 */
export function requestOf(job: Job): Readonly<Record<string, unknown>> {
  const members = REQUEST_MEMBERS.map((name) => [name, MEMBERS[name](job)] as const);
  return Object.fromEntries(
    [...members, ['analysis', job.analysis] as const].filter(([, value]) => value !== undefined),
  );
}

/**
 * The request of a job as it can be sent again. The options of its recipe are written out already, the jobs that it waited for have ended, and
 * what views hide cannot be sent.
 */
export function repeatableRequest(job: Job): ConversionRequest {
  const { preset: _, after: __, callbackUrl: ___, analysis: ____, ...request } = requestOf(job);
  return request as ConversionRequest;
}
