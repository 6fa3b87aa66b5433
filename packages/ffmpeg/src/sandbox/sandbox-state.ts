import type { Toolchain } from '../toolchain.ts';
import { tryToRun } from './find-sandbox.ts';
import type { Sandbox } from './sandbox.ts';

type Tools = Pick<Toolchain, 'build'> & Partial<Pick<Toolchain, 'sandbox' | 'workRoot'>>;

/** How long a failed sandbox waits for its next test, in ms. An operator may repair the sandbox meanwhile. */
const RETEST_MS = 10_000;

/** When each sandbox that failed was last tested, by `performance.now`. */
const failures = new WeakMap<Sandbox, number>();

/** Tests again whether the sandbox runs ffmpeg. Resolves to false if it does not, and if there is none to test. */
export async function testSandbox({ build, sandbox, workRoot }: Tools): Promise<boolean> {
  if (sandbox === undefined || sandbox.kind === 'none' || workRoot === undefined) return false;
  const { failure } = await tryToRun(sandbox, build.path, workRoot);
  if (failure === undefined) failures.delete(sandbox);
  else failures.set(sandbox, performance.now());
  return failure === undefined;
}

/** Returns whether the last test of the sandbox failed. If that was a while ago, tests it again in the background. */
export function hasSandboxFailed(tools: Tools): boolean {
  const failedAt = tools.sandbox && failures.get(tools.sandbox);
  if (tools.sandbox === undefined || failedAt === undefined) return false;
  if (performance.now() - failedAt >= RETEST_MS) {
    failures.set(tools.sandbox, performance.now());
    void testSandbox(tools);
  }
  return true;
}
