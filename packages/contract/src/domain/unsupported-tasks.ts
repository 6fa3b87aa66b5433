/** The graph that plays seconds 8 to 10 of a video at half speed and the rest at normal speed. */
const SLOW_PART = [
  '[0:v]trim=0:8[v0];[0:v]trim=8:10,setpts=(PTS-STARTPTS)/0.5[v1];[0:v]trim=10,setpts=PTS-STARTPTS[v2]',
  '[0:a]atrim=0:8[a0];[0:a]atrim=8:10,asetpts=PTS-STARTPTS,atempo=0.5[a1];[0:a]atrim=10,asetpts=PTS-STARTPTS[a2]',
  '[v0][a0][v1][a1][v2][a2]concat=n=3:v=1:a=1[v][a]',
].join(';');

/** Answers to searches for tasks that no recipe does. The first matching row counts. */
const ROWS: readonly (readonly [words: RegExp, answer: string])[] = [
  [/\btranslat(?:e|ing)\b|\btranslation (?:in)?to\b/i, 'Telecine does not translate.'],
  [/\b(?:text to speech|tts|voice ?clon\w*)\b/i, 'Telecine does not make speech from text.'],
  [
    /\b(?:separat\w*|isolat\w*|split|extract|remove) (?:the )?(?:vocals?|stems?|voices? from (?:the )?music|music from (?:the )?(?:voices?|vocals?|speech)|singing)\b/i,
    'Telecine does not separate voices from music.',
  ],
  [
    /\b(?:green|blue) ?screen\b|\bchroma ?key\w*/i,
    'No recipe replaces a green screen. A conversion of two inputs, the picture behind first, does: "filter_complex": "[1:v]chromakey=0x00ff00:0.2:0.1[k];[0:v][k]overlay=shortest=1[v]", "map": ["[v]", "1:a?"].',
  ],
  [
    /\b(?:[57][ .]1|surround) (?:audio |sound )?(?:in)?to stereo\b|\bstereo (?:from|of|out of) (?:an? )?(?:[57][ .]1|surround)\b|\bdown-?mix\w*/i,
    'No recipe only changes channels: a conversion with "ac": "2" in "parameters" does.',
  ],
  [
    /\b(?:remov\w*|delet\w*|drop|strip|without) (?:the |all )?(?:subtitles?|captions?) (?:from|of|in|out of)\b|\b(?:remov\w*|delet\w*|drop|strip) (?:the |all )?(?:subtitles?|captions?|subtitle tracks?)$/i,
    'No recipe removes subtitles: a conversion with "c": "copy", "map": "0" and "sn": "" in "parameters" does.',
  ],
  [
    /\b(?:keep|only)(?: only)?(?: the)? (?:english|german|french|spanish|italian|original) (?:audio|sound|language)(?: track)?s?$/i,
    'No recipe keeps one language: a conversion with "c": "copy" and "map": ["0:v", "0:a:m:language:eng"] in "parameters" does.',
  ],
  [
    /\b(?:upscal\w*|super ?resolution|enhanc\w*)\b.*\bai\b|\bai (?:upscal\w*|enhanc\w*)/i,
    'Telecine enlarges video by the filters of ffmpeg, without AI: the recipe "resize".',
  ],
  [
    /\bdownload\w*\b.*\b(?:from|off) (?:youtube|tiktok|instagram|vimeo|twitch)\b|\bdownload\w* (?:(?:an?|the|this|my) )?(?:youtube|tiktok|instagram|vimeo|twitch)\b|^(?:youtube|tiktok|instagram|vimeo|twitch) (?:videos? )?download\w*\b/i,
    'Telecine does not download from video sites: the user has to upload the file.',
  ],
  [
    /\b(?:recogni[sz]e|detect|track|find) (?:the )?(?:faces?|people|objects?)\b|\b(?:face|object) (?:detection|recognition|tracking)\b/i,
    'Telecine does not recognise what a video or an image shows.',
  ],
  [
    /\b(?:remov\w*|cut\w*|trim\w*|delet\w*|drop|strip|skip|get(?:ting)? rid of)\b(?:\W+(?!to\b|from\b|fade)\w+){0,4}?\W+(?:(?:black|frozen|blank)\W+(?:frames?|pictures?|parts?|screens?|scenes?|seconds?|leader|tail|(?:at|from|in|before|after)\b(?!.*\b(?:top|bottom|sides?|edges?|borders?|left|right|corners?)\b))|still\W+(?:frames|pictures|parts|scenes)\b)/i,
    'No recipe removes black or still parts: "cut" of a conversion does, {"remove": {"black": {"minSeconds": 0.5}}}. For parts at the ends alone, measure "black" first, and send the part between them as "keep".',
  ],
  [
    /\b(?:slow|speed|fast)\w*\b.*\b(?:(?:(?:a|one|some) )?(?:part|section|piece|bit|portion|passage)\b|(?:the )?rest\b|only (?:a|the|seconds?)\b|(?:seconds?|minutes?) \d+ (?:to|until|through|and)\b)/i,
    `No recipe changes the speed of a part. A conversion does, here of seconds 8 to 10 to half: "parameters": {"filter_complex": "${SLOW_PART}", "map": ["[v]", "[a]"]}. The filter atempo takes 0.5 to 100: twice 0.5 is a quarter.`,
  ],
  [
    /\bmpeg-?2\b|\b(?:burn|make|create|author|for|to|onto|on|as)\s+(?:(?:an?|the|my|our|old)\s+)*(?:video\s+)?(?:s?vcd|dvd)s?\b(?!\W+(?:rip|chapters?))/i,
    'No recipe writes MPEG-2 or DVD video: a conversion with "format": "dvd", "parameters": {"target": "pal-dvd"} (or "ntsc-dvd") does. For its shape, add "vf": "scale=720:432,pad=720:576:0:72,setsar=16/15" (16:9 with bars in 4:3 PAL).',
  ],
  [
    /\b(?:delete|erase|remove|rm|unlink)\s+(?:(?:the|an?|my|all|this|these|old|original|source|input|output|media)\s+)*(?:files?|jobs?|folders?|originals?|sources?)(?:\s+(?:after(?:wards)?|when|once|from)\b.*)?[.!]?$|^(?:delete|rm|unlink)$/i,
    'No tool deletes files or jobs: the user can. "expiresAfterSeconds" of a conversion removes its outputs later.',
  ],
];

/** The sentence that says which task no recipe does. undefined: the query asks for no such task. */
export const notOffered = (query: string): string | undefined => ROWS.find(([words]) => words.test(query))?.[1];
