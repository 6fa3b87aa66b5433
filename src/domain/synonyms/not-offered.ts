/** What people look for among conversions, and no recipe or option does. Of several rows, the first counts. */
const ROWS: readonly (readonly [words: RegExp, answer: string])[] = [
  [/\btranslat(?:e|ing)\b|\btranslation (?:in)?to\b/i, 'Telecine does not translate.'],
  [/\b(?:text to speech|tts|voice ?clon\w*)\b/i, 'Telecine does not make speech from text.'],
  [
    /\b(?:separat\w*|isolat\w*|split|extract|remove) (?:the )?(?:vocals?|stems?|voices? from (?:the )?music|singing)\b/i,
    'Telecine does not separate voices from music.',
  ],
  [
    /\b(?:upscal\w*|super ?resolution|enhanc\w*)\b.*\bai\b|\bai (?:upscal\w*|enhanc\w*)/i,
    'Telecine enlarges pictures by the filters of ffmpeg, without AI: the recipe "resize".',
  ],
  [
    /\bdownload\w*\b.*\b(?:from|off) (?:youtube|tiktok|instagram|vimeo|twitch)\b|\bdownload\w* (?:(?:an?|the|this|my) )?(?:youtube|tiktok|instagram|vimeo|twitch)\b|^(?:youtube|tiktok|instagram|vimeo|twitch) (?:videos? )?download\w*\b/i,
    'Telecine does not download from video sites: the user has to upload the file.',
  ],
  [
    /\b(?:recogni[sz]e|detect|track|find) (?:the )?(?:faces?|people|objects?)\b|\b(?:face|object) (?:detection|recognition|tracking)\b/i,
    'Telecine does not recognise what pictures show.',
  ],
  [
    /\b(?:delete|erase|remove|rm|unlink)\s+(?:(?:the|an?|my|all|this|these|old|original|source|input|output|media)\s+)*(?:files?|jobs?|folders?|originals?|sources?)(?:\s+(?:after(?:wards)?|when|once|from)\b.*)?[.!]?$|^(?:delete|rm|unlink)$/i,
    'No tool deletes files or jobs: the user can. "expiresAfterSeconds" of a conversion removes its outputs later.',
  ],
];

/** The sentence that says what is not offered, if a query asks for it. */
export const notOffered = (query: string): string | undefined => ROWS.find(([words]) => words.test(query))?.[1];
