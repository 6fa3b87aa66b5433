import { addOption } from '../../domain/edit.ts';
import { formatOfProfile } from '../allowlist/profile-formats.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { argumentOf, fieldOf, inputStream, type MediaFacts, pathOf, sentNameOf, withField } from './media-facts.ts';

const PROFILE_KEYS = ['profile:v', 'profile:v:0', 'profile'];
const CODEC_KEYS = ['c:v', 'c:v:0', 'c'];

/** The first of these options that the argv has, with its value. */
function optionOf(facts: MediaFacts, keys: readonly string[]): readonly [key: string, value: string] | undefined {
  const key = keys.find((one) => fieldOf(facts, one) !== undefined);
  const value = key === undefined ? undefined : argumentOf(facts, key);
  return key === undefined || value === undefined ? undefined : [key, value];
}

/** x264 and x265 wrote a lower profile than the requested one, because the pictures have fewer bits or less chroma. */
export function lostProfile(facts: MediaFacts, { used, outputStreams }: FinishedPass): readonly RunWarning[] {
  const [profile, codec] = [optionOf(facts, PROFILE_KEYS), optionOf(facts, CODEC_KEYS)];
  const films = outputStreams.filter(({ type }) => type === 'video');
  const [film] = films;
  if (profile === undefined || codec === undefined || film?.pixelFormat === undefined || films.length > 1) return [];
  // The request names the pixel format itself.
  if (facts.argv.some((word) => /^-pix_fmt(?::|$)/.test(word))) return [];
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => name === 'format'))) return [];
  const [key, name] = profile;
  const format = formatOfProfile(codec[1], name, film.pixelFormat);
  if (format === undefined) return [];
  const source = used.find(({ output }) => output === film.index);
  const from = source && inputStream(facts, source.input, source.stream)?.pixelFormat;
  const cause =
    source === undefined || from !== film.pixelFormat ? 'the output is' : `${pathOf(facts, source.input)} is`;
  return [
    withField(facts, key, {
      code: 'NO_EFFECT',
      message: `"${sentNameOf(facts, key)}": "${name}" had no effect: it does not change the pixel format, and ${cause} ${film.pixelFormat}.`,
      fix: addOption('pix_fmt', format),
    }),
  ];
}
