import { z } from 'zod';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Accepted, DryRun, IdempotencyKey } from '../../jobs/operations.ts';
import { bodyHash } from '../../wire/body-hash.ts';
import { conversionArguments } from '../../wire/conversion.ts';
import { dryRunSchema as wireDryRun } from '../../wire/dry-run.ts';
import type { McpDeps } from '../deps.ts';
import { jobSummary } from '../results/job-summary.ts';
import { defineTool } from '../tool.ts';

const MOST_WARNINGS = 20;
const LONGEST_ARGUMENT = 1000;
const MOST_ARGUMENTS = 300;

const { argv, plan, warnings } = wireDryRun.shape;

export const convertMedia = defineTool({
  name: 'convert_media',
  title: 'Convert media',
  description: `Converts, cuts, joins, resizes, re-encodes or packages audio, video and pictures with ffmpeg.
It answers at once with a jobId; the conversion runs in the background. Then call wait_for_job until it is COMPLETED.
- "input" is one path, "inputs" several; send one of the two. Paths are relative to your media root, as in "movies/in.mov".
- "output" is the path of the file to make. Its extension says the format, unless "format" does. Missing folders are made. An existing file is never touched: the job fails with OUTPUT_EXISTS, unless "parameters" has "y": "".
- "parameters" are ffmpeg options by their own names without the dash, all values as text: {"c:v": "libx264", "crf": "23", "vf": "scale=1280:-2", "c:a": "aac", "b:a": "128k"}. An option without a value takes "": {"an": ""}. Only "map" and "metadata" and the like take lists: {"map": ["0:v", "0:a"]}.
- Examples: a GIF: {"input": "a.mp4", "output": "a.gif", "parameters": {"vf": "fps=10,scale=320:-1", "t": "5"}}. Sound alone: {"input": "a.mp4", "output": "a.mp3", "parameters": {"vn": "", "b:a": "192k"}}. Loudness: {"af": "loudnorm=I=-16:TP=-1.5:LRA=11"}. HLS: "output": "hls/index.m3u8" with {"hls_time": "6", "hls_list_size": "0"}; segments land beside it.
- Not sure of an option, codec or filter? describe_capabilities finds it by words. What is in the input? probe_media.
- "dryRun": true checks all of it, queues nothing and tells what is probably not meant. An error names the field, what is allowed and the fix: send the call again with the fix.
Outputs and jobs stay until someone deletes them.`,
  scopes: ['jobs:write'],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: conversionArguments,
  // Of a client that knows tasks, the answer is the job at its end.
  output: z.object({
    ...jobSummary.partial().shape,
    message: jobSummary.shape.message,
    next: jobSummary.shape.next,
    argv: argv.optional(),
    plan: plan.optional(),
    warnings: warnings.optional(),
  }),
  run: async ({ dryRun, idempotencyKey, ...body }, { deps, call }) => {
    await call.countSubmission();
    const request: ConversionRequest = { ...body, llmId: body.llmId ?? call.llmId };
    if (dryRun) return { structured: dryRunOf(await deps.jobs.dryRun(call.caller, request)) };
    const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey, bodyHash: bodyHash(request) };
    const { jobId: id, status } = await queue(deps, call.caller, request, idempotency);
    return {
      structured: {
        jobId: id,
        status,
        message: 'The job is queued for processing.',
        next: `Call wait_for_job with {"jobId": "${id}"}.`,
      },
      task: id,
    };
  },
});

/** Takes a place in the line for as long as it takes to become a job. */
async function queue(
  { jobs }: McpDeps,
  caller: Caller,
  request: ConversionRequest,
  idempotency: IdempotencyKey | undefined,
): Promise<Accepted> {
  const place = await jobs.admit(caller);
  let accepted = false;
  try {
    const job = await jobs.submit(caller, request, idempotency);
    accepted = true;
    return job;
  } finally {
    place.release(accepted);
  }
}

const cut = (text: string): string => (text.length > LONGEST_ARGUMENT ? `${text.slice(0, LONGEST_ARGUMENT)}…` : text);

function dryRunOf(run: DryRun): object {
  const { length } = run.warnings;
  return {
    message: `Nothing was queued. ${length === 0 ? 'Nothing speaks against it.' : `There are ${length} warnings.`}`,
    next:
      length === 0
        ? 'Send it without dryRun.'
        : 'Mend what the warnings say where it is not meant, then send it without dryRun.',
    argv: run.argv.map((words) => words.slice(0, MOST_ARGUMENTS).map(cut)),
    plan: { ...run.plan, inputs: run.plan.inputs.slice(0, MOST_WARNINGS) },
    warnings: run.warnings.slice(0, MOST_WARNINGS),
  };
}
