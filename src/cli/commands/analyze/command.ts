import { Argument, type Command } from 'commander';
import { MEASUREMENTS } from '../../../domain/analysis.ts';
import { addServiceOptions, timeIn, wholeNumberIn } from '../../session/command-options.ts';
import type { AnalyzeFlags } from '../../session/flags.ts';
import { addSetting } from './settings.ts';

const HELP = `
A file is a local path, which is uploaded, or server:path for a file in the media root of the service.

  telecine analyze in.mp4 loudness silence
  telecine analyze in.mp4 errors        what is damaged, and where
  telecine analyze in.mp4 silence --set silence.noiseDb=-50 --set silence.minSeconds=1
  telecine analyze in.mp4 crop --ss 60 --t 30
  telecine analyze out.mp4 ssim psnr --reference in.mov`;

/** Adds `telecine analyze` to the program. */
export function addAnalyzeCommand(program: Command): void {
  const analyze = program
    .command('analyze')
    .description(
      'measure a file: loudness, silence, black, borders, bit rate, errors and more, or its quality against the original',
    )
    .argument('<file>', 'the file to measure')
    .addArgument(new Argument('<measure...>', 'what to measure').choices(MEASUREMENTS))
    .option('--reference <file>', 'the original, for psnr, ssim, xpsnr and vmaf')
    .option('--ss <seconds>', 'where to start')
    .option('--t <seconds>', 'how long to measure')
    .option('--audio <number>', 'which audio stream to measure, from 0; default: the first', wholeNumberIn(0, 999))
    .option('--set <measure.name=number>', 'a setting of a measurement, repeatable', addSetting)
    .option('--all', 'print all entries of lists, not only the first ten')
    // A timer of Node is at most 24.8 days long.
    .option('--timeout <time>', 'cancel the measurement after this time: 90, 15m, 2h', timeIn('1', '24d'))
    .addHelpText('after', HELP)
    .action(async (file: string, measure: AnalyzeFlags['measure'], flags: Omit<AnalyzeFlags, 'measure'>) =>
      (await import('./run.ts')).analyzeCommand(file, { ...flags, measure }),
    );
  addServiceOptions(analyze);
}
