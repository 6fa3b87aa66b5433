import { findSandbox } from '../../src/ffmpeg/sandbox/find-sandbox.ts';
import { weaknessOf } from '../../src/ffmpeg/sandbox/sandbox.ts';
import { findTool } from '../../src/ffmpeg/sandbox/system-view.ts';

/** Whether conversions can run in a sandbox. Checked as the service checks it: by running ffmpeg in bubblewrap. */
interface SandboxState {
  readonly works: boolean;
  /** true: a program is not installed. false: the kernel or the container forbids the sandbox. */
  readonly missing: boolean;
  /** The reason and the fix if the sandbox does not work; otherwise empty. */
  readonly says: string;
}

export async function sandboxState(ffmpegPath: string): Promise<SandboxState> {
  const found = await findSandbox('auto', ffmpegPath);
  if (found.kind === 'bubblewrap') return { works: true, missing: false, says: '' };
  if (found.kind === 'landlock') return { works: false, missing: false, says: weaknessOf(found) ?? '' };
  const programs = await Promise.all(['bwrap', 'prlimit', 'nice', 'timeout'].map(findTool));
  return { works: false, missing: programs.includes(undefined), says: `${found.reason} ${found.fix}` };
}
