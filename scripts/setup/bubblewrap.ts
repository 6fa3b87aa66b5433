import { findSandbox } from '../../packages/ffmpeg/src/sandbox/find-sandbox.ts';
import { weaknessOf } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { findTool } from '../../packages/ffmpeg/src/sandbox/system-view.ts';

/** Whether conversions can run in a sandbox. This script and the service check the same: ffmpeg runs in bubblewrap. */
interface SandboxState {
  readonly works: boolean;
  /** true: a program is not installed. false: the kernel or the container forbids the sandbox. */
  readonly missing: boolean;
  /** The reason and the fix if the sandbox does not work; otherwise empty. */
  readonly advice: string;
}

export async function sandboxState(ffmpegPath: string): Promise<SandboxState> {
  const found = await findSandbox('auto', ffmpegPath);
  if (found.kind === 'bubblewrap') return { works: true, missing: false, advice: '' };
  if (found.kind === 'landlock') return { works: false, missing: false, advice: weaknessOf(found) ?? '' };
  const programs = await Promise.all(['bwrap', 'prlimit', 'nice', 'timeout'].map(findTool));
  return { works: false, missing: programs.includes(undefined), advice: `${found.reason} ${found.fix}` };
}
