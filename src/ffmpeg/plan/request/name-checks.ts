import { leaveOut, rename } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { rejectionReasonOf } from '../../allowlist/rejection-reasons.ts';
import { meantSpecifier } from './meant-specifiers.ts';
import type { OptionName } from './option-name.ts';
import { isMetadataSpecifier, isStreamSpecifier, METADATA_SPECIFIERS, STREAM_SPECIFIERS } from './specifiers.ts';

type OptionError = Omit<FieldError, 'field'>;

/** Returns the error for an option that is rejected in every build. */
export function checkRejected({ name, specifier }: OptionName): OptionError | undefined {
  if (name === 'format' && specifier === undefined) return CONTAINER_IS_A_FIELD;
  const reason = rejectionReasonOf(name);
  if (reason === undefined) return undefined;
  return {
    code: reason.code ?? 'OPTION_NOT_ALLOWED',
    message: `"${name}" is not allowed: it ${reason.why}.`,
    fix: reason.fix ?? leaveOut(),
  };
}

/** For ffmpeg, `format` is an option of a few encoders. Clients that send it nearly always mean the container. */
const CONTAINER_IS_A_FIELD: OptionError = {
  code: 'OPTION_NOT_ALLOWED',
  message: 'The container is the field "format" of the request, not an option in "parameters".',
  fix: 'Send "format" beside "parameters". For the option of the EXR, HAP or JPEG 2000 encoder, send "format:v".',
};

/** `allowed` is the kind of specifier that the option takes, or undefined if it takes none. */
export function checkSpecifier(
  { name, specifier }: OptionName,
  allowed: 'stream' | 'metadata' | undefined,
): OptionError | undefined {
  if (specifier === undefined) return undefined;
  if (allowed === undefined)
    return {
      code: 'BAD_SPECIFIER',
      message: `"${name}:${specifier}" is wrong: "${name}" takes no stream specifier.`,
      fix: rename(name),
    };
  if (allowed === 'stream' ? isStreamSpecifier(specifier) : isMetadataSpecifier(specifier)) return undefined;
  return {
    code: 'BAD_SPECIFIER',
    message: `"${name}:${specifier}" is wrong: "${specifier}" is not a ${allowed} specifier.`,
    allowed: allowed === 'stream' ? STREAM_SPECIFIERS : METADATA_SPECIFIERS,
    ...meantOption(name, specifier, allowed),
  };
}

/** The fix for an option with a specifier in other words. Streams of an output have no tags when ffmpeg reads it. */
function meantOption(name: string, specifier: string, allowed: 'stream' | 'metadata'): { readonly fix?: Hint } {
  const ofStream = allowed === 'stream' ? '' : 's:';
  if (!specifier.startsWith(ofStream)) return {};
  const meant = meantSpecifier(specifier.slice(ofStream.length));
  if (meant === undefined || meant === '') return {};
  const [kind, byTag] = meant.split(':m:');
  if (byTag === undefined && !meant.startsWith('m:')) return { fix: rename(`${name}:${ofStream}${meant}`) };
  return byTag === undefined
    ? {}
    : { fix: `Name the stream by its number in the output, such as "${name}:${ofStream}${kind}:0".` };
}
