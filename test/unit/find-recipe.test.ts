import { expect, test } from 'vitest';
import { BUILT_IN } from '../../src/recipes/built-in/all.ts';
import { recipeSearch } from '../../src/recipes/search.ts';

const search = recipeSearch();
const first = (words: string): string | undefined => search(BUILT_IN, words).recipes[0]?.name;

test.each(BUILT_IN.map(({ name, title }) => [title, name]))('%s finds %s', (title, name) => {
  expect(first(title)).toBe(name);
});

test.each([
  ['join clips', 'join'],
  ['merge two videos', 'join'],
  ['concatenate', 'join'],
  ['put an intro before a film', 'join'],
  ['merge clips without re-encoding', 'join-without-encoding'],
  ['combine several mp3 into one', 'join-sounds'],
  ['add a silent audio track', 'add-silent-sound'],
  ['join two mp4', 'join'],
  ['make it fit in 8 MB', 'target-size'],
  // A size in one word is a number and a unit.
  ['make a video smaller than 10mb', 'target-size'],
  ['compress to 8MB', 'target-size'],
  ['split the video and audio', 'separate-tracks'],
  ['turn this into an animated gif', 'gif'],
  ['my video is upside down', 'rotate'],
  ['take the audio out as mp3', 'mp3'],
  ['the sound is too quiet', 'loudness'],
  ['get rid of the pauses', 'remove-silence'],
  ['hardcode the subtitles', 'burn-subtitles'],
  ['instagram story from a landscape video', 'vertical'],
  ['convert a flac to wav', 'wav'],
  ['deinterlase an old tape', 'deinterlace'],
  // A limit matters more than "smaller", of which recipes have many synonyms.
  ['compress a recording for an email attachment', 'target-size'],
  ['make a video smaller', 'compress'],
  // The direction counts.
  ['pictures from a video', 'frames'],
  ['pictures to a video', 'pictures-to-video'],
  // The result is a file of this extension.
  ['album art into an mp3', 'add-cover'],
  ['gif to mp4', 'web-h264'],
  // "without re-encoding" is the opposite of "re-encode".
  ['re-encode to h264', 'web-h264'],
  ['cut without transcoding', 'cut-without-encoding'],
  ['transcribe a meeting', 'wav'],
  // Forms of one word.
  ['transcribing voice memos', 'wav'],
  ['muting a video', 'remove-audio'],
  ['sound waves of a track', 'waveform'],
])('"%s" finds %s', (words, name) => {
  expect(first(words)).toBe(name);
});

