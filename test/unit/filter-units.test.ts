import { expect, test } from 'vitest';
import { film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Values of filter options with units and paths as people write them. */
test.each<Parameters>([
  { af: 'loudnorm=I=-14:TP=-1dB:LRA=11' },
  { af: 'loudnorm=I=-14:TP=1dB:LRA=11' },
  { af: 'loudnorm=I=-16LUFS:TP=-1.5dBTP:LRA=11LU' },
  { af: 'afftdn=nf=-25dB' },
  { af: 'equalizer=f=1kHz:g=-3db' },
  { af: 'alimiter=limit=-1dBFS' },
  // A level without its unit: a factor has no sign.
  { af: 'silenceremove=1:0:-50' },
  { af: 'silencedetect=noise=-30:d=2' },
  { af: 'acompressor=threshold=-20:ratio=4' },
  { vf: 'rotate=45deg' },
  { vf: 'hue=h=90deg' },
  { vf: 'drawtext=text=a:fontsize=24pt' },
  { vf: 'drawtext=fontfile=C:/Windows/Fonts/arial.ttf:text=a' },
  { vf: 'drawtext=fontfile=/System/Library/Fonts/Helvetica.ttc:text=a' },
  { vf: 'subtitles=C:/Users/me/talk.srt' },
  { vf: 'subtitles=/home/me/talk.srt' },
])('rejects %j, and shows where it is wrong', (parameters) => {
  const mistakes = mistakesIn(film(parameters));
  expect(mistakes.length).toBeGreaterThan(0);
  for (const mistake of mistakes) expect(mistake).toMatchObject({ at: { length: expect.any(Number) } });
});

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
