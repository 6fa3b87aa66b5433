import { accessSync, constants } from 'node:fs';
import { type Build, BuildUnavailable, fileStamp, identifyBuild } from './build.ts';

/** What became of the program of a build since the service started. */
type ProgramState =
  | { readonly kind: 'same' | 'removed' | 'being checked' }
  /** Another program that works. */
  | { readonly kind: 'other'; readonly version: string }
  /** The program cannot be run, or is not ffmpeg. `broken`: its file is unchanged, but it fails, as when a library was replaced. */
  | { readonly kind: 'unusable' | 'broken' };

/** How long the result for a program that cannot be used counts, in milliseconds: what it lacks may come back. */
const UNUSABLE_MS = 10_000;

interface Check {
  readonly stamp: string;
  readonly checkedAt: number;
  readonly state: ProgramState;
  /** Resolves when the file was identified, or could not be. */
  readonly ended: Promise<unknown>;
}

/** The last check of each build whose file is not the one that was identified, or which failed. */
const checks = new WeakMap<Build, Check>();

/**
 * Returns the state of the program of a build. Each submission asks: two synchronous calls take some microseconds, the thread pool
 * tens of them. A file that was replaced is identified once, in the background.
 */
export function programState(build: Build): ProgramState {
  if (!isProgram(build.path)) return { kind: 'removed' };
  const stamp = fileStamp(build.path);
  if (build.stamp === undefined || stamp === undefined) return { kind: 'same' };
  const found = checks.get(build);
  const known = found?.stamp === stamp ? found : undefined;
  if (known === undefined && stamp === build.stamp) return { kind: 'same' };
  if (known !== undefined && !isOver(known)) return known.state;
  // While one that could not be used is checked again, it still cannot.
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

/** Checks whether a program still runs whose file is the same: a library that it loads may be broken. */
export async function recheckProgram(build: Build): Promise<void> {
  if (programState(build).kind !== 'same' || build.stamp === undefined) return;
  check(build, build.stamp, { kind: 'same' });
  await checks.get(build)?.ended;
}

/** Returns the state of the program of a build, once a program that has replaced it was checked. */
export async function checkedState(build: Build): Promise<ProgramState> {
  for (;;) {
    const state = programState(build);
    if (state.kind !== 'being checked') return state;
    await checks.get(build)?.ended;
  }
}

/** What to say of a program that cannot be used: after its name, and what the operator can do, if anything. */
export const LOST_PROGRAM = {
  removed: { what: 'was removed while the service runs', fix: 'install it again' },
  unusable: {
    what: 'was replaced while the service runs by a program that is not ffmpeg or does not answer',
    fix: 'install it again',
  },
  broken: { what: 'does not run any more', fix: 'install it again with its libraries' },
  'being checked': { what: 'was replaced while the service runs and is being checked' },
} as const;

/** Throws `BuildUnavailable` if the program is not the build any more. */
export function rejectReplaced(build: Build): void {
  const state = programState(build);
  if (state.kind === 'same') return;
  if (state.kind === 'other') {
    const fix = 'Ask the operator to restart the service, or to put the former ffmpeg back';
    throw new BuildUnavailable(
      build,
      { what: `was replaced by version ${state.version} while the service runs`, fix },
      60,
    );
  }
  const { what, ...advice } = LOST_PROGRAM[state.kind];
  throw new BuildUnavailable(build, { what, ...('fix' in advice && { fix: `Ask the operator to ${advice.fix}` }) }, 10);
}

/** Whether a file can be run. */
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
