import type { Warning } from '../../../domain/plan.ts';
import { encodersWithOption, equivalentOption } from '../../allowlist/encoder-options.ts';
import { type Catalogue, usesOf } from '../../catalogue/catalogue.ts';
import type { StreamEncoder } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/resolve-options.ts';
import { encoderKinds } from './option-targets.ts';

/** A warning that does not yet say where. */
export interface ValueWarning {
  readonly warning: Omit<Warning, 'field'>;
}

const noEffect = (key: string, why: string): ValueWarning => ({
  warning: { code: 'NO_EFFECT', message: `"${key}" has no effect: ${why}` },
});

/**
 * The warning about an option that ffmpeg takes and gives to nobody: who would take it, and what to send instead.
 * `makers`: who makes the streams that it could be for.
 */
export function noEffectWarning(
  { name, key }: ArgvOption,
  makers: readonly StreamEncoder[],
  muxer: string | undefined,
  catalogue: Catalogue,
): ValueWarning {
  const kinds = encoderKinds(usesOf(catalogue, name.name));
  const encoders = [...new Set(makers.flatMap(({ encoder }) => encoder ?? []))];
  const owners = encodersWithOption(name.name);
  const who = owners === undefined ? '' : ` It is for ${owners}.`;
  if (kinds.length > 0 && makers.length === 0) return noEffect(key, `the output has no ${kinds.join(' or ')}.`);
  if (makers.length > 0 && encoders.length === 0)
    return noEffect(key, `the ${kinds.join(' and ')} is copied, not encoded.`);
  const takers = encoders.length > 0 ? encoders : [`the container ${muxer ?? ''}`.trimEnd()];
  const others = [...new Set(encoders.flatMap((encoder) => equivalentOption(name.name, encoder) ?? []))];
  const fix = others.map((other) => `Send "${other}" instead.`).join(' ');
  const { warning } = noEffect(
    key,
    `${takers.join(' and ')} ${takers.length === 1 ? 'does' : 'do'} not take it.${who}`,
  );
  return { warning: fix === '' ? warning : { ...warning, fix } };
}
