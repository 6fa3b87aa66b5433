import { findSandbox } from '../../src/ffmpeg/sandbox/find-sandbox.ts';
import { findTool } from '../../src/ffmpeg/sandbox/system-view.ts';

/** The sandbox as the service itself finds it, by running this ffmpeg in it; where there is none, why. */
interface SandboxState {
  readonly works: boolean;
  /** A program of it is not installed; otherwise the kernel or a container refuses it. */
  readonly missing: boolean;
  /** What is wrong and how to mend it; '' where it works. */
  readonly says: string;
}

export async function sandboxState(ffmpegPath: string): Promise<SandboxState> {
  const found = await findSandbox('auto', ffmpegPath);
  if (found.kind === 'bubblewrap') return { works: true, missing: false, says: '' };
  const programs = await Promise.all(['bwrap', 'prlimit', 'nice', 'timeout'].map(findTool));
  return { works: false, missing: programs.includes(undefined), says: `${found.reason} ${found.fix}` };
}
