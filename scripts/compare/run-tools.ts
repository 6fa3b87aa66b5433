import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import { runProgram } from '../../test/outcomes/generated/sources.ts';
import { call, getJob, isFinal } from '../lib/api.ts';
import type { ComparedRequest } from './requests.ts';

export const TOOLS = ['Telecine', 'ffmpeg', 'HandBrake'] as const;
export type Tool = (typeof TOOLS)[number];

/** What is there to run requests with. */
export interface Installation {
  readonly url: string;
  readonly token: string;
  readonly mediaRoot: string;
  /** A folder for the results of the other tools. */
  readonly folder: string;
  readonly ffmpegPath: string;
  /** Absent: without HandBrake. */
  readonly handbrakePath?: string | undefined;
}

export interface ToolRun {
  readonly failed?: string | undefined;
  /** What the tool says is lost (`lost` of its warnings), or lines of its log. */
  readonly said: readonly string[];
  /** The path of the result. */
  readonly result: string;
}

/** Runs a request about a file of the media root by a tool. undefined: the tool does not do that, or is not installed. */
export async function runTool(
  tool: Tool,
  installation: Installation,
  input: string,
  request: ComparedRequest,
  output: string,
): Promise<ToolRun | undefined> {
  const { mediaRoot, folder, ffmpegPath, handbrakePath } = installation;
  if (tool === 'Telecine') return runTelecine(installation, input, request, output);
  const { before, ffmpeg, handbrake } = request;
  const [file, result] = [join(mediaRoot, input), join(folder, `${tool}-${output}`)];
  if (tool === 'ffmpeg') {
    const quiet = ['-nostdin', '-y', '-hide_banner', '-v', 'warning'];
    return runCommand(ffmpegPath, [...quiet, ...before, '-i', `file:${file}`, ...ffmpeg, `file:${result}`], result);
  }
  if (handbrakePath === undefined || handbrake === undefined) return undefined;
  const { said, ...run } = await runCommand(handbrakePath, ['-i', file, '-o', result, ...handbrake], result);
  return { ...run, said: said.filter((line) => PROBLEM.test(line)) };
}

/** HandBrake's log has a line for each of its decisions: those that tell a problem name it so. */
const PROBLEM = /warn|error|fail|unsupported|unknown|invalid|skip|drop|discard|ignor|lost|missing|not /i;

async function runCommand(program: string, args: readonly string[], result: string): Promise<ToolRun> {
  const { ok, stderr } = await runProgram(program, args);
  const said = stderr.split('\n').filter((line) => line !== '');
  // HandBrake ends with 0 although it has written nothing.
  const { size } = await stat(result).catch(() => ({ size: 0 }));
  return { said, result, failed: ok && size > 0 ? undefined : (said.at(-1) ?? 'no message') };
}

async function runTelecine(
  { url, token, mediaRoot }: Installation,
  input: string,
  { preset }: ComparedRequest,
  output: string,
): Promise<ToolRun> {
  const body = { input, output: `out/${output}`, ...(preset && { preset }) };
  const reply = await call<AcceptedView>(`${url}/api/conversion`, { token, body });
  const result = join(mediaRoot, body.output);
  if (reply.status !== 202) return { result, said: [], failed: `${reply.status} ${JSON.stringify(reply.body)}` };
  for (;;) {
    const job = await getJob(url, token, reply.body.jobId);
    const said = (job.warnings ?? []).flatMap(({ lost }) => lost ?? []);
    const failed = job.error && `${job.error.code}: ${job.error.message}`;
    if (isFinal(job)) return { result, said, failed: job.status === 'COMPLETED' ? undefined : (failed ?? job.status) };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
