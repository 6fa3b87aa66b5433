import { FIRST_LISTED, type Measurements, usedSettings } from '../domain/analysis.ts';
import type { OutputSpec } from '../domain/conversion.ts';
import { type Failure, MAX_ATTEMPTS, withoutSubject } from '../domain/failure.ts';
import { replaceRetryJob } from '../domain/hint.ts';
import type { HlsEncryption } from '../domain/hls-encryption.ts';
import { inputView } from '../domain/input-view.ts';
import { type Job, type JobOutput, outputCountOf } from '../domain/job.ts';
import { describeNeeds } from '../domain/lane.ts';
import { withFirstEntries } from '../domain/measured-lists.ts';
import { shownPreset } from '../domain/recipe.ts';
import { samplesText } from '../domain/samples-text.ts';
import { hideSecrets } from '../domain/secret-options.ts';
import { hideInputUrls, requestAsSent } from '../domain/sent-request.ts';
import { strictNeeds } from '../domain/speed-needs.ts';
import { isFinished } from '../domain/states.ts';
import { hideUrlSecrets, redactUrl } from '../domain/url-input.ts';
import { retryActionOf, type WatchRequest } from '../domain/watch.ts';
import { waitingMessage } from './accepted.ts';
import { jobPath } from './endpoints.ts';
import { failurePatch } from './failure-patch.ts';
import { httpHint } from './hint-text.ts';
import type { JobView } from './job.ts';
import { writeOffset } from './paging.ts';
import { warningViews } from './warning.ts';

const kindOf = ({ request }: Job): string => (request.analysis === undefined ? 'conversion' : 'analysis');

/** The analysis of a request without secrets in URLs. */
function analysisView({ analysis }: Job['request']): JobView['analysis'] {
  if (analysis === undefined) return undefined;
  const { reference, settings: _, ...spec } = analysis;
  const settings = usedSettings(analysis);
  return {
    ...spec,
    ...(settings && { settings }),
    ...(reference !== undefined && { reference: hideUrlSecrets(reference) }),
  };
}

/** Why a heavy job waits while lighter ones start. */
const slotsMessage = ({ slots }: Job): string =>
  slots === undefined
    ? ''
    : ` It uses ${slots} slots of a worker, or all slots of a smaller worker, and starts when they are free.`;

function messageOf(job: Job): string {
  switch (job.status) {
    case 'PENDING': {
      const strict = strictNeeds(job.needs ?? []);
      const needs = strict.length === 0 ? '' : ` It waits for a worker with ${describeNeeds(strict)}.`;
      const paused = job.queuePaused === true ? ' The operator has paused the queue.' : '';
      if (job.waitingFor !== undefined) return `${waitingMessage(job.waitingFor)}${paused}`;
      if (job.attempt === 0) {
        // A queued job has an error only after an attempt that did not count. The error is the reason to wait.
        const reason = job.error === undefined ? '' : ` It waits: ${job.error.message}`;
        return `The job is queued for processing.${reason}${needs}${slotsMessage(job)}${paused}`;
      }
      return `The job is queued for another attempt, after ${job.attempt} of ${MAX_ATTEMPTS}.${job.error === undefined ? '' : ` The last attempt failed: ${job.error.message}`}${paused}`;
    }
    case 'PROCESSING': {
      if (job.cancelRequestedAt !== undefined) return 'The job is being cancelled.';
      const samples = job.progress?.samples;
      return `The job is being processed.${samples === undefined ? '' : ` ${samplesText(samples)}.`}`;
    }
    case 'COMPLETED':
      return `The ${kindOf(job)} is complete.${job.outputsExpired === true ? ' Its outputs have expired.' : ''}`;
    case 'FAILED':
      return `The ${kindOf(job)} failed: ${job.error?.message ?? 'the reason is not known.'}`;
    case 'CANCELLED':
      return 'The job was cancelled.';
  }
}

function percentOf(job: Job): number | undefined {
  if (job.status === 'COMPLETED') return 100;
  return job.status === 'PENDING' ? 0 : job.progress?.percent;
}

function errorView(failure: Failure, job: Job): NonNullable<JobView['error']> {
  const { fix, ...error } = withoutSubject(failure);
  const apply = failurePatch(failure, job.request);
  const words = fix && httpHint(replaceRetryJob(fix, retryActionOf(job)));
  return words === undefined ? error : { ...error, fix: words, ...(apply !== undefined && { apply }) };
}

const encryptionView = ({ keyUri, iv }: HlsEncryption): JobView['encrypt'] => ({ keyUri, iv: iv ?? '' });

const requestedOutputsView = (outputs: readonly OutputSpec[]): readonly OutputSpec[] =>
  outputs.map((spec) => ({
    ...spec,
    ...(spec.parameters && { parameters: hideSecrets(spec.parameters) }),
    ...(spec.fallback && { fallback: hideSecrets(spec.fallback) }),
  }));

/** The outputs of a job without their internal members. */
export const outputsView = (outputs: readonly JobOutput[]): NonNullable<JobView['outputs']> =>
  outputs.map(({ fingerprint: _, mediaSeconds: __, ...shown }) => shown);

