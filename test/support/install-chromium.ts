import { ensureChromium } from '../../scripts/setup/tools.ts';

/** Installs Chromium if it is missing. If it cannot be installed, `needs` skips or fails the tests. */
export default async function setUp(): Promise<void> {
  const lines: string[] = [];
  if ((await ensureChromium((line) => lines.push(line))) === undefined) process.stderr.write(`${lines.join('\n')}\n`);
}
