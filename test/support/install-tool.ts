import type { Say } from '../../scripts/setup/say.ts';

/**
 * A global set-up that installs a tool if it is missing. If it cannot be installed, `needs` skips or fails the tests.
 *
 * @param ensure Resolves to something false if the tool is missing.
 */
export const installTool = (ensure: (say: Say) => Promise<unknown>) => async (): Promise<void> => {
  const lines: string[] = [];
  if (!(await ensure((line) => lines.push(line)))) process.stderr.write(`${lines.join('\n')}\n`);
};
