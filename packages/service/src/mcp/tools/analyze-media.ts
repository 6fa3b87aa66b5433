import { relativeToRoot } from '@telecine/contract/domain/media-path.ts';
import { analysisBody, toConversionRequest } from '@telecine/contract/wire/analysis.ts';
import { z } from 'zod';
import { filesInFolder } from '../../files/near-inputs.ts';
import { runAdmitted } from '../../jobs/submit/pending-quota.ts';
import { jobResult, listedJob } from '../results/job-summary.ts';
import { jobWriting, notWrittenYet } from '../results/writing-job.ts';
import { defineTool } from '../tool.ts';

/** How long a call waits for the results, in seconds. */
const WAIT_SECONDS = 40;

export const analyzeMediaTool = defineTool({
  name: 'analyze_media',
  title: 'Measure a media file',
  description:
    'Measures a file: loudness, volume, silence, black or frozen video, scene changes, black borders (crop), interlacing, ' +
    'duplicate frames, bit rate, key frames; errors: what is damaged in a file; or its quality against a "reference". Returns "measurements", with times in ' +
    'seconds, and the "settings" used. A long file returns a job to wait for.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  audit: 'job.submit',
  input: analysisBody.pick({
    input: true,
    measure: true,
    reference: true,
    settings: true,
    audio: true,
    ss: true,
    t: true,
  }),
  argumentTexts: {
    ...{ input: '', measure: '', ss: '', t: '' },
    reference: 'The original, for psnr, ssim and other comparisons.',
    settings:
      'silence, freeze: noiseDb (-60), minSeconds (2); black: minSeconds (2), share, pixel; scenes: threshold (10); crop: limit, ' +
      'round. {"silence": {"minSeconds": 0.5}}',
  },
  output: listedJob.pick({ jobId: true, status: true }).extend({ measurements: z.unknown().optional() }),
  run: async (args, context) => {
    const { deps, call, signal } = context;
    await call.countSubmission();
    const request = { ...toConversionRequest(args), ...(call.llmId !== undefined && { llmId: call.llmId }) };
    const { jobId } = await runAdmitted(await deps.jobs.admit(call.caller), () =>
      deps.jobs.submit(call.caller, request, undefined),
    ).catch(async (error: unknown) => {
      throw await filesInFolder(error, args, { caller: call.caller, files: deps.files }, 'measured');
    });
    const job = await deps.jobs.wait(call.caller, jobId, { seconds: WAIT_SECONDS, signal, until: 'end' });
    const missing = job?.error?.code === 'INPUT_NOT_FOUND' ? missingOf(job.error.about?.input, args) : undefined;
    const writing = missing === undefined ? undefined : await jobWriting(missing.path, context);
    if (missing !== undefined && writing !== undefined) throw notWrittenYet(writing, missing.path, missing.field);
    return jobResult(job ?? (await deps.jobs.get(call.caller, jobId)), context);
  },
});

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
