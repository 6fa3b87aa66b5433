import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copySample } from '../lib/samples.ts';
import { type Program, startService } from '../lib/service.ts';
import { command } from '../setup/command.ts';
import type { Block } from './blocks.ts';

const ROOT = join(import.meta.dirname, '../..');
const TIMEOUT_MS = 900_000;

/** A command that failed, with the output of its block. */
interface Failed {
  readonly line: number;
  readonly command: string;
  readonly output: string;
}

/** What all pages run with. */
export interface PageSetup {
  /** The package as published: its folder and its program. */
  readonly folder: string;
  readonly program: Program;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** Runs the blocks of a page in one shell, in `folder` with a running service. A reply with an error status fails. */
export async function runPage(
  folder: string,
  blocks: readonly Block[],
  { folder: published, program, ffmpegPath, ffprobePath }: PageSetup,
): Promise<readonly Failed[]> {
  const [dataDir, mediaRoot] = [join(folder, 'data'), join(folder, 'media')];
  for (const path of [dataDir, mediaRoot, join(folder, 'home')]) await mkdir(path);
  for (const name of ['bin', 'package.json']) await symlink(join(published, name), join(folder, name));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const path of [
    'media/in.mp4',
    'media/assistant/in.mp4',
    'media/trip/in.mov',
    'in.mp4',
    'in.mov',
    '-odd-name.mp4',
  ])
    await copySample('480p', join(folder, path));
  await copySample('mp3', join(folder, 'music.mp3'));
  await writeFile(join(folder, 'words.srt'), '1\n00:00:00,000 --> 00:00:02,000\nHello\n');
  for (const name of ['a.jpg', 'b.jpg'])
    await command(ffmpegPath, ['-f', 'lavfi', '-i', 'testsrc', '-frames:v', '1', join(folder, name)]);
  const env = { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath };
  const service = await startService({ dataDir, mediaRoot, program, env });
  try {
    const script = join(folder, 'page.sh');
    await writeFile(script, scriptOf(blocks, service.url));
    const child = spawn('bash', [script], {
      cwd: folder,
      env: {
        ...process.env,
        HOME: join(folder, 'home'),
        NODE_COMPILE_CACHE: program.compileCache,
        TELECINE_URL: service.url,
        TELECINE_DATA_DIR: dataDir,
        TELECINE_MEDIA_ROOT: mediaRoot,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    const [output, errors, failures] = await Promise.all(
      [child.stdout, child.stderr, child.stdio[3]].map((stream) => text(stream as NodeJS.ReadableStream)),
    );
    const failed = failuresIn(failures ?? '', `${output}\n${errors}`);
    if (!failures?.endsWith('END\n'))
      return [...failed, { line: 0, command: 'the shell ended before the last block', output: `${output}\n${errors}` }];
    return failed;
  } finally {
    await service.stop();
  }
}

const failuresIn = (failures: string, output: string): readonly Failed[] => {
  const seen = new Map<string, Failed>();
  for (const [, line = '', command = ''] of failures.matchAll(/^FAILED (\d+) (.*)$/gm))
    if (!seen.has(line)) seen.set(line, { line: Number(line), command, output: output.slice(-3000) });
  return [...seen.values()];
};

/** The pages use the address of a service with the default port. Replace it. */
const scriptOf = (blocks: readonly Block[], url: string): string =>
  [
    'set -E -o pipefail',
    `trap 'echo "FAILED $BLOCK \${BASH_COMMAND%%$'"'"'\\n'"'"'*}" >&3' ERR`,
    // Adds --fail-with-body to each curl, except to a curl with -f: curl rejects both together.
    'curl() { case " $* " in *" -sSf "*) command curl "$@" ;; *) command curl --fail-with-body --max-time 60 "$@" ;; esac; }',
    `telecine() { node bin/telecine.js "$@"; }`,
    ...blocks.flatMap(({ line, text: commands, notRun }) =>
      notRun === undefined
        ? [`BLOCK=${line}`, `echo "== block at line ${line}"`, commands.replaceAll('http://127.0.0.1:8080', url)]
        : [],
    ),
    'echo END >&3',
    '',
  ].join('\n');
