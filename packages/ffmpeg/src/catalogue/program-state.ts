import { accessSync, constants } from 'node:fs';
import { type Build, fileStamp, identifyBuild } from './build.ts';

/** Says whether the program of a build is still the same as when the service started. */
type ProgramState =
  | { readonly kind: 'same' | 'removed' | 'being checked' }
  /** Another program has replaced the program of the build, and works. */
  | { readonly kind: 'other'; readonly version: string }
  /** `unusable`: another file, which does not run or is not ffmpeg. `broken`: the same file, which does not run any more. */
  | { readonly kind: 'unusable' | 'broken' };

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
  if (!isProgram(build.path)) return { kind: 'removed' };
  const stamp = fileStamp(build.path);
  if (build.stamp === undefined || stamp === undefined) return { kind: 'same' };
  const found = checks.get(build);
  const known = found?.stamp === stamp ? found : undefined;
  if (known === undefined && stamp === build.stamp) return { kind: 'same' };
  if (known !== undefined && !isOver(known)) return known.state;
  // During its next check, an unusable program still counts as unusable.
  return check(build, stamp, known?.state ?? { kind: 'being checked' });
}

/** Identifies the program in the background. Returns `meanwhile`, the state until the check ends. */
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

/** Checks again whether a program whose file has not changed still runs: one of its libraries may be broken. */
export async function recheckProgram(build: Build): Promise<void> {
  if (programState(build).kind !== 'same' || build.stamp === undefined) return;
  check(build, build.stamp, { kind: 'same' });
  await checks.get(build)?.ended;
}

/** The state after all running checks have ended. */
export async function checkedState(build: Build): Promise<ProgramState> {
  for (;;) {
    const state = programState(build);
    if (state.kind !== 'being checked') return state;
    await checks.get(build)?.ended;
  }
}

/** The end of a message about the build, and what the operator can do. */
export const LOST_PROGRAM = {
  removed: { what: 'was removed while the service runs', fix: 'install it again' },
  unusable: {
    what: 'was replaced while the service runs by a program that is not ffmpeg or does not answer',
    fix: 'install it again',
  },
  broken: { what: 'does not run any more', fix: 'install it again with its libraries' },
  'being checked': { what: 'was replaced while the service runs and is being checked' },
} as const;

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
