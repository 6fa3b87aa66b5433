import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { readPinned } from '../sandbox/pinned-files.ts';

/** The number of bytes to read from the start of a text: the first lines may have only ASCII. */
const HEAD_BYTES = 65_536;

/** The encodings of most subtitles that are not UTF-8. Their names are the same for iconv. */
const ENCODINGS = [
  'windows-1252',
  'windows-1251',
  'windows-1250',
  'windows-1253',
  'windows-1254',
  'windows-1255',
].concat(...['windows-1256', 'shift_jis', 'gb18030', 'big5']);

/** Adds to a failure about text that is not UTF-8 how it reads in the two likeliest encodings, or that it is UTF-16. */
export async function explainText(failure: Failure, mount: Mount, path: string): Promise<Failure> {
  const head = await readPinned(mount, HEAD_BYTES).catch(() => undefined);
  if (head === undefined) return failure;
  if (isUtf16(head))
    return {
      ...failure,
      message: `The subtitles in "${path}" are UTF-16, which ffmpeg reads with errors.`,
      fix: 'Save the file as UTF-8, and send it without "sub_charenc".',
    };
  const [best, second] = candidates(head);
  if (best === undefined || second === undefined) return failure;
  const shown = [best, second].map(({ name, text }) => `as ${name.toUpperCase()} "${text}"`).join(', ');
  return { ...failure, message: `The subtitles in "${path}" are not UTF-8. They read ${shown}.` };
}

/** True for a byte order mark of UTF-16, or if every second byte of a text is mostly zero. */
function isUtf16(head: Uint8Array): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  return Math.max(...zeros) > head.length / 8;
}

/** The first line beyond ASCII, as encodings read it: best first. Characters that are no letters, and case that changes in a word, count against one. */
function candidates(head: Uint8Array): readonly { readonly name: string; readonly text: string }[] {
  const start = head.findIndex((byte) => byte > 0x7f);
  const from = head.lastIndexOf(0x0a, start) + 1;
  const to = head.indexOf(0x0a, start);
  const line = head.subarray(from, to < 0 ? undefined : to);
  return ENCODINGS.map((name) => {
    const text = new TextDecoder(name).decode(line).replaceAll(/\p{C}/gu, '\ufffd').slice(0, 40);
    const wrong = [
      ...text.matchAll(/[^\p{ASCII}\p{L}\p{M}–—’“”„«»…¿¡]|\p{Ll}\p{Lu}|\p{Script=Latin}(?=\p{Script=Cyrillic})/gu),
    ];
    return { name, text, score: wrong.length };
  }).toSorted((a, b) => a.score - b.score);
}