/** What people asked for who had not seen the catalogue. */
const EVERYDAY: readonly (readonly [string, string])[] = [
  ['make this clip work on my website in every browser', 'web-h264'],
  ['shrink video so I can email it', 'target-size'],
  ['get it below 10 megabytes for discord', 'target-size'],
  ['turn landscape footage into tiktok format', 'vertical'],
  ['make a looping animated gif from a few seconds', 'gif'],
  ['grab a still picture at 12 seconds', 'poster'],
  ['overview sheet with lots of little screenshots of the movie', 'contact-sheet'],
  ['hover preview thumbnails for the seek bar', 'sprite-sheet'],
  ['get rid of the black bars at top and bottom', 'crop-to-content'],
  ['draw the sound wave of a song as an image', 'waveform'],
  ['video for youtube out of my podcast with moving sound bars', 'audiogram'],
  ['my podcast episodes are too quiet, make them all equally loud', 'podcast or loudness'],
  ['cut out the dead air in a recording', 'remove-silence'],
  ['put my webcam in the corner of the screen recording', 'picture-in-picture'],
  ['holiday photos into a movie with music', 'slideshow'],
  ['burn captions into the picture so they always show', 'burn-subtitles'],
  ['add an srt that viewers can turn on and off', 'soft-subtitles'],
  ['speed up a video 4x like a timelapse', 'speed'],
  ['phone video is sideways', 'rotate'],
  ['comb lines on old camcorder tapes', 'deinterlace'],
  ["davinci resolve won't open my file, need something for editing", 'prores or dnxhr'],
  ['keep only from 1:30 to 2:45 without losing quality', 'cut-without-encoding'],
  ['rip the mp3 out of a music video', 'mp3'],
  ['adaptive bitrate stream with several qualities', 'hls or dash'],
  ['put our company logo on top of the video', 'watermark'],
  ['remove the sound completely', 'remove-audio'],
  ['hdr iphone video looks washed out', 'hdr-to-sdr'],
  ['footage is shaky, smooth it out', 'stabilise'],
  ['prepare a recording for whisper speech to text', 'wav'],
  ['mkv to mp4 without re-encoding', 'change-container'],
  ['will this run on old televisions and phones', 'web-h264'],
  ['teams says the attachment exceeds the maximum', 'target-size'],
  ['get a square crop for an instagram post', 'crop-to-aspect'],
  ['my gif is too large, something smaller that still moves', 'animated-webp or animated-avif'],
  ['capture a snapshot for the cover of the video', 'poster'],
  ['family pictures with background song for grandma', 'slideshow'],
  ['make a stop-motion from my photo series', 'pictures-to-video'],
  ['recording was made with the phone on its side', 'rotate'],
  ['talk has lots of umm pauses, tighten it', 'remove-silence'],
  ['level out volume for spotify', 'loudness or podcast'],
  ['save only the voice from a zoom call', 'mp3 or m4a or wav'],
  ['interlaced broadcast capture to progressive', 'deinterlace'],
  ['show two takes beside each other', 'side-by-side'],
  ['camera bubble over slides', 'picture-in-picture'],
  ["translated text under the film, can't be disabled", 'burn-subtitles'],
  ['offer subtitles in german as an option', 'soft-subtitles'],
  ['slow motion of a golf swing', 'speed'],
  ['cut the intro off', 'trim or cut-without-encoding'],
  ['mxf for avid', 'dnxhr'],
  ['streaming for people with slow and fast internet', 'hls or dash'],
  ['picture of the audio amplitude', 'waveform'],
  ['whatsapp refuses my clip because of its size', 'target-size'],
  ["hide a child's face", 'blur-region'],
  ['put a title on the first scene', 'text-overlay'],
  ['remove camera and place info', 'remove-metadata'],
  ['my boss wants the clip as an email attachment of max 20 mb', 'target-size'],
  ['old camcorder video looks stripy', 'deinterlace'],
  ['photo to jpeg for the web, not so wide', 'resize-picture'],
  ['instagram wants it taller than wide', 'vertical'],
  ['sound is hard to hear', 'loudness or video-loudness or change-volume'],
  ['one song with a static image for youtube', 'picture-and-sound'],
  ['give me the audio of this lecture as an mp3', 'mp3'],
  ['podcast intro music under my talking', 'background-music'],
  ['cut out the boring middle bit', 'trim'],
  ['make a video from 200 png files', 'pictures-to-video'],
  ['film grain removal', 'denoise-video'],
  ['4k is too large for my laptop, make it 1080p', 'resize'],
  ['video for my homepage background', 'web-h264 or web-vp9'],
  ['black bars left and right', 'letterbox'],
  ['double speed lecture', 'speed'],
  ['show lyrics on the video from an srt', 'burn-subtitles'],
  ['pull the english subtitles from the mkv', 'extract-subtitles'],
  ['avi from 2004 to mp4', 'web-h264'],
  ['apple final cut cannot read this mkv', 'prores'],
  ['ipad playback of a big mkv without quality loss', 'change-container'],
  ['player needs m3u8', 'hls'],
  ['thumbnail in the middle of the video', 'poster'],
  ['four by four grid of stills', 'contact-sheet'],
  ['reaction gif for slack', 'gif'],
];

test.each(EVERYDAY)('"%s" finds %s, and says that it is close', (words, name) => {
  expect(name.split(' or ')).toContain(first(words));
  expect(search(BUILT_IN, words).isClose).toBe(true);
});

test('words that no recipe has find nothing', () => {
  expect(search(BUILT_IN, 'xyzzy qwfp')).toEqual({ recipes: [], isClose: false });
});

test.each([
  'burn a dvd',
  'translate the speech into spanish',
  'write an email to my boss',
  'transcode an ebook to epub',
])('nothing is close to "%s"', (words) => {
  expect(search(BUILT_IN, words).isClose).toBe(false);
});
