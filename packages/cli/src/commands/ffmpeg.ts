import type { Command } from 'commander';

const HELP = `
Everything after "ffmpeg" is a command line of ffmpeg, as scripts have it. Local inputs are uploaded,
the conversion runs on the service, and the outputs are downloaded. Write --local, or --url ADDRESS
of the service, before "ffmpeg".

  telecine ffmpeg -y -ss 2 -i in.mp4 -vf scale=-2:480 out.webm
  telecine ffmpeg -i in.mov -c:v libx264 -crf 23 out.mp4 -vn out.mp3
  telecine --local ffmpeg -i in.mp4 -i logo.png -filter_complex overlay=10:10 out.mp4

Exit codes: 0 done, 1 failed, 255 cancelled, as ffmpeg has them.`;

/** Declares the help of `telecine ffmpeg`. The command itself is called without the parser of options, which would take those of ffmpeg. */
export function declare(command: Command): void {
  command.usage('[--local | --url ADDRESS] ffmpeg [ffmpeg options]').addHelpText('after', HELP);
}

/** A call of `telecine ffmpeg`. */
export interface FfmpegCall {
  /** The words after `ffmpeg`. */
  readonly argv: readonly string[];
  readonly local: boolean;
  readonly url?: string;
}

/** Reads a call of `telecine ffmpeg`, with `--local`, `--url=ADDRESS` or `--url ADDRESS` before it. undefined: another command. */
export function ffmpegCall([first = '', ...rest]: readonly string[]): FfmpegCall | undefined {
  if (first === 'ffmpeg') return rest[0] === '--help' ? undefined : { argv: rest, local: false };
  const isApart = first === '--url';
  const url = isApart ? rest[0] : /^--url=(.*)$/.exec(first)?.[1];
  if (first !== '--local' && url === undefined) return undefined;
  const call = ffmpegCall(isApart ? rest.slice(1) : rest);
  return call && { ...call, ...(url === undefined ? { local: true } : { url }) };
}
