import { accessSync, constants } from 'node:fs';
import { type Build, identifyBuild } from './build.ts';
import { BuildUnavailable } from './build-unavailable.ts';
import { fileStamp } from './file-stamp.ts';

/** What became of the program of a build since the service started. */
export type ProgramState =
  | { readonly kind: 'same' | 'removed' | 'being checked' }
  /** Another program that works. */
  | { readonly kind: 'other'; readonly version: string }
  /** A program that cannot be run, or is not ffmpeg. */
  | { readonly kind: 'unusable' };

/** How long the result for a program that cannot be used counts, in milliseconds: what it lacks may come back. */
const UNUSABLE_MS = 10_000;

interface Check {
  readonly stamp: string;
  readonly checkedAt: number;
  readonly state: ProgramState;
}

/** The last check of each build whose file is not the one that was identified. */
const checks = new WeakMap<Build, Check>();

/**
 * Returns the state of the program of a build. Each submission asks: two synchronous calls take some microseconds, the thread pool
 * tens of them. A file that was replaced is identified once, in the background.
 */
export function programState(build: Build): ProgramState {
  if (!isProgram(build.path)) return { kind: 'removed' };
  const stamp = fileStamp(build.path);
  if (build.stamp === undefined || stamp === undefined || stamp === build.stamp) return { kind: 'same' };
  const known = checks.get(build);
  if (known?.stamp === stamp && !isOver(known)) return known.state;
  const keep = (state: ProgramState): ProgramState => {
    checks.set(build, { stamp, checkedAt: performance.now(), state });
    return state;
  };
  void identifyBuild(build.path).then(
    ({ key, version }) => keep(key === build.key ? { kind: 'same' } : { kind: 'other', version }),
    () => keep({ kind: 'unusable' }),
  );
  // While one that could not be used is checked again, it still cannot.
  return keep(known?.stamp === stamp ? known.state : { kind: 'being checked' });
}

/** Throws `BuildUnavailable` if the program is not the build any more. */
export function rejectReplaced(build: Build): void {
  const state = programState(build);
  if (state.kind === 'same') return;
  const [what, seconds] =
    state.kind === 'other' ? [`was replaced by version ${state.version}`, 60] : ['was removed or replaced', 10];
  const fix = 'Ask the operator to restart the service, or to put the former ffmpeg back';
  throw new BuildUnavailable(build, { what: `${what} while the service runs`, fix }, seconds);
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
  state.kind === 'unusable' && performance.now() - checkedAt > UNUSABLE_MS;
