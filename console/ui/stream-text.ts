import type { MediaInfo } from '@telecine/client';
import { formatDuration } from './format.ts';

type Stream = MediaInfo['streams'][number];

/** What a stream is, in the words of people who convert films: `h264, 1920×1080, 24 fps`, `aac, stereo, 48 kHz, eng`. */
export function streamText(stream: Stream): string {
  const {
    codec = stream.type,
    width,
    height,
    frameRate,
    channelLayout,
    channels,
    sampleRate,
    language,
    title,
  } = stream;
  const isPicture = stream.isAttachedPicture === true;
  const parts = [
    isPicture ? `cover (${codec})` : codec,
    width !== undefined && height !== undefined && `${width}×${height}`,
    frameRate !== undefined && !isPicture && `${Number(frameRate.toFixed(2))} fps`,
    stream.colorTransfer === 'smpte2084' || stream.colorTransfer === 'arib-std-b67' ? 'HDR' : undefined,
    stream.type === 'audio' && (channelLayout ?? (channels === undefined ? undefined : `${channels} channels`)),
    sampleRate !== undefined && `${Number((sampleRate / 1000).toFixed(1))} kHz`,
    language,
    title,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The length and the number of chapters of a file: `1:02:05, 12 chapters`. */
export function lengthText({ format, chapters }: MediaInfo): string {
  const { durationSeconds } = format;
  return [
    durationSeconds !== undefined && formatDuration(durationSeconds),
    chapters.length > 0 && `${chapters.length} ${chapters.length === 1 ? 'chapter' : 'chapters'}`,
  ]
    .filter(Boolean)
    .join(', ');
}
