import type { MediaInfo, Tags } from '@telecine/contract/domain/media-info.ts';
import { relativeToRoot } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { type analysisBody, analysisSpec, toConversionRequest } from '@telecine/contract/wire/analysis.ts';
import { probeBody } from '@telecine/contract/wire/probe.ts';
import { z } from 'zod';
import { filesInFolder, filesNearProbe } from '../../files/near-inputs.ts';
import { runAdmitted } from '../../jobs/submit/pending-quota.ts';
import { jobResult, UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { probeSummary } from '../results/probe-summary.ts';
import { jobWriting, notWrittenYet, withWritingJob } from '../results/writing-job.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';

/** How long a call waits for measurements, in seconds. */
const WAIT_SECONDS = 40;

const MAX_STREAMS = 20;
const MAX_CHAPTERS = 20;
const MAX_TAGS = 12;
const MAX_TAG_LENGTH = 200;

const { measure, ...measured } = analysisSpec.shape;

const input = z.strictObject({
  // A job with copied video warns where it begins, so models need no key frames.
  ...probeBody.omit({ keyFramesNear: true }).shape,
  measure: measure.exactOptional(),
  ...measured,
});

type Args = z.output<typeof input>;

export const probeMediaTool = defineTool({
  name: 'probe_media',
  title: 'Probe or measure a media file',
  description: (has) =>
    'Reads the header of a file with ffprobe: container, duration, and for each stream the codec, size, frame rate, channels and ' +
    'language. Use it before a conversion that depends on the input.' +
    (has('measure')
      ? ' With "measure", it reads the whole file and returns "measurements", with times in seconds: loudness, volume, silence, ' +
        'black or frozen video, scene changes, black borders (crop), interlacing, duplicate frames, bit rate, key frames; "errors": ' +
        'what is damaged; or the quality against a "reference". A long file returns a job to wait for.'
      : ''),
  permissionOf: (args) =>
    isMembers(args) && args['measure'] !== undefined ? { scopes: ['jobs:write'], audit: 'job.submit' } : { scopes: [] },
  // Read-only: a measurement is a job that writes no file.
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input,
  argumentTexts: {
    input: 'A path in your media root, or an allowed URL.',
    parameters: 'Only for media without a header: {"f": "s16le", "ar": "44100", "ac": "2"}.',
    ...{ measure: '', ss: '', t: '', audio: '' },
    reference: 'The original, for psnr, ssim and other comparisons.',
    settings: 'Such as {"silence": {"noiseDb": -40, "minSeconds": 0.5}}. Results show all that were used.',
  },
  run: async ({ measure: wanted, ...args }, context) =>
    wanted === undefined ? probe(args, context) : measureFile({ ...args, measure: wanted }, context),
});

async function probe(
  { input: path, parameters, ...others }: Omit<Args, 'measure'>,
  { deps, call, signal }: ToolContext,
): Promise<ToolOutput> {
  rejectAll(others, 'has no effect without "measure"');
  const context = { caller: call.caller, files: deps.files };
  const request = { input: path, ...(parameters !== undefined && { parameters }) };
  const info = await deps.probes.probe(call.caller, request, signal).catch(async (error: unknown) => {
    const found = await withWritingJob(error, path, { deps, call });
    throw await filesInFolder(await filesNearProbe(found, path, context), request, context);
  });
  return { structured: { ...probeSummary(bounded(info)), note: UNTRUSTED_NOTE } };
}

async function measureFile(
  { parameters, ...args }: Omit<Args, 'measure'> & Pick<z.output<typeof analysisBody>, 'measure'>,
  context: ToolContext,
): Promise<ToolOutput> {
  const { deps, call, signal } = context;
  rejectAll({ parameters }, 'has no effect with "measure"');
  await call.countSubmission();
  const request = { ...toConversionRequest(args), ...(call.llmId !== undefined && { llmId: call.llmId }) };
  const { jobId } = await runAdmitted(await deps.jobs.admit(call.caller), () =>
    deps.jobs.submit(call.caller, request, undefined),
  ).catch(async (error: unknown) => {
    throw await filesInFolder(error, args, { caller: call.caller, files: deps.files });
  });
  const job = await deps.jobs.wait(call.caller, jobId, { seconds: WAIT_SECONDS, signal, until: 'end' });
  const missing = job?.error?.code === 'INPUT_NOT_FOUND' ? missingOf(job.error.about?.input, args) : undefined;
  const writing = missing === undefined ? undefined : await jobWriting(missing.path, context);
  if (missing !== undefined && writing !== undefined) throw notWrittenYet(writing, missing.path, missing.field);
  return jobResult(job ?? (await deps.jobs.get(call.caller, jobId)), context);
}

/** Throws NO_EFFECT for each argument that was sent. */
function rejectAll(args: Readonly<Record<string, unknown>>, reason: string): void {
  const names = Object.keys(args).filter((name) => args[name] !== undefined);
  if (names.length === 0) return;
  throw invalidRequest(
    names.map((name) => ({
      field: `/${name}`,
      code: 'NO_EFFECT',
      message: `"${name}" ${reason}.`,
    })),
  );
}

/** Finds which argument of the call names a missing file. `path`: the path of the file in the job. */
export function missingOf(
  path: string | undefined,
  { input, reference }: { readonly input: string; readonly reference?: string },
): { readonly path: string; readonly field: string } | undefined {
  if (path === undefined) return undefined;
  if (relativeToRoot(input) === path) return { path: input, field: '/input' };
  return reference !== undefined && relativeToRoot(reference) === path
    ? { path: reference, field: '/reference' }
    : undefined;
}

/** Shortens a probe to a size that a model can read. It can have 200 streams, and tags of 200,000 characters. */
function bounded(info: MediaInfo): MediaInfo {
  let tags = 0;
  const fewTags = (all: Tags): Tags => {
    const entries = Object.entries(all);
    tags += Math.max(0, entries.length - MAX_TAGS);
    return Object.fromEntries(
      entries.slice(0, MAX_TAGS).map(([name, value]) => [name, shorten(value, MAX_TAG_LENGTH)]),
    );
  };
  const streams = info.streams.slice(0, MAX_STREAMS).map((one) => ({ ...one, tags: fewTags(one.tags) }));
  const chapters = info.chapters.slice(0, MAX_CHAPTERS).map((one) => ({ ...one, tags: fewTags(one.tags) }));
  const format = { ...info.format, tags: fewTags(info.format.tags) };
  const leftOut = {
    streams: (info.leftOut?.streams ?? 0) + info.streams.length - streams.length,
    chapters: (info.leftOut?.chapters ?? 0) + info.chapters.length - chapters.length,
    tags: (info.leftOut?.tags ?? 0) + tags,
  };
  const isComplete = leftOut.streams + leftOut.chapters + leftOut.tags === 0;
  return { format, streams, chapters, ...(!isComplete && { leftOut }) };
}
