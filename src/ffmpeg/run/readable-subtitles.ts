import type { FinishedPass, RunWarning } from './finished-pass.ts';

/** Warns about subtitles of encrypted HLS: ffmpeg writes them as WebVTT, and encrypts only MPEG-TS. */
export function readableSubtitles({ plan, outputStreams }: FinishedPass): readonly RunWarning[] {
  const isEncrypted = plan.passes.at(-1)?.includes('-hls_key_info_file') === true;
  if (!isEncrypted || !outputStreams.some(({ type }) => type === 'subtitle')) return [];
  return [
    {
      field: '/encrypt',
      code: 'NOT_ENCRYPTED',
      message: 'The subtitles are not encrypted: ffmpeg encrypts only the video and audio of HLS.',
      fix: 'Send "sn": "" to leave them out, or draw them into the picture with the filter subtitles.',
    },
  ];
}
