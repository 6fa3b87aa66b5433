import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { withTemporaryFolder } from '../process/work-root.ts';
import { confineCommand } from './confine.ts';
import type { KernelLimits } from './limits.ts';
import { withPinnedFiles } from './pinned-files.ts';
import type { DeviceAccess, Sandbox } from './sandbox.ts';
import { prepareWorkFolder } from './work-folder.ts';

interface SelfTestRun {
  readonly sandbox: Sandbox;
  /** The absolute path of ffmpeg. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly limits: KernelLimits;
  /** The absolute path of a folder for the files of the test. */
  readonly workRoot: string;
  /** The test fails after this many whole seconds. */
  readonly seconds: number;
  readonly device?: DeviceAccess;
}

export interface SelfTest {
  /** The first error line. undefined: the test succeeded. */
  readonly failure: string | undefined;
  /** What ffmpeg printed. */
  readonly output: string;
}

/** Runs ffmpeg, with an input, in the same way as a job. */
export async function runSelfTest({
  sandbox,
  program,
  argv,
  limits,
  workRoot,
  seconds,
  device,
}: SelfTestRun): Promise<SelfTest> {
  try {
    return await withTemporaryFolder(workRoot, async (dir) => {
      await Promise.all(['in', 'out', 'pass'].map((name) => mkdir(join(dir, name))));
      const hostPath = join(dir, 'input');
      await writeFile(hostPath, 'input');
      const { dev, ino } = await stat(hostPath, { bigint: true });
      const mounts = [{ logical: 'in/0', hostPath, identities: [`${dev}:${ino}`] }];
      if (device !== undefined) await prepareWorkFolder(dir, [], sandbox, [], device);
      const errorLines: string[] = [];
      let output = '';
      const child = await withPinnedFiles({ dir, mounts, sandbox }, (pinned) =>
        launch(
          confineCommand({
            sandbox,
            program,
            argv,
            ...pinned,
            limits,
            lastResortSeconds: seconds,
            ...(device && { device }),
          }),
          {
            out: {
              push: (chunk) => {
                output += chunk;
              },
              end: () => undefined,
            },
            err: new LineSplitter((line) => errorLines.push(line)),
          },
        ),
      );
      const { code } = await child.ended;
      return { failure: code === 0 ? undefined : (errorLines[0] ?? `exit code ${code}`).slice(0, 300), output };
    });
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), output: '' };
  }
}
