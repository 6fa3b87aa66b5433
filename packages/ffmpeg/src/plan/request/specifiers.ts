const TYPE = /^[vVasdt]$/;
const TYPED = /^[vVasdt]:(?=.)/;
const PROGRAM = /^p:\d+$/;
const IN_PROGRAM = /^p:\d+:(?=.)/;
const BY_ID = /^(?:#|i:)(?:\d+|0x[\da-f]+)$/i;
const BY_TAG = /^m:[^:]+(?::.*)?$/;
const INDEX = /^\d+$/;

/** The forms of a stream specifier, for messages (ffmpeg manual, "Stream specifiers"). */
export const STREAM_SPECIFIERS: readonly string[] = [
  'v, V, a, s, d, t',
  'v:0, a:1, … (the Nth stream of a kind)',
  '0, 1, … (the Nth stream)',
  'p:PROGRAM[:…]',
  'i:STREAM_ID',
  'm:KEY[:VALUE]',
  'u',
];

export const METADATA_SPECIFIERS: readonly string[] = ['g', 's[:STREAM]', 'c[:CHAPTER]', 'p[:PROGRAM]'];

/** True for `v`, `a:0`, `p:1:v:2`, `m:language:eng` and similar. */
export function isStreamSpecifier(text: string): boolean {
  let rest = text;
  for (;;) {
    const outer = TYPED.exec(rest) ?? IN_PROGRAM.exec(rest);
    if (outer === null) break;
    rest = rest.slice(outer[0].length);
  }
  return (
    INDEX.test(rest) || TYPE.test(rest) || PROGRAM.test(rest) || BY_ID.test(rest) || BY_TAG.test(rest) || rest === 'u'
  );
}

/** Matches stream specifiers that only ffmpeg 7 and later accept: dispositions, groups, views. */
const NEWER_SPECIFIER = /(?:^|:)(?:disp|g|view|vidx|vpos):/;

/** Matches a tag and its value with "=" between them, as messages show them: `m:language=eng`. A real specifier has a colon there. */
const PAIR_AS_KEY = /(?:^|:)m:[^:=]*=[^:]*$/;

/** True if any release of ffmpeg accepts the text as a stream specifier. */
export const isKnownSpecifier = (text: string): boolean =>
  (isStreamSpecifier(text) && !PAIR_AS_KEY.test(text)) || NEWER_SPECIFIER.test(text);

/** True if `metadata` and `map_metadata` accept the specifier, which selects the file, a stream, a chapter or a program. */
export function isMetadataSpecifier(text: string): boolean {
  if (text === 'g' || text === 's' || /^[cp](?::\d+)?$/.test(text)) return true;
  return text.startsWith('s:') && isStreamSpecifier(text.slice(2));
}
