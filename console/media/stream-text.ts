/** What outputs and probed files have in common. */
interface Stream {
  readonly type: string;
  readonly codec?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fps?: number | undefined;
  readonly frameRate?: number | undefined;
  readonly sampleRate?: number | undefined;
  readonly channels?: string | number | undefined;
  readonly channelLayout?: string | undefined;
  readonly language?: string | undefined;
}

/** One stream, in few words: `h264 1280×720, 24 fps`. */
export function streamText(stream: Stream): string {
  const { type, codec, width, height, fps = stream.frameRate, sampleRate, language } = stream;
  const channels = stream.channelLayout ?? stream.channels;
  const size = width === undefined || height === undefined ? undefined : `${width}×${height}`;
  const name = [codec ?? type, size].filter(Boolean).join(' ');
  return [
    name,
    fps !== undefined && fps > 0 && type === 'video' ? `${Number(fps.toFixed(2))} fps` : undefined,
    channels === undefined ? undefined : typeof channels === 'number' ? `${channels} channels` : channels,
    sampleRate === undefined ? undefined : `${Number((sampleRate / 1000).toFixed(1))} kHz`,
    language,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
