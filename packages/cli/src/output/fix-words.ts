import { shellWord } from '@telecine/contract/domain/shell-text.ts';

/**
 * Rewrites JSON members in a fix as arguments of `telecine convert`. Example: `"crf": "23"` becomes `-p crf=23`, and `"map": ["0:v","0:a"]`
 * becomes `-p map=0:v -p map=0:a`.
 */
export const fixWords = (text: string): string =>
  text
    .replace(
      RETRY_IN_WATCH,
      (_all, id: string, path: string) => `telecine watch retry ${id} --path ${shellWord(JSON.parse(path))}`,
    )
    .replace(MEMBER, (_all, name: string, value: string) =>
      [JSON.parse(value) as string | readonly string[]]
        .flat()
        .map((one) => argument(name, one))
        .join(' '),
    )
    .replace(/ (?:beside|in(?: the)?) "parameters"(?: of the request)?/g, '')
    .replace(/(?<=leave )(?:this )?"preset"(?= out)/, '--preset')
    .replace('GET /api/recipes?q=WORDS', 'telecine recipes WORDS')
    .replace(
      /POST \/api\/analyze with \{"input": ("(?:[^"\\]|\\.)*"), "measure": \["errors"\]\}/,
      (_all, input: string) => `telecine analyze ${shellWord(`server:${JSON.parse(input)}`)} errors`,
    );

/** The fix of a job that belongs to a watch. */
const RETRY_IN_WATCH = /POST \/api\/watches\/([\w-]+)\/retry with \{"paths": \[("(?:[^"\\]|\\.)*")\]\}/;

/** Matches a member whose value is a text or a list of texts. */
const MEMBER = /(?<![{,]\s?)"([\w:.-]+)":\s*("(?:[^"\\]|\\.)*"|\["(?:[^"\\]|\\.)*"(?:,\s?"(?:[^"\\]|\\.)*")*\])/g;

function argument(name: string, value: string): string {
  if (name === 'join') return `--join ${shellWord(value)}`;
  if (name === 'format') return `-f ${shellWord(value)}`;
  if (name === 'output') return `the output ${shellWord(value)}`;
  return value === '' ? `-p ${shellWord(name)}` : `-p ${shellWord(`${name}=${value}`)}`;
}
