import type { Failure } from '@telecine/contract/domain/failure.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { hasSandboxFailed, testSandbox } from '../sandbox/sandbox-state.ts';
import type { Toolchain } from '../toolchain.ts';
import { isProgram, isUnusable, type ProgramFault, programState, REMOVED, recheckProgram } from './program-state.ts';

type Tools = Pick<Toolchain, 'build' | 'ffprobePath'> & Partial<Pick<Toolchain, 'sandbox' | 'workRoot'>>;

/** ffmpeg, ffprobe or the sandbox became unusable after the start of the service. */
export class ToolsUnusable extends Problem {
  constructor({ program, what, fix, retryAfterSeconds }: ToolFault) {
    const retry = `etry in ${retryAfterSeconds} s.`;
    const advice = fix === undefined ? `R${retry}` : `Ask the operator to ${fix}, or r${retry}`;
    super('UNAVAILABLE', `The ${program} of the service ${what}. ${advice}`, { retryAfterSeconds });
  }
}

/** The failure of a job that a worker returns to the queue because its ffmpeg, ffprobe or sandbox is unusable. */
export const toolsUnusable = ({ program, what, fix }: ToolFault): Failure => ({
  code: 'NO_WORKER',
  message: `The ${program} of the worker ${what}.`,
  ...(fix !== undefined && { fix: `Ask the operator to ${fix}.` }),
});

export interface ToolFault extends ProgramFault {
  readonly program: 'ffmpeg' | 'ffprobe' | 'sandbox';
}

/**
 * The fault of ffmpeg, ffprobe or the sandbox. undefined: all are usable. Without this check, a job would fail as if its media file were at
 * fault. A working ffmpeg that replaced the first one is not a fault: it runs what the catalogue has, until the service restarts.
 */
export function toolFault(tools: Tools): ToolFault | undefined {
  const { build, ffprobePath } = tools;
  const { fault } = programState(build);
  if (fault !== undefined) return { program: 'ffmpeg', ...fault };
  if (ffprobePath !== undefined && !isProgram(ffprobePath)) return { program: 'ffprobe', ...REMOVED };
  return hasSandboxFailed(tools) ? SANDBOX_FAULT : undefined;
}

const SANDBOX_FAULT: ToolFault = {
  program: 'sandbox',
  what: 'does not run ffmpeg any more',
  fix: 'repair it ("telecine doctor" says why)',
  retryAfterSeconds: 30,
};

/**
 * The fault of ffmpeg, ffprobe or the sandbox that may have caused the outcome of a conversion. undefined: the request and its inputs caused the
 * outcome. A success is checked too: a program that replaced ffmpeg may do nothing and exit with success. `stamp`: the `fileStamp` of
 * ffmpeg when the conversion last started it.
 */
export async function conversionFault(
  tools: Tools,
  outcome: { readonly ok: true } | { readonly ok: false; readonly failure: Failure },
  stamp: string | undefined,
): Promise<ToolFault | undefined> {
  const { build } = tools;
  if (!outcome.ok) return outcome.failure.code === 'FFMPEG_FAILED' ? testTools(tools) : toolFault(tools);
  return stamp !== build.stamp && (await isUnusable(build)) ? toolFault(tools) : undefined;
}

/** Tests whether ffmpeg still starts, in the sandbox. If it does not, the request is not at fault. */
export async function testTools(tools: Tools): Promise<ToolFault | undefined> {
  if (!(await testSandbox(tools))) await recheckProgram(tools.build);
  return toolFault(tools);
}

/** The fault of an ffprobe that does not start: it is there, or `toolFault` would tell, but perhaps a library of it is not. */
export const FFPROBE_FAULT: ToolFault = {
  program: 'ffprobe',
  what: 'could not be started: it is missing, or one of its libraries is',
  fix: 'install it again',
  retryAfterSeconds: 30,
};

export function rejectUnusableTools(tools: Tools): void {
  const fault = toolFault(tools);
  if (fault !== undefined) throw new ToolsUnusable(fault);
}
