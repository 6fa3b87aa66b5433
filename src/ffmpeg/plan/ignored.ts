import { type Catalogue, usesOf } from '../catalogue/catalogue.ts';
import { counterpart, ownersOf } from '../policy/encoder-options.ts';
import type { Maker } from './makers.ts';
import type { ReadOption } from './read-options.ts';
import { kindsOf } from './receivers.ts';

/**
 * The warning about an option that ffmpeg takes and gives to nobody: who would take it, and what to send instead.
 * `makers`: who makes the streams that it could be for.
 */
export function ignoredBy(
  { name, key }: ReadOption,
  makers: readonly Maker[],
  muxer: string | undefined,
  catalogue: Catalogue,
): string {
  const kinds = kindsOf(usesOf(catalogue, name.name));
  const encoders = [...new Set(makers.flatMap(({ encoder }) => encoder ?? []))];
  const owners = ownersOf(name.name);
  const who = owners === undefined ? '' : ` It is for ${owners}.`;
  if (kinds.length > 0 && makers.length === 0)
    return `"${key}" has no effect: the output has no ${kinds.join(' or ')}.`;
  if (makers.length > 0 && encoders.length === 0)
    return `"${key}" has no effect: the ${kinds.join(' and ')} is copied, not encoded.`;
  const takers = encoders.length > 0 ? encoders : [`the container ${muxer ?? ''}`.trimEnd()];
  const others = [...new Set(encoders.flatMap((encoder) => counterpart(name.name, encoder) ?? []))];
  const instead = others.map((other) => ` Send "${other}" instead.`).join('');
  return `"${key}" has no effect: ${takers.join(' and ')} ${takers.length === 1 ? 'does' : 'do'} not take it.${who}${instead}`;
}
