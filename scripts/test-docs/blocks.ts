import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The pages with commands. */
export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/api.md',
  'docs/cli.md',
  'docs/mcp.md',
  'docs/operations.md',
];

/** A code block with commands. */
export interface Block {
  /** The line of its first command, from 1. */
  readonly line: number;
  readonly text: string;
  /** Why it is not run: the comment `<!-- not run: REASON -->` above it. */
  readonly notRun: string | undefined;
}

export const readPage = async (page: string): Promise<readonly Block[]> =>
  findBlocks(await readFile(join(ROOT, page), 'utf8'));

/** Finds the `bash` blocks of a page. */
export function findBlocks(markdown: string): readonly Block[] {
  const fence = /(?:^<!-- not run: (.*) -->\n+)?^```bash\n([\s\S]*?)^```$/gm;
  return Array.from(markdown.matchAll(fence), ({ 0: all, 1: notRun, 2: text = '', index }) => {
    const before = markdown.slice(0, index + all.indexOf('```bash'));
    return { line: before.split('\n').length + 1, text, notRun };
  });
}
