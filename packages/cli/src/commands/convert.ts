import { CHUNK_SECONDS } from '@telecine/contract/domain/chunk-seconds.ts';
import { OUTPUT_LIFETIME } from '@telecine/contract/domain/client-limits.ts';
import { JOINS } from '@telecine/contract/domain/join.ts';
import { PRIORITY } from '@telecine/contract/domain/queue-order.ts';
import { type Command, Option } from 'commander';
import { addServiceOptions, numberIn, progressOption, timeIn, wholeNumberIn } from '../session/command-options.ts';
import type { OrderedCommand } from '../session/ordered-command.ts';
import { addArgument, addMetadata, addParameter } from '../session/parameters.ts';
import type { ConvertFlags } from './convert/order-flags.ts';

const HELP = `
The last file is the output; all files before it are inputs. A file is a local path, or
server:path for a file in the media root of the service. Local inputs are uploaded, a local
output is downloaded. source:GRAPH is an input that a filter makes: a colour, a tone, silence.
-i and -p take options of ffmpeg, without the dash: -i for the next input, -p for the output.
In their values, {0}, {1}, … stand for the paths of the inputs.

  telecine convert in.mov out.mp4 -p c:v=libx264 -p crf=23 -p c:a=aac
  telecine convert -i ss=10 -i t=5 in.mp4 clip.gif -p "vf=fps=10,scale=320:-2"
  telecine convert in.mp4 words.srt out.mp4 -p "vf=subtitles={1}" -p c:a=copy
  telecine convert --duration 3 a.jpg b.jpg music.mp3 show.mp4 -p s=1280x720
  telecine convert intro.mp4 -i t=60 film.mov all.mp4 --join encode
  telecine convert mute.mp4 source:anullsrc=r=48000 out.mp4 -p c:v=copy -p c:a=aac -p shortest
  telecine convert server:in.mp4 hls/index.m3u8 -p c=copy -p hls_time=6
  telecine convert talk.mp4 talk.srt --transcribe auto
  telecine convert in.mov out.mp4 --preset target-size -a size=8
  telecine convert *.mov --to out/ -f mp4 -p c:v=libx264
  telecine convert 'server:wavs/*.wav' --to server:mp3/ -f mp3`;

const chunkSeconds = numberIn(CHUNK_SECONDS.min, CHUNK_SECONDS.max);

const readChunks = (text: string): ConvertFlags['chunks'] =>
  text === 'auto' || text === 'off' ? text : { seconds: chunkSeconds(text) };

/** Adds the options that describe a conversion, whatever its inputs and the name of its output. */
export const addConversionOptions = <T extends Command>(command: T): T =>
  command
    .option(
      '-p, --parameter <name=value>',
      'an ffmpeg option of the output, repeatable; a flag is a name alone',
      addParameter,
    )
    .option('--preset <name>', 'apply a recipe: see telecine recipes; NAME@VERSION rejects another version')
    .option('-a, --argument <name=value>', 'an argument of the recipe, repeatable', addArgument)
    .option('-f, --format <name>', 'the container format (default: by the extension of the output)')
    .option('--only <parts>', 'keep only these parts of the input, exact to the frame: 10-20,1:30-2:00,5:00-')
    .option(
      '--remove <parts>',
      'remove these parts; or what to find: silence,noiseDb=-40,minSeconds=0.7, black, freeze',
    )
    .option('--transcribe <language>', 'make captions of the speech; auto, or the code of its language, such as en')
    .option(
      '--chunks <seconds>',
      'encode the video in parts of this length on all workers; auto: if they can share a long video',
      readChunks,
    )
    .option(
      '--quality <target>',
      'make the video as small as it can be at this quality: 0.98 is SSIM and looks like the source; 42 is XPSNR, 95 VMAF',
      numberIn(0.5, 100),
    )
    .addOption(
      new Option(
        '--frame-size <how>',
        'auto: scale the video down to the size that looks best at its bit rate (-p b:v=…)',
      ).choices(['auto']),
    )
    .option('-y', 'replace an existing output')
    .option('--strict', 'fail, without an output, if there is a warning')
    .option('--metadata <name=value>', 'your own data about the job, repeatable; not a tag of the output', addMetadata)
    .option(
      '--expires-after <time>',
      'remove the outputs from the service this long after the job has completed: 90m, 48h, 30d, or seconds',
      timeIn(`${OUTPUT_LIFETIME.min}`, `${OUTPUT_LIFETIME.max}`),
    )
    .option(
      '--priority <level>',
      `from ${PRIORITY.min} to ${PRIORITY.max}: move the job back or forward in the queue`,
      wholeNumberIn(PRIORITY.min, PRIORITY.max),
    );

/** Declares `telecine convert`. Its code is loaded when it runs. */
export function declare(convert: OrderedCommand): void {
  addConversionOptions(convert)
    .usage('[options] <input...> <output>\n       telecine convert [options] <input...> --to <folder>')
    .argument('<files...>', 'the inputs, then the output')
    .option('-i, --input-option <name=value>', 'an ffmpeg option of the next input, repeatable', addParameter)
    .option('--to <folder>', "convert each file on its own, into this folder; or a template such as 'out/{name}.mp4'")
    .option('--parallel <count>', 'with --to: how many files at the same time', wholeNumberIn(1, 256))
    .addOption(
      new Option('--local', 'convert on this machine, without a service; needs ffmpeg').conflicts(['url', 'keep']),
    )
    .option('--duration <seconds>', 'show each following image for this long')
    .option(
      '--crossfade <seconds>',
      'fade each following image in over the one before; with --join encode, each video and audio file',
    )
    .addOption(
      new Option('--join <how>', 'play the inputs one after the other: copy their streams, or encode them').choices(
        JOINS,
      ),
    )
    .option('--encrypt-key-uri <uri>', 'encrypt HLS with AES-128; players get the key here')
    .option(
      '--encrypt-key-file <file>',
      'the file with the key of 16 bytes; created with a new key if it does not exist',
    )
    .option('--dry-run', 'print what would run; upload nothing')
    .option('--no-wait', 'print the job id and exit; requires a server: output')
    .option('--keep', 'keep the uploaded files and the outputs on the service')
    // At most 24 days, because the longest timer of Node is 24.8 days.
    .option('--timeout <time>', 'cancel the conversion after this time: 90, 15m, 2h', timeIn('1', '24d'))
    .addOption(progressOption())
    .option('--quiet', 'print errors only')
    .addHelpText('after', HELP)
    .action(async (files: string[], flags: ConvertFlags) =>
      (await import('./convert/convert-command.ts')).convertCommand(convert.words(files), flags),
    );
  addServiceOptions(convert).showHelpAfterError(
    'Name the inputs, then the output. Write ffmpeg options as -p name=value, such as -p c:v=libx264. See "telecine convert --help".',
  );
}
