/** Whether a file names other files for players, by its extension: a manifest of HLS or DASH, or another playlist. */
export const isManifest = (path: string): boolean => /\.(?:m3u8?|mpd)$/i.test(path);
