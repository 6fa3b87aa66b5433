import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { Command } from 'commander';
import { bytes, table } from '../output/format.ts';
import { addServiceOptions } from '../session/command-options.ts';
import { connect } from '../session/credentials.ts';
import { addParameter, type CommandParameters } from '../session/parameters.ts';
import { printResult, type ServiceFlags } from '../session/service-verbs.ts';
import { withUploadedFiles } from './uploaded-files.ts';

interface ProbeFlags extends ServiceFlags {
  readonly inputOption?: CommandParameters;
}

export function declare(probe: Command): void {
  probe
    .argument('<file>')
    .option(
      '-i, --input-option <name=value>',
      'an ffmpeg option for reading the file, such as f=s16le; repeatable',
      addParameter,
    )
    .action((file: string, { inputOption, ...flags }: ProbeFlags) => {
      const ask = (signal: AbortSignal) => {
        const client = connect(flags.url);
        return withUploadedFiles(client, [file], signal, ({ paths: [input = ''] }) =>
          client.probe({ input, ...(inputOption && { parameters: { ...inputOption } }) }, { signal }),
        );
      };
      return printResult(flags, ask, (info) => showMedia(file, info));
    });
  addServiceOptions(probe);
}

type Stream = MediaInfo['streams'][number];

/** Formats the probe of a file: its container, streams, chapters and tags, one line each. */
function showMedia(name: string, { format, streams, chapters, leftOut }: MediaInfo): readonly string[] {
  const known = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);
  const lines = [
    [
      name,
      format.description ?? format.names.join(','),
      ...known(format.durationSeconds === undefined ? undefined : `${format.durationSeconds.toFixed(2)} s`),
      ...known(format.sizeBytes === undefined ? undefined : bytes(format.sizeBytes)),
      ...known(rate(format.bitRate)),
    ].join('  '),
    ...table(streams.map(streamRow)).map((line) => `  ${line}`),
    ...table(
      chapters.map(({ startSeconds, endSeconds, title = '' }) => [
        'chapter',
        `${startSeconds.toFixed(2)} – ${endSeconds.toFixed(2)} s`,
        title,
      ]),
    ).map((line) => `  ${line}`),
    ...Object.entries(format.tags ?? {}).map(([tag, value]) => `  ${tag}: ${value}`),
  ];
  if (format.isEmpty === true) lines.push('  The file ends after its header: it has no video and no audio.');
  if (leftOut !== undefined) {
    const { streams: more, chapters: moreChapters, tags } = leftOut;
    lines.push(`  not shown: ${more} more streams, ${moreChapters} more chapters, ${tags} more tags`);
  }
  return lines;
}

const rate = (bitRate: number | undefined): string | undefined =>
  bitRate === undefined ? undefined : `${Math.round(bitRate / 1000)} kb/s`;

const streamRow = (stream: Stream): readonly string[] => {
  const { index, type, codec = 'unknown', profile, language, title } = stream;
  const codecText = profile === undefined ? codec : `${codec} (${profile})`;
  const words = [...details(stream), rate(stream.bitRate), language, title, stream.disposition?.join(', ')];
  return [`#${index}`, type, codecText, words.filter((word) => word !== undefined && word !== '').join('  ')];
};

function details(stream: Stream): readonly (string | undefined)[] {
  const { width, height, frameRate, pixelFormat, sampleRate, channelLayout, channels } = stream;
  return [
    width === undefined ? undefined : `${width}×${height}`,
    frameRate === undefined ? undefined : `${Number(frameRate.toFixed(3))} fps`,
    pixelFormat,
    sampleRate === undefined ? undefined : `${sampleRate} Hz`,
    channelLayout ?? (channels === undefined ? undefined : `${channels} channels`),
  ];
}
