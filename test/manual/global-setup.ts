import type { TestProject } from 'vitest/node';
import { ensureManual } from '../../scripts/setup/tools.ts';
import type { Recorded } from '../support/recorded-catalogue.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The manual of the installed ffmpeg. undefined: it cannot be installed, or this version was not recorded. */
    manual: { readonly folder: string; readonly version: Recorded } | undefined;
  }
}

/** Versions whose answers are recorded. */
const VERSIONS: readonly Recorded[] = ['5.1', '7.1'];

/** Provides the manual. Installs it if it is missing. */
export default async function setUp({ vitest }: TestProject): Promise<void> {
  const lines: string[] = [];
  const folder = await ensureManual((line) => lines.push(line));
  if (folder === undefined) process.stderr.write(`${lines.join('\n')}\n`);
  const installed = vitest.getProvidedContext().tools?.version;
  const version = VERSIONS.find((one) => installed?.startsWith(`${one}.`));
  vitest.provide('manual', folder === undefined || version === undefined ? undefined : { folder, version });
}
