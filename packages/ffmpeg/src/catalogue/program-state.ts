import { accessSync, constants } from 'node:fs';
import { type Build, fileStamp, identifyBuild } from './build.ts';

/** Why the program of a build cannot be used. */
export interface ProgramFault {
  /** The end of a message that starts with the program: `was removed while the service runs`. */
  readonly what: string;
  /** What the operator can do: `install it again`. Absent while a program that replaces it is checked. */
  readonly fix?: string;
  readonly retryAfterSeconds: number;
}

const faultOf = (what: string, fix?: string): ProgramFault => ({
  what,
  ...(fix === undefined ? { retryAfterSeconds: 10 } : { fix, retryAfterSeconds: 30 }),
});

export const REMOVED = faultOf('was removed while the service runs', 'install it again');
/** The program was replaced by a file that does not run or is not ffmpeg. */
const UNUSABLE = faultOf(
  'was replaced while the service runs by a program that is not ffmpeg or does not answer',
  'install it again',
);
/** The program is the same file as before, but does not run any more. */
const BROKEN = faultOf('does not run any more', 'install it again with its libraries');
const BEING_CHECKED = faultOf('was replaced while the service runs and is being checked');

/** What has happened to the program of a build since the service started. Empty: nothing. */
interface ProgramState {
  readonly fault?: ProgramFault;
  /** The version of the working program that has replaced the program of the build. */
  readonly replacedBy?: string;
}

/** An unusable program is checked again after so many milliseconds, because a missing library may come back. */
const UNUSABLE_MS = 10_000;

interface Check {
  readonly stamp: string;
  readonly checkedAt: number;
  readonly state: ProgramState;
  /** Resolves when the check ends. */
  readonly ended: Promise<unknown>;
}

/** The last check of each build whose file has changed or whose program has failed. */
const checks = new WeakMap<Build, Check>();

/**
 * The state of the program of a build. If its file was replaced, the new one is identified once, in the background. Synchronous, because
 * every submission needs it, and two system calls take only microseconds.
 */
export function programState(build: Build): ProgramState {
  if (!isProgram(build.path)) return { fault: REMOVED };
  const stamp = fileStamp(build.path);
  if (build.stamp === undefined || stamp === undefined) return {};
  const found = checks.get(build);
  const known = found?.stamp === stamp ? found : undefined;
  if (known === undefined && stamp === build.stamp) return {};
  const isOver = known !== undefined && performance.now() - known.checkedAt > UNUSABLE_MS;
  if (known !== undefined && !(isOver && known.state.fault?.fix !== undefined)) return known.state;
  // During its next check, an unusable program still counts as unusable.
  return check(build, stamp, known?.state ?? { fault: BEING_CHECKED });
}

/** Identifies the program in the background. Returns `meanwhile`, the state until the check ends. */
function check(build: Build, stamp: string, meanwhile: ProgramState): ProgramState {
  const keep = (state: ProgramState): ProgramState => {
    checks.set(build, { stamp, checkedAt: performance.now(), state, ended });
    return state;
  };
  const isSameFile = stamp === build.stamp;
  const ended = identifyBuild(build.path).then(
    ({ key, version }) => keep(isSameFile || key === build.key ? {} : { replacedBy: version }),
    () => keep({ fault: isSameFile ? BROKEN : UNUSABLE }),
  );
  return keep(meanwhile);
}

/** Checks again whether a program whose file has not changed still runs: one of its libraries may be broken. */
export async function recheckProgram(build: Build): Promise<void> {
  const { fault, replacedBy } = programState(build);
  if (fault !== undefined || replacedBy !== undefined || build.stamp === undefined) return;
  check(build, build.stamp, {});
  await checks.get(build)?.ended;
}

/** Whether another file that is not ffmpeg has replaced the program. Waits for a running check. */
export async function isUnusable(build: Build): Promise<boolean> {
  while (programState(build).fault === BEING_CHECKED) await checks.get(build)?.ended;
  return programState(build).fault === UNUSABLE;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
