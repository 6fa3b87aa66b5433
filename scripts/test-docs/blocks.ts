import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The page with the lines that all examples of the API pages use. */
const SHARED_LINES = 'docs/api/README.md';

/** The pages with blocks that a reader runs. */
export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/api/README.md',
  'docs/api/batches.md',
  'docs/api/capabilities.md',
  'docs/api/captions.md',
  'docs/api/chunks.md',
  'docs/api/commands.md',
  'docs/api/cut.md',
  'docs/api/downloads.md',
  'docs/api/errors.md',
  'docs/api/events.md',
  'docs/api/files.md',
  'docs/api/frame-size.md',
  'docs/api/hls-dash.md',
  'docs/api/inputs.md',
  'docs/api/jobs.md',
  'docs/api/join.md',
  'docs/api/ladder.md',
  'docs/api/limits.md',
  'docs/api/measure.md',
  'docs/api/previews.md',
  'docs/api/probe.md',
  'docs/api/quality.md',
  'docs/api/recipes.md',
  'docs/api/several-outputs.md',
  'docs/api/submit.md',
  'docs/api/tokens.md',
  'docs/cli.md',
  'docs/client.md',
  'docs/mcp.md',
  'docs/operate/audit-log.md',
  'docs/operate/backups.md',
  'docs/operate/captions.md',
  'docs/operate/clients.md',
  'docs/operate/containers.md',
  'docs/operate/disk.md',
  'docs/operate/failover.md',
  'docs/operate/hardware-devices.md',
  'docs/operate/incidents.md',
  'docs/operate/input-urls.md',
  'docs/operate/install.md',
  'docs/operate/limits.md',
  'docs/operate/logs.md',
  'docs/operate/metrics.md',
  'docs/operate/proxy.md',
  'docs/operate/s3.md',
  'docs/operate/security-checklist.md',
  'docs/operate/sign-in.md',
  'docs/operate/sizes.md',
  'docs/operate/slo.md',
  'docs/operate/stop.md',
  'docs/watches.md',
  'docs/webhooks.md',
  'examples/README.md',
  'packages/ffmpeg/README.md',
  'scripts/build-client/package/README.md',
  'test/manual/README.md',
  'test/common-requests/README.md',
];

export interface Block {
  /** The line of its first command, from 1. */
  readonly line: number;
  readonly text: string;
  /** The reason in the comment `<!-- not run: REASON -->` above the block. undefined: the block is run. */
  readonly notRun: string | undefined;
  /** Whether bash can run the block. Any other block needs a reason in `notRun`. */
  readonly isRunnable: boolean;
}

export const readPage = async (page: string): Promise<readonly Block[]> =>
  findBlocks(await readFile(join(ROOT, page), 'utf8'));

/** The blocks to run before the blocks of a page: the lines that all API pages share. */
export const blocksBefore = async (page: string): Promise<readonly Block[]> =>
  page.startsWith('docs/api/') && page !== SHARED_LINES ? readPage(SHARED_LINES) : [];

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
