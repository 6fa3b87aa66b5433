import { leaveOut, sendIn, sendOption } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { meantFormat } from '../../../domain/synonyms/media-words.ts';
import type { Lists } from '../../catalogue/catalogue.ts';
import { quoted } from '../../values/value-error.ts';
import { type ParsedOptions, sentValue } from './parse-request.ts';

/** What else than a container a name can be. */
type OtherNames = Pick<Lists, 'pixelFormats' | 'sampleFormats' | 'encoders'>;

const LETTERS = { video: 'v', audio: 'a', subtitle: 's' } as const;

/** What a name is, and the option that takes it. */
function meaningOf(name: string, { pixelFormats, sampleFormats, encoders }: OtherNames) {
  if (pixelFormats.has(name)) return { what: 'a pixel format', option: 'pix_fmt' };
  if (sampleFormats.has(name)) return { what: 'a sample format', option: 'sample_fmt' };
  const encoder = encoders.get(name);
  return encoder && { what: 'an encoder', option: `c:${LETTERS[encoder.kind]}` };
}

/** The error for a container whose name is that of something else, such as a pixel format. undefined for other names. */
export function misplacedFormat(
  text: string,
  field: string,
  options: ParsedOptions,
  names: OtherNames,
): FieldError | undefined {
  const name = text.toLowerCase();
  const meaning = meaningOf(name, names);
  // `mpeg4` is an encoder, and people mean the container.
  if (meaning === undefined || meantFormat(text) !== undefined) return undefined;
  const { what, option } = meaning;
  const isSet = sentValue(options, option) !== undefined;
  return {
    field,
    code: 'UNKNOWN_FORMAT',
    message: `${quoted(text)} is ${what}, not a container: the output says the container.`,
    fix: isSet ? leaveOut() : field === '/format' ? sendIn('parameters', option, name) : sendOption(option, name),
  };
}
