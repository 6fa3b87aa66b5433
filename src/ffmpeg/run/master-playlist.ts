import { basename, join } from 'node:path';
import type { OutputPlan } from '../../domain/plan.ts';
import { readWrittenText } from './written-text.ts';

/** A hundred variants need some ten kilobytes. */
const MAX_BYTES = 256 * 1024;

const VARIANT = /^#EXT-X-STREAM-INF:.*$/gm;

/** Whether a master playlist states rates that ffmpeg measured. undefined if it lists no variant. */
export function statesMeasuredRates(text: string): boolean | undefined {
  const variants = text.match(VARIANT) ?? [];
  // What only adds up the options has no average.
  return variants.length === 0 ? undefined : variants.every((line) => line.includes('AVERAGE-BANDWIDTH='));
}

/**
 * Reads whether the master playlist of an output of HLS states the bit rates of what was written, as newer releases do, or those
 * that options asked for. undefined if there is none.
 *
 * @param dir The scratch folder, absolute.
 */
export async function readMeasuredRates(
  dir: string,
  { output, passes }: Pick<OutputPlan, 'output' | 'passes'>,
): Promise<boolean | undefined> {
  const argv = passes.at(-1) ?? [];
  const at = argv.indexOf('-master_pl_name');
  const sent = argv[at + 1];
  if (at < 0 || sent === undefined) return undefined;
  // It is above the folders of variants, if they have any.
  const name = output.names.find(
    ([part, ...others]) => typeof part === 'string' && others.length === 0 && basename(part) === basename(sent),
  )?.[0];
  if (typeof name !== 'string') return undefined;
  const text = await readWrittenText(join(dir, 'out', output.subfolder, name), MAX_BYTES);
  return text === undefined ? undefined : statesMeasuredRates(text);
}
