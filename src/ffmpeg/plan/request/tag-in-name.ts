import { type Edits, sendOption } from '../../../domain/edit.ts';
import { isMisnamed, type ParsedOption, type ParsedOptions } from './parse-request.ts';
import { isMetadataSpecifier, isStreamSpecifier } from './specifiers.ts';

/** `s:a:0:language`: a specifier, and a tag after it. `title`: a tag alone. */
const TAG = /^(?:(.+):)?([A-Za-z][\w-]*)$/;

/** An option, and what it sets. */
interface MeantTag {
  readonly option: string;
  readonly tag: string;
}

/** What `"metadata:title": "A"` means: `"metadata": "title=A"`. undefined if the name of an option has no tag. */
function meantTag({ name: { name, specifier = '' }, value }: ParsedOption): MeantTag | undefined {
  if (name !== 'metadata' || typeof value !== 'string' || isMetadataSpecifier(specifier)) return undefined;
  // The tags of a stream need an `s:` before the specifier.
  if (isStreamSpecifier(specifier) && value.includes('=')) return { option: `metadata:s:${specifier}`, tag: value };
  const [, before, tag = ''] = TAG.exec(specifier) ?? [];
  if (tag === '') return undefined;
  const option =
    before === undefined || isMetadataSpecifier(before)
      ? before
      : isStreamSpecifier(before)
        ? `s:${before}`
        : undefined;
  if (before !== undefined && option === undefined) return undefined;
  return {
    option: option === undefined ? 'metadata' : `metadata:${option}`,
    tag: value.startsWith(`${tag}=`) ? value : `${tag}=${value}`,
  };
}

/**
 * The fix for a tag in the name of an option: the option with all tags that the request has for it. undefined if the name
 * has no tag.
 */
export function fixOfTagInName(option: ParsedOption, parsed: ParsedOptions): Edits | undefined {
  const meant = meantTag(option);
  if (meant === undefined) return undefined;
  const tags = parsed.flatMap((one) => {
    if (isMisnamed(one)) return [];
    if (one.key === meant.option) return one.value;
    const other = meantTag(one);
    return other?.option === meant.option ? [other.tag] : [];
  });
  const [first = '', ...others] = new Set(tags);
  return sendOption(meant.option, others.length === 0 ? first : [first, ...others]);
}
