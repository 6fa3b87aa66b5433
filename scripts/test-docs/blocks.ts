import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The pages with blocks that a reader runs. */
export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/api/README.md',
  'docs/cli.md',
  'docs/client.md',
  'docs/mcp.md',
  'docs/operate/README.md',
  'docs/webhooks.md',
  'examples/README.md',
  'scripts/build-client/package/README.md',
  'test/manual/README.md',
  'test/common-requests/README.md',
];

/** A code block that a reader runs. */
export interface Block {
  /** The line of its first command, from 1. */
  readonly line: number;
  readonly text: string;
  /** Why it is not run: the comment `<!-- not run: REASON -->` above it. */
  readonly notRun: string | undefined;
  /** Whether bash can run it. Other blocks need the comment. */
  readonly isRunnable: boolean;
}

export const readPage = async (page: string): Promise<readonly Block[]> =>
  findBlocks(await readFile(join(ROOT, page), 'utf8'));

/** Languages of blocks that show data or output and are not for a reader to run. */
const DATA: ReadonlySet<string> = new Set(['', 'json']);

/** A block without a language that has a command and not only its output. */
const COMMAND = /^(?:apt-get|curl|docker|git|kubectl|node|npm|podman|sudo|systemctl|telecine) /m;

/** Finds the `bash` blocks of a page, and what else a reader would run or install: configuration, code, other commands. */
export function findBlocks(markdown: string): readonly Block[] {
  const fence = /(?:^<!-- not run: (.*) -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm;
  return Array.from(markdown.matchAll(fence)).flatMap(
    ({ 0: all, 1: notRun, 2: language = '', 3: text = '', index }) => {
      if (DATA.has(language) && !COMMAND.test(text)) return [];
      const before = markdown.slice(0, index + all.indexOf('```'));
      return [{ line: before.split('\n').length + 1, text, notRun, isRunnable: language === 'bash' }];
    },
  );
}
