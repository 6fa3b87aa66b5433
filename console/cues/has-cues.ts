/** Whether a file name is that of subtitles whose cues can be listed: SubRip or WebVTT. Alone, because the first page needs it without the list. */
export const hasCues = (path: string): boolean => /\.(?:srt|vtt)$/i.test(path);
