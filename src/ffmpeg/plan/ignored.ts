import { counterpart, ownersOf } from '../policy/encoder-options.ts';
import type { Maker } from './makers.ts';
import type { ReadOption } from './read-options.ts';

/** The warning about an option that ffmpeg takes and gives to nobody: who would take it, and what to send instead. */
export function ignoredBy({ name, key }: ReadOption, makers: readonly Maker[], muxer: string | undefined): string {
  const encoders = [...new Set(makers.flatMap(({ encoder }) => encoder ?? []))];
  const owners = ownersOf(name.name);
  const who = owners === undefined ? '' : ` It is for ${owners}.`;
  const others = [...new Set(encoders.flatMap((encoder) => counterpart(name.name, encoder) ?? []))];
  const instead = others.map((other) => ` Send "${other}" instead.`).join('');
  if (makers.length > 0 && encoders.length === 0)
    return `"${key}" has no effect: its streams are copied, not encoded.${who}`;
  const takers = encoders.length > 0 ? encoders : muxer === undefined ? [] : [muxer];
  const nobody =
    takers.length === 0
      ? 'nothing in this conversion takes it'
      : `${takers.join(' and ')} ${takers.length === 1 ? 'does' : 'do'} not take it`;
  return `"${key}" has no effect: ${nobody}.${who}${instead}`;
}
