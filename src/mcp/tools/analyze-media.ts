import { analysisBody, toConversionRequest } from '../../wire/analysis.ts';
import { queueJob } from '../queue-job.ts';
import { jobResult } from '../results/job-result.ts';
import { listedJob } from '../results/job-summary.ts';
import { defineTool } from '../tool.ts';

/** How long a call waits for the results, in seconds. */
const WAIT_SECONDS = 40;

export const analyzeMediaTool = defineTool({
  name: 'analyze_media',
  title: 'Measure a media file',
  description:
    'Measures a file: loudness, volume, silence, black or frozen pictures, scene changes, black borders (crop), interlacing, ' +
    'duplicate frames, bit rate, key frames; errors: what is damaged in a file; or its quality against a "reference". Returns "measurements", with times in ' +
    'seconds. A long file returns a job to wait for.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  audit: 'job.submit',
  input: analysisBody.pick({ input: true, measure: true, reference: true, ss: true, t: true }),
  argumentTexts: { input: '', measure: '', reference: 'The original, for psnr, ssim, xpsnr, vmaf.', ss: '', t: '' },
  output: listedJob.pick({ jobId: true, status: true }),
  run: async (args, context) => {
    const { deps, call, signal } = context;
    await call.countSubmission();
    const request = { ...toConversionRequest(args), ...(call.llmId !== undefined && { llmId: call.llmId }) };
    const { jobId } = await queueJob(deps, call.caller, request, undefined);
    const job = await deps.jobs.wait(call.caller, jobId, { seconds: WAIT_SECONDS, signal, until: 'end' });
    return jobResult(job ?? (await deps.jobs.get(call.caller, jobId)), context);
  },
});
