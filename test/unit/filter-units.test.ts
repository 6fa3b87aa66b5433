import { expect, test } from 'vitest';
import { corrected, film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Values of filter options with units and paths as people write them. One fix leads to what is meant. */
test.each<[mistake: Parameters, meant: Parameters]>([
  [{ af: 'loudnorm=I=-14:TP=-1dB:LRA=11' }, { af: 'loudnorm=I=-14:TP=-1:LRA=11' }],
  [{ af: 'loudnorm=I=-14:TP=1dB:LRA=11' }, { af: 'loudnorm=I=-14:TP=-1:LRA=11' }],
  [{ af: 'loudnorm=I=-16LUFS:TP=-1.5dBTP:LRA=11LU' }, { af: 'loudnorm=I=-16:TP=-1.5:LRA=11' }],
  [{ af: 'afftdn=nf=-25dB' }, { af: 'afftdn=nf=-25' }],
  // Within the range, ffmpeg takes the factor without a word.
  [{ af: 'equalizer=f=1kHz:g=-3db' }, { af: 'equalizer=f=1k:g=-3' }],
  // Other options take a factor, which ffmpeg computes from decibels.
  [{ af: 'acompressor=makeup=3db' }, { af: 'acompressor=makeup=3dB' }],
  [{ af: 'alimiter=limit=-1dBFS' }, { af: 'alimiter=limit=-1dB' }],
  [{ af: 'acompressor=threshold=-20dB:ratio=4:1' }, { af: 'acompressor=threshold=-20dB:ratio=4' }],
  // A level without its unit: a factor has no sign.
  [{ af: 'silenceremove=1:0:-50' }, { af: 'silenceremove=1:0:-50dB' }],
  [
    { af: 'silenceremove=stop_periods=-1:stop_threshold=-40' },
    { af: 'silenceremove=stop_periods=-1:stop_threshold=-40dB' },
  ],
  [{ af: 'silencedetect=noise=-30:d=2' }, { af: 'silencedetect=noise=-30dB:d=2' }],
  [{ af: 'acompressor=threshold=-20:ratio=4' }, { af: 'acompressor=threshold=-20dB:ratio=4' }],
  [{ vf: 'rotate=45deg' }, { vf: 'rotate=45*PI/180' }],
  [{ vf: 'hue=h=90deg' }, { vf: 'hue=h=90' }],
  [{ vf: 'drawtext=text=a:fontsize=24pt' }, { vf: 'drawtext=text=a:fontsize=24' }],
  [{ vf: 'drawtext=fontfile=C:/Windows/Fonts/arial.ttf:text=a' }, { vf: 'drawtext=font=Arial:text=a' }],
  [{ vf: 'drawtext=fontfile=C\\:\\\\Windows\\\\Fonts\\\\arialbd.ttf:text=a' }, { vf: 'drawtext=font=Arial:text=a' }],
  [
    { vf: 'drawtext=fontfile=/System/Library/Fonts/Helvetica.ttc:text=12:30' },
    { vf: 'drawtext=font=Helvetica:text=12\\\\:30' },
  ],
])('one fix of %j gives %j', (mistake, meant) => {
  expect(corrected(film(mistake), 1)).toEqual(film(meant));
});

test.each(['C:/Users/me/talk.srt', 'filename=C:/Users/me/talk.srt', '/home/me/talk.srt'])(
  'a file of another machine becomes an input: subtitles=%s',
  (path) => {
    expect(corrected(film({ vf: `subtitles=${path}` }), path.startsWith('filename=') ? 2 : 1)).toEqual({
      inputs: ['a.mp4', 'talk.srt'],
      output: 'b.mp4',
      parameters: { vf: 'subtitles=filename=talk.srt' },
    });
  },
);

test.each<Parameters>([
  { af: 'acompressor=threshold=-20dB:ratio=4:attack=20:release=250' },
  { af: 'alimiter=limit=-1dB' },
  { af: 'silencedetect=noise=-30dB:d=2' },
  { af: 'volume=-6dB' },
  { af: 'equalizer=f=1000:g=3' },
  { af: 'adelay=2s:all=1' },
  { af: 'adelay=10|0' },
  { af: 'adelay=25|25' },
  { af: 'adelay=2000|2000' },
  { af: 'loudnorm=I=-14:TP=-1:LRA=11' },
  { vf: 'drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:text=a' },
])('nothing is wrong with %j', (parameters) => {
  expect(mistakesIn(film(parameters))).toEqual([]);
});
