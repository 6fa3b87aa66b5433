import { ensureChromium } from '../setup/tools.ts';

/** Returns the path of Chromium. Ends the script if Chromium is not installed and cannot be installed here. */
export async function requireChromium(): Promise<string> {
  const chromium = await ensureChromium();
  if (chromium !== undefined) return chromium;
  console.error('Chromium is not installed, and it could not be installed here: apt-get install chromium');
  process.exit(2);
}

/** Prints whether a fact holds, and if it does not, what was found instead. Then the script fails. */
export function printCheck(fact: string, holds: boolean, found: unknown): void {
  console.log(`${holds ? '✓' : '✗'} ${fact}`);
  if (holds) return;
  console.log(found);
  process.exitCode = 1;
}
