import { type Command, Option } from 'commander';
import { PROGRESS_FORMS } from '../../output/progress-display.ts';
import { addServiceOptions, numberIn } from '../../session/command-options.ts';
import type { ConvertFlags } from '../../session/flags.ts';
import { addParameter } from '../../session/parameters.ts';
import { OrderedCommand } from './ordered-argv.ts';

const HELP = `
The last file is the output, all before it are inputs. A file is one of this machine, which is
sent over, or server:path, one in the media root of the service. Options are ffmpeg's, by its
names without the dash. -i belongs to the input that follows it; -p to the output, wherever it
stands. In the value of either, {0}, {1} … stand for the path of that input.

  telecine convert in.mov out.mp4 -p c:v=libx264 -p crf=23 -p c:a=aac
  telecine convert -i ss=10 -i t=5 in.mp4 clip.gif -p "vf=fps=10,scale=320:-2"
  telecine convert in.mp4 words.srt out.mp4 -p "vf=subtitles={1}" -p c:a=copy
  telecine convert --duration 3 a.jpg b.jpg music.mp3 show.mp4 -p s=1280x720
  telecine convert server:in.mp4 hls/index.m3u8 -p c=copy -p hls_time=6`;

/** Adds `telecine convert` to the program. */
export function addConvertCommand(program: Command): void {
  const convert = new OrderedCommand('convert')
    .description('convert media: sends files over, has them converted, fetches the result')
    .usage('[options] <input...> <output>')
    .argument('<files...>', 'the inputs, then the output')
    .option('-p, --parameter <name=value>', 'an option of the output, repeatable; a name alone is a flag', addParameter)
    .option('-i, --input-option <name=value>', 'an option of the input that follows, repeatable', addParameter)
    .option('-f, --format <name>', "the container; else by the output's extension")
    .option('--duration <seconds>', 'show each picture that follows for so long')
    .option('--crossfade <seconds>', 'let each picture that follows come in across the one before')
    .option('-y', 'replace the output where it exists')
    .option('--dry-run', 'print what would run, and send nothing over')
    .option('--no-wait', 'print the job id and leave; the output must be on the service')
    .option('--keep', 'leave on the service what was sent and made there')
    .option('--timeout <seconds>', 'cancel what is not done within so long', numberIn(1, 31_536_000))
    .addOption(
      new Option('--progress <form>', 'on standard error: bar on a terminal, else lines').choices(PROGRESS_FORMS),
    )
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(async (files: string[], flags: ConvertFlags, command: OrderedCommand) =>
      (await import('./run.ts')).convertCommand(command, files, flags),
    );
  addServiceOptions(convert).showHelpAfterError(
    'Options of ffmpeg are written -p name=value, such as -p c:v=libx264. See "telecine convert --help".',
  );
  program.addCommand(convert);
}