/** The first entries of each list, and the cursor for the other entries. */
const measurementsView = (measurements: Measurements): JobView['measurements'] =>
  withFirstEntries(measurements, FIRST_LISTED, (_list, { count, entries }) =>
    entries === FIRST_LISTED && count > entries ? { nextCursor: writeOffset(entries) } : {},
  );

/** A request without keys and passwords. */
export function requestView({ encrypt, callbackUrl, ...request }: WatchRequest): WatchRequest {
  const { input, inputs, outputs, parameters, fallback } = request;
  return {
    ...request,
    ...(input !== undefined && { input: hideUrlSecrets(input) }),
    ...(inputs && { inputs: inputs.map(inputView) }),
    ...(outputs && { outputs: requestedOutputsView(outputs) }),
    ...(parameters && { parameters: hideSecrets(parameters) }),
    ...(fallback && { fallback: hideSecrets(fallback) }),
    ...(request.preset && { preset: shownPreset(request.preset) }),
    ...(encrypt && { encrypt: { keyUri: encrypt.keyUri, ...(encrypt.iv !== undefined && { iv: encrypt.iv }) } }),
    ...(callbackUrl !== undefined && { callbackUrl: redactUrl(callbackUrl) }),
  };
}

/** What the client sent, if the job runs it with a recipe or its fallback. undefined: the members of the view are what was sent. */
function sentView(request: Job['request']): JobView['request'] {
  const { analysis: _, recipe, usesFallback, preset, ...sent } = requestAsSent(request);
  if (request.sent === undefined && recipe === undefined && usesFallback === undefined) return undefined;
  return requestView({ ...sent, ...(preset && { preset: hideInputUrls(preset, request) }) });
}

/** Whether a viewer may see the key of a job. Only the client of the job may, because the key is enough to play the output. */
export const hasKeyFor = ({ clientId, request }: Job, viewer: JobViewer): boolean =>
  request.encrypt !== undefined && clientId === viewer.clientId;

/** Who sees a job: its client, or an administrator. */
export type JobViewer = Pick<Job, 'clientId'>;

/** The view of a job. Undefined members are missing in the JSON. Default of `viewer`: the client of the job. */
export function jobView(job: Job, viewer: JobViewer = job): JobView {
  const { request, progress } = job;
  const self = jobPath(job.jobId);
  const running = job.status === 'PROCESSING';
  const finished = isFinished(job.status);
  const hasOutputs = job.status === 'COMPLETED' && job.outputsExpired !== true && request.analysis === undefined;
  return {
    jobId: job.jobId,
    status: job.status,
    message: messageOf(job),
    phase: running ? job.phase : undefined,
    phases: job.phases,
    progress: percentOf(job),
    speed: progress?.speed,
    fps: progress?.fps,
    etaSeconds: running ? progress?.etaSeconds : undefined,
    encodedChunks: running ? progress?.chunks : undefined,
    samples: running ? progress?.samples : undefined,
    input: request.input === undefined ? undefined : hideUrlSecrets(request.input),
    inputs: request.inputs?.map(inputView),
    join: request.join,
    cut: request.cut,
    transcribe: request.transcribe,
    quality: request.quality,
    ladder: request.ladder,
    frameSize: request.frameSize,
    output: request.output,
    requestedOutputs: request.outputs && requestedOutputsView(request.outputs),
    analysis: analysisView(request),
    format: request.format,
    parameters: request.parameters && hideSecrets(request.parameters),
    fallback: request.fallback && hideSecrets(request.fallback),
    thumbnailTrack: request.thumbnailTrack,
    chunks: request.chunks,
    preset: request.preset && shownPreset(hideInputUrls(request.preset, request)),
    request: sentView(request),
    encrypt: request.encrypt && encryptionView(request.encrypt),
    strict: request.strict,
    llmId: request.llmId,
    metadata: request.metadata,
    expiresAfterSeconds: request.expiresAfterSeconds,
    priority: request.priority,
    batchId: job.batchId,
    watchId: job.watchId,
    name: job.name,
    after: request.after,
    waitingFor: job.waitingFor,
    callbackUrl: request.callbackUrl === undefined ? undefined : redactUrl(request.callbackUrl),
    client: job.clientId,
    retryOf: job.retryOf,
    retriedAs: job.retriedAs,
    attempt: job.attempt,
    workerId: job.workerId,
    maxAttempts: MAX_ATTEMPTS,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    completedAt: job.completedAt,
    cancelRequestedAt: job.cancelRequestedAt,
    error: job.error && errorView(job.error, job),
    warnings: job.warnings && warningViews(job.warnings),
    outputs: request.analysis === undefined && job.outputs ? outputsView(job.outputs) : undefined,
    outputCount: request.analysis === undefined && job.outputs ? outputCountOf(job) : undefined,
    measurements: job.measurements && measurementsView(job.measurements),
    expiresAt: job.outputsExpireAt,
    expired: job.outputsExpired,
    links: {
      self,
      log: `${self}/log`,
      cancel: finished ? undefined : `${self}/cancel`,
      retry: finished ? `${self}/retry` : undefined,
      output: hasOutputs ? `${self}/output` : undefined,
      outputs: outputCountOf(job) > 0 ? `${self}/outputs` : undefined,
      signed: hasOutputs ? `${self}/links` : undefined,
      key: hasKeyFor(job, viewer) ? `${self}/key` : undefined,
    },
  };
}
