import { z } from 'zod';
import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Warning } from '../../domain/plan.ts';
import type { Accepted, DryRun, IdempotencyKey } from '../../jobs/operations.ts';
import { bodyHash } from '../../wire/body-hash.ts';
import { conversionArguments } from '../../wire/conversion.ts';
import { dryRunSchema as wireDryRun } from '../../wire/dry-run.ts';
import { waitingMessage } from '../../wire/waiting-message.ts';
import type { McpDeps } from '../deps.ts';
import { jobSummary, MAX_WARNINGS } from '../results/job-summary.ts';
import { inputsByField, withNearFiles } from '../results/near-files.ts';
import { defineTool } from '../tool.ts';
import { optionTexts } from './option-texts.ts';

const MAX_ARGUMENT_LENGTH = 1000;
const MAX_ARGUMENTS = 300;

const { argv, plan } = wireDryRun.shape;

export const convertMediaTool = defineTool({
  name: 'convert_media',
  title: 'Convert media',
  description: `Converts, cuts, joins, resizes, re-encodes or packages audio, video and pictures with ffmpeg.
It returns a jobId at once; the conversion runs in the background. Then call wait_for_job until the job is COMPLETED.
- "input" is one path, "inputs" is a list of paths; send one of the two. Paths are relative to your media root, as in "movies/in.mov". An https URL works too, if the operator allows its host.
- "output" is the path of the new file. Its extension sets the format, unless you send "format". Missing folders are created. An existing file is not replaced: the job fails with OUTPUT_EXISTS, unless "parameters" has "y": "".
- "parameters" are ffmpeg options, without the dash; all values are strings: {"c:v": "libx264", "crf": "23", "vf": "scale=1280:-2", "c:a": "aac", "b:a": "128k"}. A flag has the value "": {"an": ""}. Only repeatable options such as "map" and "metadata" take lists: {"map": ["0:v", "0:a"]}.
- Examples: a GIF: {"input": "a.mp4", "output": "a.gif", "parameters": {"vf": "fps=10,scale=320:-1", "t": "5"}}. Audio only: {"input": "a.mp4", "output": "a.mp3", "parameters": {"vn": "", "b:a": "192k"}}. Loudness: {"af": "loudnorm=I=-16:TP=-1.5:LRA=11"}. HLS: "output": "hls/index.m3u8" with {"hls_time": "6", "hls_list_size": "0"}; segments are written next to it.
- "after": [jobId] starts the job when those jobs are complete, and fails it if one of them fails. Their outputs can be its inputs, so send steps that need each other at once.
- "metadata" are your own notes on the job, such as {"order": "A-1042"}: list_jobs finds it by them. Tags of the output go into "parameters".
- To find an option, codec or filter, call describe_capabilities. To see what is in the input, call probe_media.
- With "strict": true, warnings are errors: use it if an output that is not exactly what was asked for is worse than none.
- With "dryRun": true, the request is only checked: nothing is queued, and you get warnings. An error has the field, the allowed values and the fix: call again with the fix.
Outputs and jobs are kept until they are deleted.`,
  scopes: ['jobs:write'],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: conversionArguments,
  // For a client with tasks support, the result of the task is the finished job. Hence the optional job properties.
  output: z.object({
    ...jobSummary.partial().shape,
    message: jobSummary.shape.message,
    next: jobSummary.shape.next,
    argv: argv.optional(),
    plan: plan.optional(),
  }),
  prepare: optionTexts,
  check: ({ dryRun: _dryRun, idempotencyKey: _key, ...body }, { deps, call }) => deps.jobs.dryRun(call.caller, body),
  run: async ({ dryRun, idempotencyKey, ...body }, { deps, call }) => {
    await call.countSubmission();
    const request: ConversionRequest = { ...body, llmId: body.llmId ?? call.llmId };
    const near = (warnings: readonly Warning[]) =>
      withNearFiles(warnings.slice(0, MAX_WARNINGS), inputsByField(request), { deps, call });
    if (dryRun) {
      const run = await deps.jobs.dryRun(call.caller, request);
      return { structured: dryRunOf(run, await near(run.warnings)) };
    }
    const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey, bodyHash: bodyHash(request) };
    const { jobId: id, status, waitingFor, warnings } = await queue(deps, call.caller, request, idempotency);
    return {
      structured: {
        jobId: id,
        status,
        message: waitingFor === undefined ? 'The job is queued for processing.' : waitingMessage(waitingFor),
        waitingFor,
        next: `${warnings === undefined ? '' : 'Read "warnings": if one is right, call cancel_job and call again with its fix. '}Call wait_for_job with {"jobId": "${id}"}.`,
        warnings: warnings && (await near(warnings)),
      },
      task: id,
    };
  },
});

/** Reserves a place in the queue while the job is submitted. */
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

const cut = (text: string): string =>
  text.length > MAX_ARGUMENT_LENGTH ? `${text.slice(0, MAX_ARGUMENT_LENGTH)}…` : text;

function dryRunOf(run: DryRun, warnings: readonly Warning[]): object {
  const { length } = run.warnings;
  return {
    message: `Nothing was queued. ${length === 0 ? 'There are no warnings.' : `There are ${length} warnings.`}`,
    next:
      length === 0
        ? 'Call again without dryRun.'
        : 'Fix what the warnings report unless it is intended, then call again without dryRun.',
    argv: run.argv.map((words) => words.slice(0, MAX_ARGUMENTS).map(cut)),
    plan: { ...run.plan, inputs: run.plan.inputs.slice(0, MAX_WARNINGS) },
    warnings,
  };
}
