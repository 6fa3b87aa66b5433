import type { Hint } from '../../domain/hint.ts';

const PLAYLISTS: ReadonlySet<string> = new Set(['m3u8', 'm3u', 'mpd', 'pls']);

/** How to convert what a playlist or a manifest lists. */
export interface PlaylistAdvice {
  readonly message: string;
  readonly fix: Hint;
}

/**
 * What to send instead of a playlist, by the path of the input. Undefined for other extensions. ffmpeg would open the files
 * and URLs that it names, so its demuxers are not allowed.
 */
export function playlistAdvice(path: string): PlaylistAdvice | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (!PLAYLISTS.has(extension)) return undefined;
  const stem = path.slice(0, -extension.length - 1);
  const message = `The input ${JSON.stringify(path)} is a list of other files, which the service does not open.`;
  if (extension === 'mpd')
    return {
      message,
      fix: `Send the files of its video and its sound: "inputs": ${JSON.stringify([`${stem}-video.mp4`, `${stem}-audio.mp4`])}, with "map": ["0:v","1:a"]. Join the init segment and the segments of each into one file (cat) before the upload.`,
    };
  return {
    message,
    fix: `Send its segments in order: "inputs": ${JSON.stringify([`${stem}0.ts`, `${stem}1.ts`])} and "join": "copy", or "join": "encode" to re-encode them.`,
  };
}
