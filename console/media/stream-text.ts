import { quantity } from '../ui/format.ts';
import { frameSizeText } from './shown-aspect.ts';

/** The common members of streams in job outputs and in probed files. */
interface Stream {
  readonly type: string;
  readonly codec?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Of a probed file. */
  readonly rotationDegrees?: number | undefined;
  readonly fps?: number | undefined;
  readonly frameRate?: number | undefined;
  readonly colorTransfer?: string | undefined;
  readonly sampleRate?: number | undefined;
  readonly channels?: string | number | undefined;
  readonly channelLayout?: string | undefined;
  readonly language?: string | undefined;
  readonly title?: string | undefined;
  /** Of a probed file. */
  readonly isAttachedPicture?: boolean | undefined;
  /** Of a job output: its flags, such as `attached_pic`. */
  readonly disposition?: readonly string[] | undefined;
}

/** Whether a stream is a cover, which is a video to ffmpeg. */
const isCover = ({ isAttachedPicture = false, disposition = [] }: Stream): boolean =>
  isAttachedPicture || disposition.includes('attached_pic');

const HDR_TRANSFERS: readonly (string | undefined)[] = ['smpte2084', 'arib-std-b67'];

/** Describes a stream in a few words: `h264 1920×1080, 24 fps` or `aac, stereo, 48 kHz, eng`. */
export function streamText(stream: Stream): string {
  const { type, codec = type, fps = stream.frameRate, sampleRate } = stream;
  const channels = stream.channelLayout ?? stream.channels;
  return [
    [isCover(stream) ? `cover (${codec})` : codec, frameSizeText(stream)].filter(Boolean).join(' '),
    fps !== undefined && fps > 0 && type === 'video' && !isCover(stream) && quantity(Number(fps.toFixed(2)), 'fps'),
    HDR_TRANSFERS.includes(stream.colorTransfer) && 'HDR',
    typeof channels === 'number' ? `${channels} channels` : channels,
    sampleRate !== undefined && quantity(Number((sampleRate / 1000).toFixed(1)), 'kHz'),
    stream.language,
    stream.title,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Describes the streams of an output. Several versions of one video are named by their heights: `480p, 2 × 320p`. */
export function versionsText(streams: readonly Stream[], most: number): readonly string[] {
  const versions = streams.filter((one) => one.type === 'video' && one.height !== undefined && !isCover(one));
  if (versions.length < 2) return streamsText(streams, most);
  const heights = [...Map.groupBy(versions, ({ height }) => `${height}p`)].map(([height, { length }]) =>
    length === 1 ? height : `${length} × ${height}`,
  );
  const others = streams.filter((one) => !versions.includes(one));
  return [heights.join(', '), ...streamsText(others, most)];
}

/**
 * Describes several streams. Equal texts appear once, because the renditions of HLS often have the same audio. The last text says how many
 * more there are.
 */
export function streamsText(streams: readonly Stream[], most: number): readonly string[] {
  const texts = [...new Set(streams.map(streamText))];
  return texts.length <= most ? texts : [...texts.slice(0, most), `${texts.length - most} more`];
}
