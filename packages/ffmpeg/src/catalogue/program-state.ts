import { accessSync, constants } from 'node:fs';
import { type Build, BuildUnavailable, fileStamp, identifyBuild } from './build.ts';

/** The state of the program of a build since the service started. */
type ProgramState =
  | { readonly kind: 'same' | 'removed' | 'being checked' }
  /** Another program that works. */
  | { readonly kind: 'other'; readonly version: string }
  /** The program does not run, or is not ffmpeg. `broken`: its file is the same, but a library may have changed. */
  | { readonly kind: 'unusable' | 'broken' };

/** How long the state of an unusable program is kept, in milliseconds: a missing library may come back. */
const UNUSABLE_MS = 10_000;

interface Check {
  readonly stamp: string;
  readonly checkedAt: number;
  readonly state: ProgramState;
  /** Resolves when the check ends. */
  readonly ended: Promise<unknown>;
}

/** The last check of each build with another file, or with a failure. */
const checks = new WeakMap<Build, Check>();

/**
 * The state of the program of a build. Identifies a replaced file once, in the background. Synchronous, because each
 * submission needs it, and two system calls take some microseconds.
 */
export function programState(build: Build): ProgramState {
  if (!isProgram(build.path)) return { kind: 'removed' };
  const stamp = fileStamp(build.path);
  if (build.stamp === undefined || stamp === undefined) return { kind: 'same' };
  const found = checks.get(build);
  const known = found?.stamp === stamp ? found : undefined;
  if (known === undefined && stamp === build.stamp) return { kind: 'same' };
  if (known !== undefined && !isOver(known)) return known.state;
  // During the next check of an unusable program, it counts as unusable.
  return check(build, stamp, known?.state ?? { kind: 'being checked' });
}

/** Identifies the program in the background. Returns `meanwhile`, its state until that ends. */
function check(build: Build, stamp: string, meanwhile: ProgramState): ProgramState {
  const keep = (state: ProgramState): ProgramState => {
    checks.set(build, { stamp, checkedAt: performance.now(), state, ended });
    return state;
  };
  const isSameFile = stamp === build.stamp;
  const ended = identifyBuild(build.path).then(
    ({ key, version }) =>
      keep(isSameFile || key === (build.programKey ?? build.key) ? { kind: 'same' } : { kind: 'other', version }),
    () => keep({ kind: isSameFile ? 'broken' : 'unusable' }),
  );
  return keep(meanwhile);
}

/** Checks whether a program with the same file still runs: a library may be broken. */
export async function recheckProgram(build: Build): Promise<void> {
  if (programState(build).kind !== 'same' || build.stamp === undefined) return;
  check(build, build.stamp, { kind: 'same' });
  await checks.get(build)?.ended;
}

/** The state of the program of a build after all running checks. */
export async function checkedState(build: Build): Promise<ProgramState> {
  for (;;) {
    const state = programState(build);
    if (state.kind !== 'being checked') return state;
    await checks.get(build)?.ended;
  }
}

/** For an unusable program, the predicate of a message, and what the operator can do. */
export const LOST_PROGRAM = {
  removed: { what: 'was removed while the service runs', fix: 'install it again' },
  unusable: {
    what: 'was replaced while the service runs by a program that is not ffmpeg or does not answer',
    fix: 'install it again',
  },
  broken: { what: 'does not run any more', fix: 'install it again with its libraries' },
  'being checked': { what: 'was replaced while the service runs and is being checked' },
} as const;

/** Throws `BuildUnavailable` if another program has replaced the build, or if it is unusable. */
export function rejectReplaced(build: Build): void {
  const state = programState(build);
  if (state.kind === 'same') return;
  if (state.kind === 'other') {
    const fix = 'Ask the operator to restart the service, or to put the former ffmpeg back';
    const what = `was replaced by version ${state.version} while the service runs`;
    throw new BuildUnavailable(build, { what, fix }, 60);
  }
  const { what, ...advice } = LOST_PROGRAM[state.kind];
  throw new BuildUnavailable(build, { what, ...('fix' in advice && { fix: `Ask the operator to ${advice.fix}` }) }, 10);
}

/** Whether a file is executable. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const isOver = ({ state, checkedAt }: Check): boolean =>
  (state.kind === 'unusable' || state.kind === 'broken') && performance.now() - checkedAt > UNUSABLE_MS;
